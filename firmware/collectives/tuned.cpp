#include "firmware/collectives/tuned.hpp"

#include <array>

namespace annelid::firmware {
namespace {

// ---- The tables, as tuned_tables.inc has them (written by `annelid tune`) -----------------------

constexpr bool kMesh = false, kRings = true, kAllPort = false, kOnePort = true;
using enum Ranks::Embedding;

// The tables of InterCom's hybrids are in the same file: intercom/tuned_hybrids.cpp.
#define TUNED_HYBRIDS(...)
#define TUNED_HYBRID(...)
#define TUNED_RULE(...)

/// A line of the file.
struct TunedLine {
  bool is_table, of_prepared;
};
#define TUNED_TABLE(...) {true, false},
#define TUNED_PREPARED(...) {true, true},
#define TUNED_ROW(...) {false, false},
constexpr TunedLine kLines[] = {
#include "tuned_tables.inc"
    {true, false},  // a table of nothing, so that there is one
};
#undef TUNED_ROW
#undef TUNED_PREPARED
#undef TUNED_TABLE

#define TUNED_TABLE(...)
#define TUNED_PREPARED(...)
#define TUNED_ROW(from, algorithm, embedding) \
  {from, static_cast<std::uint8_t>(reg::Algorithm::algorithm), embedding},
constexpr TunedRow kTunedRows[] = {
#include "tuned_tables.inc"
    {},
};
#undef TUNED_ROW
#undef TUNED_PREPARED
#undef TUNED_TABLE

/// All tables, without where their rows are.
#define TUNED_TABLE(operation, rings, ports, processes, among) \
  {reg::Operation::operation, rings, ports, among, processes, 0, 0},
#define TUNED_PREPARED TUNED_TABLE
#define TUNED_ROW(...)
constexpr TunedTable kNamedTables[] = {
#include "tuned_tables.inc"
    {},
};
#undef TUNED_ROW
#undef TUNED_PREPARED
#undef TUNED_TABLE

template <bool kPrepared>
constexpr std::size_t kTables = [] {
  std::size_t tables = 0;
  for (const TunedLine& line : kLines) {
    tables += line.is_table && line.of_prepared == kPrepared ? 1 : 0;
  }
  return tables;
}();

/// The tables of prepared calls, or those of all others.
template <bool kPrepared>
constexpr std::array<TunedTable, kTables<kPrepared>> kTunedTables = [] {
  std::array<TunedTable, kTables<kPrepared>> tables{};
  std::size_t named = 0, table = 0;
  std::uint16_t row = 0;
  bool counts = false;
  for (const TunedLine& line : kLines) {
    if (!line.is_table) {
      if (counts) ++tables[table - 1].rows;
      ++row;
      continue;
    }
    counts = line.of_prepared == kPrepared;
    if (counts) {
      tables[table] = kNamedTables[named];
      tables[table++].first_row = row;
    }
    ++named;
  }
  return tables;
}();

#undef TUNED_RULE
#undef TUNED_HYBRID
#undef TUNED_HYBRIDS

// ---- Choosing -----------------------------------------------------------------------------------

/// How far a table is from what a call asks for; less is nearer.
struct Distance {
  std::uint32_t mismatch;       ///< bit 1: routers of another kind; bit 0: as to rings
  std::uint32_t higher, lower;  ///< processes, the table's and the call's
};

Distance distance(const TunedTable& table, const TunedKey& key) {
  const bool more = table.processes > key.processes;
  return {(table.one_port != key.one_port ? 2U : 0U) | (table.rings != key.rings ? 1U : 0U),
          more ? table.processes : key.processes, more ? key.processes : table.processes};
}

/// Below 0: a is nearer than b; 0: they are as near.
int compare(const Distance& a, const Distance& b) {
  if (a.mismatch != b.mismatch) return a.mismatch < b.mismatch ? -1 : 1;
  const std::uint64_t left = std::uint64_t{a.higher} * b.lower;
  const std::uint64_t right = std::uint64_t{b.higher} * a.lower;
  return left < right ? -1 : left > right ? 1 : 0;
}

/// What runs wherever its operation does: where no table says more, or what it says is refused.
struct Fallback {
  reg::Operation operation;
  reg::Algorithm algorithm;
  bool all_nodes = false;  ///< only where all nodes take part
};
using enum reg::Operation;
constexpr Fallback kFallbacks[] = {
    {kBroadcast, reg::Algorithm::kBinomial},
    {kReduce, reg::Algorithm::kBinomial},
    {kReduce, reg::Algorithm::kButterfly},  // keeps the order from any root
    {kAllReduce, reg::Algorithm::kBinomial},
    {kScan, reg::Algorithm::kSimultaneousBinomial},
    {kExscan, reg::Algorithm::kSimultaneousBinomial},
    {kGather, reg::Algorithm::kRecursiveDoubling, true},
    {kGather, reg::Algorithm::kIntercom},
    {kScatter, reg::Algorithm::kRecursiveDoubling, true},
    {kScatter, reg::Algorithm::kIntercom},
    {kAllGather, reg::Algorithm::kDissemination},
    {kBarrier, reg::Algorithm::kDissemination},
    {kTranspose, reg::Algorithm::kDirect},
    {kAllToAll, reg::Algorithm::kDirect},
    {kReduceScatter, reg::Algorithm::kIntercom},
    {kShift, reg::Algorithm::kSendReceive},
    {kSyncIn, reg::Algorithm::kBinomial},
    {kSyncOut, reg::Algorithm::kBinomial},
};

/// Whether it is all the same to the result which node has which rank.
bool is_by_set(const Call& call) {
  switch (call.operation()) {
    case kBroadcast:
      return true;
    case kReduce:
    case kAllReduce:
      return call.operator_code() != static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
    default:
      return false;
  }
}

}  // namespace

const TunedRow* find_tuned(const TunedTables& tables, const TunedKey& key, TunedAmong among) {
  const TunedTable* nearest = nullptr;
  Distance least{};
  for (const TunedTable& table : tables.tables) {
    if (table.operation != key.operation || (table.among & among) == 0) continue;
    const Distance here = distance(table, key);
    const int order = nearest == nullptr ? -1 : compare(here, least);
    if (order > 0 || (order == 0 && table.processes >= nearest->processes)) continue;
    nearest = &table;
    least = here;
  }
  if (nearest == nullptr) return nullptr;
  const TunedRow* row = &tables.rows[nearest->first_row];
  const TunedRow* const last = row + nearest->rows - 1;
  while (row != last && row[1].from <= key.bytes) ++row;
  return row;
}

TunedTables built_in_tables(bool prepared) {
  if (prepared) return {kTunedTables<true>, kTunedRows};
  return {kTunedTables<false>, kTunedRows};
}

CallResult serve_tuned(Context& me, std::optional<Task>& task) {
  const Call& call = me.call();
  const std::uint32_t asked = call.parameter(2);
  const bool has_parameters = (call.parameter(0) | call.parameter(1)) != 0;
  if (!is_type(call.word(reg::CallWord::kType)) || (has_parameters && call.operation() != kShift) ||
      !Ranks::fits(me.group(), asked))
    return CallResult::kBadArgument;
  const Topology& network = me.topology();
  const std::uint32_t named = asked >> Ranks::kSizeShift;
  const std::uint32_t processes = named != 0 ? named : me.group().size();
  const bool everyone = me.group().is_all() && processes == network.nodes();
  const bool embeds = everyone && is_by_set(call);
  const bool prepared = me.node().recording();

  CallResult result = CallResult::kUnknownAlgorithm;
  const auto serves = [&](reg::Algorithm algorithm, Ranks::Embedding embedding) {
    const auto code = static_cast<std::uint32_t>(embedding);
    me.choose(algorithm, embeds ? named << Ranks::kSizeShift | code : asked);
    result = serve(me, task);
    return result != CallResult::kUnknownAlgorithm && result != CallResult::kDoesNotFit &&
           result != CallResult::kBadArgument;
  };
  const TunedKey key{call.operation(), network.has_rings(), network.one_port(), processes,
                     call.bytes()};
  for (const TunedAmong among : {kAmongAll, kAmongRanked, kAmongOrdered}) {
    if (among == kAmongAll && !everyone) continue;
    const TunedRow* row = prepared ? find_tuned(built_in_tables(true), key, among) : nullptr;
    if (row == nullptr) row = find_tuned(built_in_tables(false), key, among);
    if (row != nullptr && serves(static_cast<reg::Algorithm>(row->algorithm), row->embedding))
      return result;
  }
  for (const Fallback& fallback : kFallbacks) {
    if (fallback.operation != key.operation || (fallback.all_nodes && !everyone)) continue;
    if (serves(fallback.algorithm, kRows)) return result;
  }
  return result;
}

}  // namespace annelid::firmware
