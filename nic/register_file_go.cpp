// The go registers: a descriptor is judged, and becomes a send or a receive
// (docs/internals/nic/registers.md and errors.md).
#include "interface/names.hpp"
#include "nic/arithmetic.hpp"
#include "nic/register_file.hpp"

namespace annelid::nic {

namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

bool is_counter(std::uint32_t value) { return value < reg::kCounters || value == reg::kNoCounter; }

}  // namespace

RegisterFile::Fault RegisterFile::bad_address(std::uint32_t address) const {
  return {reg::ErrorCause::kBadAddress, "node " + self_.text(unpack_address(address)) +
                                            " (register value " + number(address) +
                                            ") is not in the network"};
}

RegisterFile::Fault RegisterFile::bad_range(const MemoryRange& range, std::uint32_t bytes) const {
  return {reg::ErrorCause::kBadRange, number(bytes) + " bytes, from offset " + number(range.begin) +
                                          " to " + number(range.end) + "; node memory has " +
                                          number(memory_.size()) + ", a message at most " +
                                          number(reg::kMaxMessageBytes)};
}

std::string RegisterFile::describe(const RangeTable::Collision& collision) const {
  return collision.receive ? "receive " + number(receives_[collision.place].id)
                           : "send " + number(sends_[collision.place].id);
}

MemoryRange RegisterFile::send_range() const {
  return nic::send_range(word(reg::kSendOffset), word(reg::kSendBytes), word(reg::kSendBlock),
                         word(reg::kSendStride));
}

ReceiveRanges RegisterFile::receive_ranges() const {
  const std::uint64_t offset = word(reg::kRecvOffset), stage = word(reg::kRecvStage);
  const std::uint32_t bytes = word(reg::kRecvBytes);
  const std::uint32_t combine = word(reg::kRecvCombine);
  ReceiveRanges ranges;
  ranges.target = {offset, offset + bytes};
  if (reg::kRecvCombineOperatorField.of(combine) == 0) return ranges;
  ranges.staging = {stage, stage + bytes};
  ranges.type = static_cast<reg::Type>(reg::kRecvCombineTypeField.of(combine));
  if (reg::kRecvCombineApartField.of(combine) != 0) {
    const std::uint64_t operand = word(reg::kRecvOperand);
    ranges.operand = {operand, operand + bytes};
  }
  return ranges;
}

// The order of the checks is that of the documentation.
std::optional<RegisterFile::Fault> RegisterFile::check_send() const {
  if (completions_.send_space() == 0) {
    return Fault{reg::ErrorCause::kSendOverflow, "all 64 send places are taken"};
  }
  const std::uint32_t destination = word(reg::kSendDestination);
  if (!is_address(destination)) return bad_address(destination);
  const std::uint32_t port = word(reg::kSendPort);
  if (port != reg::kPortByRoute && port >= static_cast<std::uint32_t>(self_.ports())) {
    return Fault{reg::ErrorCause::kBadPort,
                 "port " + number(port) + " of " + std::to_string(self_.ports())};
  }
  const std::uint32_t trigger = word(reg::kSendTrigger);
  const std::uint32_t notify = reg::kSendNotifyCounterField.of(word(reg::kSendNotify));
  if (!is_counter(trigger) || !is_counter(notify)) {
    return Fault{reg::ErrorCause::kBadCounter, "trigger " + number(trigger) + ", notify " +
                                                   number(notify) +
                                                   "; counters are 0 to 31 and 255"};
  }
  const std::uint32_t block = word(reg::kSendBlock), stride = word(reg::kSendStride);
  if (block != 0 && (block % 8 != 0 || block > stride)) {
    return Fault{reg::ErrorCause::kBadRange, "blocks of " + number(block) + " bytes every " +
                                                 number(stride) +
                                                 ", expected a multiple of 8, at most the stride"};
  }
  const MemoryRange range = send_range();
  const std::uint32_t bytes = word(reg::kSendBytes);
  if (!is_range(range, bytes)) return bad_range(range, bytes);
  if (trigger != reg::kNoCounter) return {};  // judged when it fires
  if (const auto collision = flow_.collision(range)) {
    return Fault{reg::ErrorCause::kOverlap, "its bytes belong to " + describe(*collision)};
  }
  return {};
}

/// What a combining receive only reads and what it writes are apart. It may stage the message where
/// the result goes if it does not read there what was there before.
std::optional<RegisterFile::Fault> RegisterFile::check_own_overlap(const ReceiveRanges& ranges) {
  const bool apart = !ranges.operand.empty();
  const auto fault = [](const char* text) { return Fault{reg::ErrorCause::kOverlap, text}; };
  if (ranges.operand.overlaps(ranges.target)) return fault("its operand overlaps its target");
  if (ranges.operand.overlaps(ranges.staging))
    return fault("its staging area overlaps its operand");
  if (ranges.target.overlaps(ranges.staging) && !(apart && ranges.target == ranges.staging)) {
    return fault(apart ? "its staging area overlaps its target"
                       : "its staging area overlaps its accumulator");
  }
  return {};
}

