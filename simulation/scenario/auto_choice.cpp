#include "simulation/scenario/auto_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "base/input_error.hpp"
#include "simulation/scenario/hybrid_keys.hpp"

namespace annelid::simulation {
namespace {

using reference::Algorithm;
using reference::Operation;

int processes_of(const Collective& c) { return reference::rank_count(c.network, c.ranks); }
bool takes_all(const Collective& c) {
  return !c.ranks.listed && processes_of(c) == c.network.nodes();
}

bool serves_ranks(const Algorithm& a, const Collective& c) {
  return takes_all(c) || a.by_rank || (c.ranks.listed && a.by_list);
}

/// The operation by this algorithm, if it can serve the call.
std::optional<Collective> served(const Collective& c, const TunedChoice& choice) {
  const Algorithm& a = *choice.algorithm;
  if (!a.supports(c.network) || !serves_ranks(a, c)) return std::nullopt;
  if (a.takes_ranks != nullptr && !a.takes_ranks(processes_of(c))) return std::nullopt;
  Collective by = c;
  by.algorithm = &a;
  if (embeds_itself(c)) by.ranks.embedding = choice.embedding;
  const bool needs_order = c.reduces() && !reference::commutes(c.op);
  if (needs_order && (a.keeps_order == nullptr || !a.keeps_order(by.request()))) {
    return std::nullopt;
  }
  return by;
}

/// By what a table is the nearer the smaller it is: the ratio of the processes is compared as
/// fractions, without rounding.
struct Farness {
  bool other_calls, other_ports, other_rings;
  std::int64_t more, fewer;
  int processes;
};
bool nearer(const Farness& a, const Farness& b) {
  const std::int64_t left = a.more * b.fewer, right = b.more * a.fewer;
  return std::tie(a.other_calls, a.other_ports, a.other_rings, left, a.processes) <
         std::tie(b.other_calls, b.other_ports, b.other_rings, right, b.processes);
}

const TunedTable* nearest(const Collective& c, bool one_port, TunedAmong among,
                          const std::vector<TunedTable>& tables) {
  const auto farness = [&](const TunedTable* t) {
    const auto [fewer, more] = std::minmax({t->processes, processes_of(c)});
    return Farness{t->prepared != c.prepared,
                   t->one_port != one_port,
                   t->rings != c.network.has_rings(),
                   more,
                   fewer,
                   t->processes};
  };
  std::vector<const TunedTable*> fitting;
  for (const TunedTable& t : tables) {
    if (t.operation != c.operation() || (t.prepared && !c.prepared)) continue;
    if (std::ranges::find(t.among, among) != t.among.end()) fitting.push_back(&t);
  }
  const auto found = std::ranges::min_element(fitting, nearer, farness);
  return found == fitting.end() ? nullptr : *found;
}

const TunedChoice& choice_for(const TunedTable& table, std::uint64_t bytes) {
  const auto behind = std::ranges::upper_bound(table.choices, bytes, {}, &TunedChoice::from);
  return *std::prev(behind);
}

/// The last resort of docs/internals/algorithms/auto.md; the second only for an order that the
/// first does not keep, or for processes that it does not serve.
std::vector<std::string_view> fallback_names(Operation operation) {
  using enum Operation;
  switch (operation) {
    case kBroadcast:
    case kAllReduce:
      return {"binomial"};
    case kReduce:
      return {"binomial", "butterfly"};
    case kScan:
    case kExscan:
      return {"simultaneous-binomial"};
    case kGather:
    case kScatter:
      return {"recursive-doubling", "intercom"};
    case kAllGather:
    case kBarrier:
      return {"dissemination"};
    case kReduceScatter:
      return {"intercom"};
    case kShift:
      return {"send-receive"};
    case kSyncIn:
    case kSyncOut:
      return {"binomial"};
    default:
      return {"direct"};
  }
}

template <Operation kOperation>
bool has_algorithm(const reference::Network& network) {
  return std::ranges::any_of(reference::algorithms(), [&](const Algorithm& a) {
    return a.operation == kOperation && a.supports(network);
  });
}

template <Operation kOperation>
reference::Schedule schedule_by_auto(const reference::Request& request) {
  Collective c;
  c.algorithm = &fallback(kOperation);
  c.network = request.network;
  c.root = request.root;
  c.bytes = request.bytes;
  c.ranks = request.ranks;
  c.parameter = request.parameter;  // of a shift
  c.parameter_0 = request.parameter_0;
  choose_algorithm(c, {});
  return c.schedule();
}

bool never(const reference::Network&) { return false; }
bool always(const reference::Request&) { return true; }

template <std::size_t... kIndex>
std::vector<Algorithm> rows_of(std::index_sequence<kIndex...>) {
  return {Algorithm{static_cast<Operation>(kIndex), kAuto, kAutoCode,
                    "every network that the operation has an algorithm for",
                    has_algorithm<static_cast<Operation>(kIndex)>,
                    schedule_by_auto<static_cast<Operation>(kIndex)>, never,
                    fallback(static_cast<Operation>(kIndex)).by_rank, nullptr,
                    reduces(static_cast<Operation>(kIndex)) ? always : nullptr}...};
}

}  // namespace

std::span<const Algorithm> auto_rows() {
  static const std::vector<Algorithm> rows =
      rows_of(std::make_index_sequence<reference::kOperations>{});
  return rows;
}

bool embeds_itself(const Collective& c) {
  if (!takes_all(c)) return false;
  if (c.operation() == Operation::kBroadcast) return true;
  return (c.operation() == Operation::kReduce || c.operation() == Operation::kAllReduce) &&
         reference::commutes(c.op);
}

void choose_algorithm(Collective& c, const TunedMachine& machine,
                      const std::vector<TunedTable>& tables) {
  const auto take = [&](const Collective& by) {
    c = by;
    if (is_hybrid(*c.algorithm)) choose_hybrid(c, machine.native);
  };
  for (const TunedAmong among : {TunedAmong::kAll, TunedAmong::kRanked, TunedAmong::kOrdered}) {
    if (among == TunedAmong::kAll && !takes_all(c)) continue;
    const TunedTable* const table = nearest(c, machine.one_port, among, tables);
    if (table == nullptr) continue;
    if (const auto by = served(c, choice_for(*table, c.bytes))) {
      take(*by);
      return;
    }
  }
  for (const std::string_view name : fallback_names(c.operation())) {
    if (const auto by = served(c, {0, reference::find_algorithm(c.operation(), name), {}})) {
      take(*by);
      return;
    }
  }
}

const Algorithm& fallback(Operation operation) {
  return *reference::find_algorithm(operation, fallback_names(operation).front());
}

void require_open(const Settings& s, const Collective& c) {
  const auto refuse = [&](const char* key, const std::string& why) {
    if (!s.has(key)) return;
    throw InputError(s.origin(key), fmt::format("a value for \"{}\", {}", kAuto, why),
                     "nothing, or an algorithm by name");
  };
  for (const char* key : {"collective.parameter", "collective.radices", "collective.packets",
                          "collective.last", "collective.receives", "collective.logical_mesh",
                          "collective.template", "collective.dimensions"}) {
    refuse(key, "which leaves it to the algorithm that it takes");
  }
  if (c.by_core) refuse("collective.triggers", "which the NICs play");
  if (embeds_itself(c)) {
    refuse("collective.embedding", "which takes the fastest where all nodes take part");
  }
}

}  // namespace annelid::simulation
