#include "firmware/collectives/groups/modes.hpp"

#include <utility>

#include "firmware/collectives/groups/compare_calls.hpp"
#include "firmware/communication/one_sided.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kMostTag = 0xFFFF;

/// What barrier mode adds to an operation.
enum class Framing : std::uint8_t { kNothing, kInBefore, kOutBehind, kBothBefore };

/// Returns nothing for an operation that is no collective.
std::optional<Framing> frame_of(reg::Operation operation) {
  using enum reg::Operation;
  switch (operation) {
    case kBroadcast:
    case kScatter:
    case kSyncOut:
      return Framing::kInBefore;
    case kReduce:
    case kGather:
    case kScan:
    case kExscan:
    case kSyncIn:
      return Framing::kOutBehind;
    case kShift:
    case kTranspose:
      return Framing::kBothBefore;
    case kAllGather:
    case kAllReduce:
    case kAllToAll:
    case kReduceScatter:
    case kBarrier:
      return Framing::kNothing;
    default:
      return std::nullopt;
  }
}

/// The rank that barrier mode synchronizes with: the root's, or of a scan the last one.
std::uint32_t middle_of(const Context& me, const Ranks& ranks) {
  using enum reg::Operation;
  const Call& call = me.call();
  switch (call.operation()) {
    case kScan:
    case kExscan:
      return ranks.size() - 1;
    case kShift:
    case kTranspose:
      return 0;
    default:
      return call.root() < me.group().size() ? ranks.rank_of(call.root()) : Ranks::kNoRank;
  }
}

Task run_in_modes(Context& me, std::uint32_t modes) {
  if ((modes & reg::kFlagDevelop) != 0) {
    const CallResult compared = co_await compare_calls(me);
    if (compared != CallResult::kSuccess) co_return compared;
    me.take_modes(kComparisonBytes);
    if (!frame_of(me.call().operation())) co_return CallResult::kUnknownOperation;
  }
  const Framing frame =
      (modes & reg::kFlagBarrier) != 0 ? *frame_of(me.call().operation()) : Framing::kNothing;
  if (frame == Framing::kNothing) co_await me.served_again(serve);
  if (!Ranks::fits(me.group(), me.call().parameter(2))) co_return CallResult::kBadArgument;
  const Ranks ranks(me.group(), me.call().parameter(2));
  const std::uint32_t middle = middle_of(me, ranks);
  if (middle == Ranks::kNoRank) co_return CallResult::kBadArgument;
  const bool member = ranks.own() != Ranks::kNoRank;
  CallResult result = CallResult::kSuccess;
  if (member && frame != Framing::kOutBehind) {
    result = co_await sync_in(me, ranks, middle, Steps::kNone);
  }
  if (member && frame == Framing::kBothBefore && result == CallResult::kSuccess) {
    result = co_await sync_out(me, ranks, middle, Steps::kNone);
  }
  if (result != CallResult::kSuccess) co_return result;
  if (frame != Framing::kOutBehind) co_await me.served_again(serve);
  me.needs_task();  // what it does is awaited here
  std::optional<Task> operation;
  result = serve(me, operation);
  if (result == CallResult::kSuccess) result = co_await std::move(*operation);
  if (member && result == CallResult::kSuccess) {
    result = co_await sync_out(me, ranks, middle, Steps::kNone);
  }
  co_return result;
}

}  // namespace

CallResult serve_in_modes(Context& me, std::optional<Task>& task) {
  const std::uint32_t modes = me.take_modes(0);
  const Call& call = me.call();
  const bool develop = (modes & reg::kFlagDevelop) != 0;
  // In develop mode the others wait to hear of an unknown operation.
  if (!develop && !frame_of(call.operation())) return CallResult::kUnknownOperation;
  if (call.tag() > kMostTag) return CallResult::kBadArgument;
  if (develop && (call.scratch() % 4 != 0 || !me.in_memory(call.scratch(), kComparisonBytes))) {
    return CallResult::kBadArgument;
  }
  task.emplace(run_in_modes(me, modes));
  return CallResult::kSuccess;
}

}  // namespace annelid::firmware
