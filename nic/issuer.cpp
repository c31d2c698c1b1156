#include "nic/issuer.hpp"

#include "interface/names.hpp"
#include "nic/arithmetic.hpp"

namespace annelid::nic {

namespace {

using Fault = Issuer::Fault;

std::string number(std::uint64_t value) { return std::to_string(value); }

bool is_counter(std::uint32_t value) { return value < reg::kCounters || value == reg::kNoCounter; }

}  // namespace

Issuer::Issuer(const Units& units)
    : self_(units.self),
      memory_(units.memory),
      sends_(units.sends),
      receives_(units.receives),
      combine_unit_(units.combine_unit),
      flow_(units.flow) {}

Fault Issuer::bad_address(std::uint32_t address) const {
  return {reg::ErrorCause::kBadAddress, "node " + self_.text(unpack_address(address)) +
                                            " (register value " + number(address) +
                                            ") is not in the network"};
}

Fault Issuer::bad_range(const MemoryRange& range, std::uint32_t bytes) const {
  return {reg::ErrorCause::kBadRange, number(bytes) + " bytes, from offset " + number(range.begin) +
                                          " to " + number(range.end) + "; node memory has " +
                                          number(memory_.size()) + ", a message at most " +
                                          number(reg::kMaxMessageBytes)};
}

Fault Issuer::overlap(const RangeTable::Collision& collision) const {
  return {reg::ErrorCause::kOverlap,
          "its bytes belong to " + (collision.receive ? name_of(receives_[collision.place])
                                                      : name_of(sends_[collision.place]))};
}

// The order of the checks is that of the documentation.
std::optional<Fault> Issuer::judge(const SendDescriptor& send, bool held) const {
  if (!is_address(send.destination)) return bad_address(send.destination);
  if (send.port != reg::kPortByRoute && send.port >= static_cast<std::uint32_t>(self_.ports())) {
    return Fault{reg::ErrorCause::kBadPort,
                 "port " + number(send.port) + " of " + std::to_string(self_.ports())};
  }
  const std::uint32_t notify = reg::kSendNotifyCounterField.of(send.notify);
  if (!is_counter(send.trigger) || !is_counter(notify)) {
    return Fault{reg::ErrorCause::kBadCounter, "trigger " + number(send.trigger) + ", notify " +
                                                   number(notify) +
                                                   "; counters are 0 to 31 and 255"};
  }
  if (send.block != 0 && (send.block % 8 != 0 || send.block > send.stride)) {
    return Fault{reg::ErrorCause::kBadRange, "blocks of " + number(send.block) + " bytes every " +
                                                 number(send.stride) +
                                                 ", expected a multiple of 8, at most the stride"};
  }
  const MemoryRange range = send.range();
  if (!is_range(range, send.bytes)) return bad_range(range, send.bytes);
  if (held) return {};
  if (const auto collision = flow_.collision(range)) return overlap(*collision);
  return {};
}

/// What a combining receive only reads and what it writes are apart. It may stage the message where
/// the result goes if it does not read there what was there before.
std::optional<Fault> Issuer::judge_own_overlap(const ReceiveRanges& ranges) {
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

std::optional<Fault> Issuer::judge(const ReceiveDescriptor& receive) const {
  const bool any_source = receive.open() && receive.source == reg::kAnyNode;
  if (!any_source && !is_address(receive.source)) return bad_address(receive.source);
  const std::uint32_t operation = reg::kRecvCombineOperatorField.of(receive.combine);
  const std::uint32_t type = reg::kRecvCombineTypeField.of(receive.combine);
  if (!valid_combination(operation, type) ||
      (operation != 0 && receive.bytes % element_bytes(static_cast<reg::Type>(type)) != 0)) {
    return Fault{reg::ErrorCause::kBadCombine,
                 kind_and_text_of(static_cast<reg::Operator>(operation)) + ", " +
                     kind_and_text_of(static_cast<reg::Type>(type)) + ", room " +
                     number(receive.bytes)};
  }
  const std::uint32_t notify = reg::kRecvNotifyCounterField.of(receive.notify);
  if (!is_counter(notify)) {
    return Fault{reg::ErrorCause::kBadCounter,
                 "notify " + number(notify) + "; counters are 0 to 31 and 255"};
  }
  return judge_ranges(receive);
}

std::optional<Fault> Issuer::judge_ranges(const ReceiveDescriptor& receive) const {
  const ReceiveRanges ranges = receive.ranges();
  const std::uint32_t bytes = receive.bytes;
  if (!is_range(ranges.target, bytes)) return bad_range(ranges.target, bytes);
  if (ranges.combining()) {
    if (!is_range(ranges.staging, bytes)) return bad_range(ranges.staging, bytes);
    if (receive.apart() && !is_range(ranges.operand, bytes)) {
      return bad_range(ranges.operand, bytes);
    }
    if (auto fault = judge_own_overlap(ranges)) return fault;
  }
  if (const auto collision = flow_.collision(ranges)) return overlap(*collision);
  return {};
}

SendPlace& Issuer::describe(Place place, const SendDescriptor& descriptor, std::uint16_t id) {
  SendPlace& send = sends_.open(place);
  send.tag = descriptor.message_tag();
  send.open = reg::kSendTagOpenField.of(descriptor.tag) != 0;
  send.id = id;
  send.to = unpack_address(descriptor.destination);
  send.destination = self_.config.network.id(send.to);
  send.offset = descriptor.offset;
  send.bytes = descriptor.bytes;
  send.block = descriptor.block;
  send.stride = descriptor.stride;
  send.step = descriptor.step;
  send.port = static_cast<std::uint8_t>(descriptor.port);
  if (send.port == reg::kPortByRoute && send.destination != self_.node) {
    send.port = port_by_route(self_.config.network, self_.address, send.to);
  }
  return send;
}

void Issuer::post(Place place, const ReceiveDescriptor& descriptor, std::uint16_t id,
                  std::optional<std::uint16_t> handle, Cycle now) {
  const Address from = unpack_address(descriptor.source);
  ReceivePlace& receive = receives_.open(place);
  receive.tag = descriptor.message_tag();
  receive.open = descriptor.open();
  receive.in_turn = !receive.open && reg::kRecvTagInTurnField.of(descriptor.tag) != 0;
  receive.any_source = descriptor.source == reg::kAnyNode;
  receive.any_tag = receive.open && reg::kRecvTagAnyTagField.of(descriptor.tag) != 0;
  receive.id = id;
  receive.listed = handle.has_value();
  receive.list = handle.value_or(0);
  receive.source = receive.any_source ? self_.node : self_.config.network.id(from);
  receive.from = receive.any_source ? self_.address : from;
  receive.offset = descriptor.offset;
  receive.room = descriptor.bytes;
  receive.stage = descriptor.stage;
  receive.operation =
      static_cast<reg::Operator>(reg::kRecvCombineOperatorField.of(descriptor.combine));
  receive.type = static_cast<reg::Type>(reg::kRecvCombineTypeField.of(descriptor.combine));
  if (receive.combining()) {
    combine_unit_.post(place,
                       {receive.offset, descriptor.apart() ? descriptor.operand : receive.offset,
                        receive.stage, receive.room, receive.operation, receive.type,
                        reg::kRecvCombineMessageLeftField.of(descriptor.combine) != 0});
  }
  flow_.post(place, descriptor.ranges(), now);
}

}  // namespace annelid::nic
