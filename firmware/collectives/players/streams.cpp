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
  Stream& s = **streams.first;
  std::uint32_t bytes = 8 * parts_.words;
  if (s.longer != 0) bytes += 8;
  if (bytes > s.left) bytes = s.left;
  const std::uint32_t step = s.step;
  message.bytes = bytes;
  message.peer = s.peer;
  message.place = s.place;
  message.flags = s.flags;
  message.not_before = stepwise_ ? step - 1 : s.not_before;
  message.step = step;
  if (s.flags != 0) {
    message.operand = s.operand;
    message.target = s.target;
    message.also_operand = s.also_operand;
    message.also_target = s.also_target;
  }
  if (--s.packets == 0) {
    --streams.count;
    ++streams.first;
    return true;
  }
  if (s.longer != 0) --s.longer;
  s.left -= bytes;
  s.place += bytes;
  if (s.flags != 0) {
    s.operand += bytes;
    s.target += bytes;
    s.also_operand += bytes;
    s.also_target += bytes;
  }
  if (s.not_before != 0) s.not_before += s.period;
  const std::uint32_t next = step + s.period;
  s.step = next;
  Stream** at = streams.first;
  for (Stream** const last = at + streams.count - 1; at != last && at[1]->step < next; ++at)
    at[0] = at[1];
  *at = &s;
  return true;
}

}  // namespace annelid::firmware
