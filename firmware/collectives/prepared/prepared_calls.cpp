#include "firmware/collectives/prepared/prepared_calls.hpp"

#include "firmware/platform/recorder.hpp"

namespace annelid::firmware {
namespace {

/// Whether a list can perform the operation: the core touches no data and answers nothing.
bool is_preparable(reg::Operation operation) {
  switch (operation) {
    case reg::Operation::kBroadcast:
    case reg::Operation::kSend:
    case reg::Operation::kReceive:
    case reg::Operation::kSendReceive:
    case reg::Operation::kReduce:
    case reg::Operation::kGather:
    case reg::Operation::kScatter:
    case reg::Operation::kAllGather:
    case reg::Operation::kAllReduce:
    case reg::Operation::kBarrier:
    case reg::Operation::kTranspose:
    case reg::Operation::kAllToAll:
    case reg::Operation::kScan:
    case reg::Operation::kExscan:
    case reg::Operation::kReduceScatter:
    case reg::Operation::kShift:
    case reg::Operation::kSyncIn:
    case reg::Operation::kSyncOut:
      return true;
    default:
      return false;
  }
}

/// Whether the core combines.
bool is_by_core(const Call& call) {
  switch (call.operation()) {
    case reg::Operation::kReduce:
    case reg::Operation::kAllReduce:
    case reg::Operation::kScan:
    case reg::Operation::kExscan:
      return call.operator_code() == static_cast<std::uint32_t>(reg::CoreOperator::kAffine);
    default:
      return false;
  }
}

constexpr std::uint32_t kAnswerBytes = 8;

CallResult prepare_for_host(Context& me) {
  const Call call = me.call();
  const std::uint32_t source = call.source(), target = call.target();
  const bool good = source % 4 == 0 && me.in_memory(source, 4 * reg::kCallWords) &&
                    target % 4 == 0 && me.in_memory(target, kAnswerBytes) &&
                    call.scratch() % 8 == 0 && me.in_memory(call.scratch(), call.count());
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

CallResult prepare(Context& me, const Preparation& preparation, const Group& group,
                   Node::Serve serve, PreparedCall& prepared) {
  const Context::Served prepares = me.replace(preparation.words, group);
  if (!is_preparable(me.call().operation())) {
    me.restore(prepares);
    return CallResult::kUnknownOperation;
  }
  Recorder recorder(me.node(), preparation.offset, preparation.room);
  CallResult result = is_by_core(me.call()) ? CallResult::kBadArgument : recorder.record(me, serve);
  me.restore(prepares);
  if (result != CallResult::kSuccess) return result;
  if (!recorder.fits()) {
    prepared.bytes = recorder.bytes();
    return CallResult::kNoRoom;
  }
  prepared.handle = me.node().keep_list(preparation.offset, recorder.counts());
  if (prepared.handle == HandleTable::kNone) return CallResult::kNoRoom;
  prepared.bytes = recorder.bytes();
  return CallResult::kSuccess;
}

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
