#include "firmware/collectives/players/streams.hpp"

namespace annelid::firmware {

PartSizes::PartSizes(std::uint32_t bytes, std::uint32_t parts) : block(bytes) {
  const std::uint32_t all = (bytes + 7) / 8;
  words = parts == 1 ? all : all / parts;
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

}  // namespace annelid::firmware
