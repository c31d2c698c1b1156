// The host's SEND, RECEIVE and SEND_RECEIVE.
#include "firmware/collectives/collective.hpp"

namespace annelid::firmware {

namespace {

Buffer source(const Call& call) { return {call.source(), call.bytes()}; }
Buffer target(const Call& call) { return {call.target(), call.bytes()}; }

}  // namespace

namespace send_call {

// PARAMETER_0 bytes of a block, 0 = contiguous; PARAMETER_1 bytes from block to block.
CallResult check(const Context& me) {
  const Call& call = me.call();
  if (call.root() >= me.group().size()) return CallResult::kBadArgument;
  const std::uint64_t bytes = call.bytes(), block = call.parameter(0), stride = call.parameter(1);
  if (bytes > reg::kMaxMessageBytes) return CallResult::kBadArgument;
  std::uint64_t extent = bytes;  // from the first byte to the last
  if (block != 0 && bytes != 0) {
    if (block % 8 != 0 || block > stride) return CallResult::kBadArgument;
    const std::uint64_t blocks_before = (call.bytes() - 1) / call.parameter(0);
    extent = blocks_before * stride + (bytes - blocks_before * block);
  }
  return me.in_memory(call.source(), extent) ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Call& call = me.call();
  SendOptions options;
  options.block = call.parameter(0);
  options.stride = call.parameter(1);
  co_await send(me, me.group(), call.root(), source(call), 1, options);
  co_return CallResult::kSuccess;
}

}  // namespace send_call

namespace receive_call {

// OPERATOR: combines the message with TARGET, by way of SCRATCH; PARAMETER_0 bit 0: the message is
// the left operand.
CallResult check(const Context& me) {
  const Call& call = me.call();
  const bool combines = call.operator_code() != 0;
  if (call.root() >= me.group().size() || !me.is_message(call.target(), call.bytes()) ||
      call.operator_code() > static_cast<std::uint32_t>(reg::Operator::kXor) ||
      (combines &&
       (call.type() == reg::Type::kBytes || !me.is_message(call.scratch(), call.bytes()))) ||
      call.parameter(0) > 1) {
    return CallResult::kBadArgument;
  }
  return CallResult::kSuccess;
}

Task run(Context& me) {
  const Call& call = me.call();
  ReceiveOptions options;
  if (call.operator_code() != 0) {
    options.combine = combining(static_cast<reg::Operator>(call.operator_code()), call.type(),
                                call.parameter(0) != 0);
    options.stage = call.scratch();
  }
  co_await receive(me, me.group(), call.root(), target(call), 1, options);
  co_return CallResult::kSuccess;
}

}  // namespace receive_call

namespace send_receive_call {

// ROOT: to whom; PARAMETER_0: from whom.
CallResult check(const Context& me) {
  const Call& call = me.call();
  if (call.root() >= me.group().size() || call.parameter(0) >= me.group().size() ||
      !me.is_message(call.source(), call.bytes()) || !me.is_message(call.target(), call.bytes())) {
    return CallResult::kBadArgument;
  }
  return CallResult::kSuccess;
}

Task run(Context& me) {
  const Call& call = me.call();
  co_await send_receive(me, me.group(), call.root(), source(call), call.parameter(0), target(call),
                        1);
  co_return CallResult::kSuccess;
}

}  // namespace send_receive_call

}  // namespace annelid::firmware
