// How a call by AUTO finds its algorithm: docs/internals/algorithms/auto.md, "Lookup". The firmware
// looks into the tables of all operations (tuned.cpp), and a program for the nodes into those of
// the operations that it makes by AUTO (firmware/kit/auto.hpp).
#pragma once

#include <array>

#include "firmware/collectives/tuned.hpp"

namespace annelid::firmware {

/// What runs wherever its operation does: where no table says more, or what it says is refused.
/// (firmware/kit/auto.cmake reads these lines too.)
struct Fallback {
  reg::Operation operation;
  reg::Algorithm algorithm;
  bool all_nodes = false;  ///< only where all nodes take part
};
inline constexpr auto kFallbacks = [] {
  using enum reg::Operation;
  return std::to_array<Fallback>({
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
  });
}();

/// Whether it is all the same to the result which node has which rank.
static inline bool is_by_set(const Call& call) {
  switch (call.operation()) {
    case reg::Operation::kBroadcast:
      return true;
    case reg::Operation::kReduce:
    case reg::Operation::kAllReduce:
      return call.operator_code() != static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
    default:
      return false;
  }
}

/// Serves a call by AUTO. A source has tables(prepared), the tables of prepared calls or of all
/// others, and serve(me, task), which serves a call that names its algorithm. A collective that the
/// source does not have is an UNKNOWN_ALGORITHM, which the lookup passes over.
template <typename Source>
CallResult serve_by_tables(const Source& source, Context& me, std::optional<Task>& task) {
  const Call& call = me.call();
  const std::uint32_t asked = call.parameter(2);
  const bool has_parameters = (call.parameter(0) | call.parameter(1)) != 0;
  if (!is_type(call.word(reg::CallWord::kType)) ||
      (has_parameters && call.operation() != reg::Operation::kShift) ||
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
    result = source.serve(me, task);
    return result != CallResult::kUnknownAlgorithm && result != CallResult::kDoesNotFit &&
           result != CallResult::kBadArgument;
  };
  const TunedKey key{call.operation(), network.has_rings(), network.one_port(), processes,
                     call.bytes()};
  for (const TunedAmong among : {kAmongAll, kAmongRanked, kAmongOrdered}) {
    if (among == kAmongAll && !everyone) continue;
    const TunedRow* row = prepared ? find_tuned(source.tables(true), key, among) : nullptr;
    if (row == nullptr) row = find_tuned(source.tables(false), key, among);
    if (row != nullptr && serves(static_cast<reg::Algorithm>(row->algorithm), row->embedding))
      return result;
  }
  for (const Fallback& fallback : kFallbacks) {
    if (fallback.operation != key.operation || (fallback.all_nodes && !everyone)) continue;
    if (serves(fallback.algorithm, Ranks::Embedding::kRows)) return result;
  }
  return result;
}

}  // namespace annelid::firmware
