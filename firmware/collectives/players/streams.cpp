#include "firmware/collectives/players/streams.hpp"

#include "firmware/collectives/buffers/copy.hpp"

namespace annelid::firmware {

PartSizes::PartSizes(std::uint32_t bytes, std::uint32_t parts) : block(bytes) {
  const std::uint32_t all = (bytes + 7) / 8;
  words = parts <= 2 ? all >> (parts - 1) : all / parts;  // without the slow divider
  longer = all - words * parts;
}

Stream& StreamPlan::add(Streams& streams, std::uint32_t step, Address peer, std::uint32_t block,
                        std::uint32_t first_part) {
  if (streams.count == kMost) stop("a plan has more streams than it has room for");
  Stream& own = streams.stream[streams.count];
  const std::uint32_t begin = parts_.begin(first_part);
  own.step = step;
  own.period = period_;
  own.peer = peer;
  own.place = block + begin;
  own.flags = own.not_before = 0;
  own.packets = packets_;
  own.longer = first_part < parts_.longer ? parts_.longer - first_part : 0;
  own.left = parts_.block - begin;
  own.begin = begin;
  Stream** at = streams.order + streams.count++;
  for (; at != streams.order && at[-1]->step > step; --at) *at = at[-1];
  *at = &own;
  return own;
}

bool StreamPlan::take(Streams& streams, PlannedMessage& message) const {
  if (streams.count == 0) return false;
  // The stream's members are read once: the message could be any of them.
  Stream& s = **streams.first;
  const std::uint32_t longer = s.longer, left = s.left, place = s.place, flags = s.flags;
  const std::uint32_t step = s.step, not_before = s.not_before, packets = s.packets - 1;
  std::uint32_t bytes = 8 * parts_.words;
  if (longer != 0) bytes += 8;
  if (bytes > left) bytes = left;
  message.bytes = bytes;
  message.peer = s.peer;
  message.place = place;
  message.flags = flags;
  message.not_before = stepwise_ ? step - 1 : not_before;
  message.step = step;
  if (flags != 0) {
    const std::uint32_t operand = s.operand, target = s.target;
    const std::uint32_t also_operand = s.also_operand, also_target = s.also_target;
    message.operand = operand;
    message.target = target;
    message.also_operand = also_operand;
    message.also_target = also_target;
    if (packets != 0) {
      s.operand = operand + bytes;
      s.target = target + bytes;
      s.also_operand = also_operand + bytes;
      s.also_target = also_target + bytes;
    }
  }
  if (packets == 0) {
    --streams.count;
    ++streams.first;
    return true;
  }
  s.packets = packets;
  if (longer != 0) s.longer = longer - 1;
  s.left = left - bytes;
  s.place = place + bytes;
  if (not_before != 0) s.not_before = not_before + s.period;
  const std::uint32_t next = step + s.period;
  s.step = next;
  Stream** at = streams.first;
  for (Stream** const last = at + streams.count - 1; at != last && at[1]->step < next; ++at)
    at[0] = at[1];
  *at = &s;
  return true;
}

/// Whether begin() can post all messages.
bool StreamPlan::is_brief() const {
  // With so few receives there are no more rounds than counters.
  if (packets_ != 1 || by_core || most_receives >= Context::kCounters) return false;
  for (std::uint32_t i = 0; i < receives_.count; ++i) {
    const Stream& s = *receives_.order[i];
    if (s.not_before != 0 || s.flags != 0) return false;  // a player combines
  }
  return sends_.count + receives_.count != 0;
}

bool StreamPlan::begin(Context& me) {
  Node& node = me.node();
  if (!me.may_begin() || !is_brief() || me.call().operator_code() == kAffine ||
      !is_copied_by_core(me, copy.bytes) || !node.has_receive_room() || node.post_room() < kMost) {
    most_receives = kMany;  // for a player: it is to play step by step
    return false;
  }
  copy_by_core(me.memory(), copy.to, {copy.from, copy.bytes});
  const Registers& registers = node.registers();
  registers.write(reg::kSendTag, me.tag());
  registers.write(reg::kRecvTag, me.tag() | (in_turn ? kTagInTurn : 0));
  std::uint32_t counter = me.counter(0), expected = 0;  // of the round, as Player has it
  Stream* const* send = sends_.order;
  Stream* const* receive = receives_.order;
  Stream *const *const no_send = send + sends_.count, *const *const no_receive =
                                                          receive + receives_.count;
  for (;;) {
    if (receive != no_receive && (send == no_send || (*receive)->step < (*send)->step)) {
      const Stream& s = **receive++;
      registers.write(reg::kRecvSource, s.peer.word());
      registers.write(reg::kRecvOffset, s.place);
      registers.write(reg::kRecvBytes, bytes_of(s));
      if (send == no_send) {
        registers.write(reg::kRecvNotify, reg::kNoCounter);
        node.join_described_receive(me, s.peer, s.step, join_);
      } else {
        registers.write(reg::kRecvNotify, counter | reg::kRecvNotifyQuietField.in(1));
        if (node.post_described_receive(me)) ++expected;
      }
      continue;
    }
    if (send == no_send) break;
    const Stream& s = **send++;
    const bool held = expected != 0;
    registers.write(reg::kSendDestination, s.peer.word());
    registers.write(reg::kSendOffset, s.place);
    registers.write(reg::kSendBytes, bytes_of(s));
    registers.write(reg::kSendStep, s.step);
    registers.write(reg::kSendTrigger, held ? counter : reg::kNoCounter);
    registers.write(reg::kSendThreshold, expected);
    if (send == no_send) {
      registers.write(reg::kSendNotify, reg::kNoCounter);
      node.join_described(me, s.peer, s.step, held, join_);
      continue;
    }
    if (receive != no_receive && (*receive)->step < (*send)->step) {
      ++counter;
      expected = 0;
    }
    registers.write(reg::kSendNotify, counter | reg::kSendNotifyQuietField.in(1));
    if (node.post_described(me, held)) ++expected;
  }
  registers.write(reg::kRecvNotify, reg::kNoCounter);
  node.reset_hold();
  return true;
}

}  // namespace annelid::firmware