std::optional<RegisterFile::Fault> RegisterFile::check_receive(const ReceiveRanges& ranges) const {
  if (completions_.receive_space() == 0) {
    return Fault{reg::ErrorCause::kRecvOverflow, "all 64 receive places are taken"};
  }
  const bool open = reg::kRecvTagOpenField.of(word(reg::kRecvTag)) != 0;
  const std::uint32_t source = word(reg::kRecvSource);
  if ((!open || source != reg::kAnyNode) && !is_address(source)) return bad_address(source);
  const std::uint32_t bytes = word(reg::kRecvBytes);
  const std::uint32_t combine = word(reg::kRecvCombine);
  const std::uint32_t operation = reg::kRecvCombineOperatorField.of(combine);
  const std::uint32_t type = reg::kRecvCombineTypeField.of(combine);
  if (!valid_combination(operation, type) ||
      (operation != 0 && bytes % element_bytes(static_cast<reg::Type>(type)) != 0)) {
    return Fault{reg::ErrorCause::kBadCombine,
                 kind_and_text_of(static_cast<reg::Operator>(operation)) + ", " +
                     kind_and_text_of(static_cast<reg::Type>(type)) + ", room " + number(bytes)};
  }
  const std::uint32_t notify = reg::kRecvNotifyCounterField.of(word(reg::kRecvNotify));
  if (!is_counter(notify)) {
    return Fault{reg::ErrorCause::kBadCounter,
                 "notify " + number(notify) + "; counters are 0 to 31 and 255"};
  }
  if (!is_range(ranges.target, bytes)) return bad_range(ranges.target, bytes);
  if (operation != 0) {
    if (!is_range(ranges.staging, bytes)) return bad_range(ranges.staging, bytes);
    const bool apart = reg::kRecvCombineApartField.of(combine) != 0;
    if (apart && !is_range(ranges.operand, bytes)) return bad_range(ranges.operand, bytes);
    if (auto fault = check_own_overlap(ranges)) return fault;
  }
  if (const auto collision = flow_.collision(ranges)) {
    return Fault{reg::ErrorCause::kOverlap, "its bytes belong to " + describe(*collision)};
  }
  return {};
}

void RegisterFile::send(std::uint16_t id, Cycle now) {
  const Address to = unpack_address(word(reg::kSendDestination));
  const auto tag = static_cast<std::uint16_t>(reg::kSendTagTagField.of(word(reg::kSendTag)));
  if (const auto fault = check_send()) {
    return errors_.fail(now, fault->cause, {to, tag, id}, fault->text);
  }
  const systemc::NetworkConfig& network = self_.config.network;
  const std::uint32_t bytes = word(reg::kSendBytes);
  const Place place = completions_.start_send(id, word(reg::kSendNotify), bytes);
  SendPlace& send = sends_.open(place);
  send.tag = tag;
  send.open = reg::kSendTagOpenField.of(word(reg::kSendTag)) != 0;
  send.id = id;
  send.destination = network.id(to);
  send.to = to;
  send.offset = word(reg::kSendOffset);
  send.bytes = bytes;
  send.block = word(reg::kSendBlock);
  send.stride = word(reg::kSendStride);
  send.step = word(reg::kSendStep);
  send.port = static_cast<std::uint8_t>(word(reg::kSendPort));
  if (send.port == reg::kPortByRoute && send.destination != self_.node) {
    send.port = port_by_route(network, self_.address, to);
  }
  const std::uint32_t trigger = word(reg::kSendTrigger);
  if (trigger == reg::kNoCounter) return flow_.start(place, now);
  send.trigger = static_cast<std::uint8_t>(trigger);
  send.threshold = word(reg::kSendThreshold);
  flow_.hold(place, send.trigger, send.threshold);
}

void RegisterFile::receive(std::uint16_t id, Cycle now) {
  const Address from = unpack_address(word(reg::kRecvSource));
  const auto tag = static_cast<std::uint16_t>(reg::kRecvTagTagField.of(word(reg::kRecvTag)));
  const ReceiveRanges ranges = receive_ranges();
  if (const auto fault = check_receive(ranges)) {
    return errors_.fail(now, fault->cause, {from, tag, id}, fault->text);
  }
  const std::uint32_t combine = word(reg::kRecvCombine);
  const Place place = completions_.start_receive(id, word(reg::kRecvNotify));
  ReceivePlace& receive = receives_.open(place);
  receive.tag = tag;
  receive.open = reg::kRecvTagOpenField.of(word(reg::kRecvTag)) != 0;
  receive.in_turn = !receive.open && reg::kRecvTagInTurnField.of(word(reg::kRecvTag)) != 0;
  receive.any_source = word(reg::kRecvSource) == reg::kAnyNode;
  receive.any_tag = receive.open && reg::kRecvTagAnyTagField.of(word(reg::kRecvTag)) != 0;
  receive.id = id;
  receive.source = receive.any_source ? self_.node : self_.config.network.id(from);
  receive.from = receive.any_source ? self_.address : from;
  receive.offset = word(reg::kRecvOffset);
  receive.room = word(reg::kRecvBytes);
  receive.stage = word(reg::kRecvStage);
  receive.operation = static_cast<reg::Operator>(reg::kRecvCombineOperatorField.of(combine));
  receive.type = static_cast<reg::Type>(reg::kRecvCombineTypeField.of(combine));
  if (receive.combining()) {
    const bool apart = reg::kRecvCombineApartField.of(combine) != 0;
    combine_unit_.post(place, {receive.offset, apart ? word(reg::kRecvOperand) : receive.offset,
                               receive.stage, receive.room, receive.operation, receive.type,
                               reg::kRecvCombineMessageLeftField.of(combine) != 0});
  }
  flow_.post(place, ranges, now);
}

}  // namespace annelid::nic
