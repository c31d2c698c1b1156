#include "firmware/collectives/prepared/prepared_calls.hpp"

#include "firmware/collectives/prepared/prepare.hpp"

namespace annelid::firmware {
namespace {

constexpr std::uint32_t kAnswerBytes = 8, kCallBytes = 4 * reg::kCallWords;

CallResult prepare_for_host(Context& me) {
  const Call call = me.call();
  const std::uint32_t source = call.source(), target = call.target();
  const bool good = source % 4 == 0 && me.in_memory(source, kCallBytes) && target % 4 == 0 &&
                    me.in_memory(target, kAnswerBytes) && call.scratch() % 8 == 0 &&
                    me.in_memory(call.scratch(), call.count());
  if (!good) return CallResult::kBadArgument;
  Preparation preparation{{}, call.scratch(), call.count()};
  for (std::uint32_t i = 0; i < reg::kCallWords; ++i) {
    preparation.words[i] = me.memory().load<std::uint32_t>(source + 4 * i);
  }
  const Group* group =
      me.node().groups().find(preparation.words[static_cast<std::size_t>(reg::CallWord::kGroup)]);
  if (group == nullptr) return CallResult::kNoSuchGroup;
  PreparedCall prepared;
  const CallResult result = prepare(me, preparation, *group, serve, prepared);
  if (result == CallResult::kSuccess || result == CallResult::kNoRoom) {
    me.memory().store(target, prepared.handle);
    me.memory().store(target + 4, prepared.bytes);
  }
  return result;
}

/// The NIC takes each call that it can start: so the list plays, or there is none.
CallResult refuse_start(Context& me) {
  return me.node().keeps_list(me.call().parameter(0)) ? CallResult::kCallActive
                                                      : CallResult::kStaleHandle;
}

CallResult free_handle(Context& me) {
  const std::uint32_t handle = me.call().parameter(0);
  Node& node = me.node();
  if (!node.keeps_list(handle)) return CallResult::kStaleHandle;
  const bool dropped = !node.list_plays(handle) && node.drop_list(handle);
  return dropped ? CallResult::kSuccess : CallResult::kCallActive;
}

Task end_with(Context& /*me*/, CallResult result) { co_return result; }

}  // namespace

CallResult serve_prepared(Context& me, std::optional<Task>& task) {
  CallResult result = CallResult::kUnknownOperation;
  switch (me.call().operation()) {
    case reg::Operation::kPrepare:
      result = prepare_for_host(me);
      break;
    case reg::Operation::kStart:
      return refuse_start(me);
    case reg::Operation::kFree:
      result = free_handle(me);
      break;
    default:
      break;
  }
  if (result == CallResult::kSuccess) task.emplace(end_with(me, result));
  return result;
}

}  // namespace annelid::firmware
