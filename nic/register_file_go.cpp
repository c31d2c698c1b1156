// The go registers: what was written before is judged, and becomes a send, a receive or a list
// (docs/internals/nic/registers.md, lists.md and errors.md).
#include "nic/register_file.hpp"

namespace annelid::nic {

SendDescriptor RegisterFile::send_descriptor() const {
  SendDescriptor send;
  send.destination = word(reg::kSendDestination);
  send.offset = word(reg::kSendOffset);
  send.bytes = word(reg::kSendBytes);
  send.tag = word(reg::kSendTag);
  send.port = word(reg::kSendPort);
  send.block = word(reg::kSendBlock);
  send.stride = word(reg::kSendStride);
  send.step = word(reg::kSendStep);
  send.trigger = word(reg::kSendTrigger);
  send.threshold = word(reg::kSendThreshold);
  send.notify = word(reg::kSendNotify);
  return send;
}

ReceiveDescriptor RegisterFile::receive_descriptor() const {
  ReceiveDescriptor receive;
  receive.source = word(reg::kRecvSource);
  receive.offset = word(reg::kRecvOffset);
  receive.bytes = word(reg::kRecvBytes);
  receive.tag = word(reg::kRecvTag);
  receive.combine = word(reg::kRecvCombine);
  receive.stage = word(reg::kRecvStage);
  receive.operand = word(reg::kRecvOperand);
  receive.notify = word(reg::kRecvNotify);
  return receive;
}

void RegisterFile::send(std::uint16_t id, Cycle now) {
  const SendDescriptor descriptor = send_descriptor();
  const bool held = descriptor.trigger != reg::kNoCounter;
  std::optional<Issuer::Fault> fault;
  if (completions_.send_space() == 0) {
    fault = {reg::ErrorCause::kSendOverflow, "all 64 send places are taken"};
  } else {
    fault = issuer_.judge(descriptor, held);
  }
  if (fault) {
    const Address to = unpack_address(descriptor.destination);
    return errors_.fail(now, fault->cause, {to, descriptor.message_tag(), id}, fault->text);
  }
  const Place place = completions_.start_send(id, descriptor.notify, descriptor.bytes);
  SendPlace& send = issuer_.describe(place, descriptor, id);
  if (!held) return flow_.start(place, now);
  send.trigger = static_cast<std::uint8_t>(descriptor.trigger);
  send.threshold = descriptor.threshold;
  flow_.hold(place, send.trigger, send.threshold);
}

void RegisterFile::receive(std::uint16_t id, Cycle now) {
  const ReceiveDescriptor descriptor = receive_descriptor();
  std::optional<Issuer::Fault> fault;
  if (completions_.receive_space() == 0) {
    fault = {reg::ErrorCause::kRecvOverflow, "all 64 receive places are taken"};
  } else {
    fault = issuer_.judge(descriptor);
  }
  if (fault) {
    const Address from = unpack_address(descriptor.source);
    return errors_.fail(now, fault->cause, {from, descriptor.message_tag(), id}, fault->text);
  }
  const Place place = completions_.start_receive(id, descriptor.notify);
  issuer_.post(place, descriptor, id, {}, now);
}

}  // namespace annelid::nic
