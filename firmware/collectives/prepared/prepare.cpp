#include "firmware/collectives/prepared/prepare.hpp"

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

}  // namespace annelid::firmware
