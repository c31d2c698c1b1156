#include "firmware/collectives/players/streams.hpp"

namespace annelid::firmware {

PartSizes::PartSizes(std::uint32_t bytes, std::uint32_t parts) : block(bytes) {
  const std::uint32_t all = (bytes + 7) / 8;
  words = parts == 1 ? all : all / parts;
  longer = all - words * parts;
}

void StreamPlan::add(Streams& streams, const Stream& stream, std::uint32_t first_part) {
  if (streams.count == kMost) stop("a plan has more streams than it has room for");
  Stream& own = streams.stream[streams.count];
  own = stream;
  own.packets = packets_;
  own.longer = first_part < parts_.longer ? parts_.longer - first_part : 0;
  const std::uint32_t begin = parts_.begin(first_part);
  own.left = parts_.block - begin;
  own.place += begin;
  own.operand += begin;
  own.target += begin;
  own.also_operand += begin;
  own.also_target += begin;
  std::uint32_t at = streams.count++;
  for (; at > 0 && streams.order[at - 1]->step > own.step; --at)
    streams.order[at] = streams.order[at - 1];
  streams.order[at] = &own;
}

bool StreamPlan::take(Streams& streams, PlannedMessage& message) const {
  if (streams.count == 0) return false;
  Stream& s = *streams.order[0];
  std::uint32_t bytes = 8 * parts_.words;
  if (s.longer != 0) {
    --s.longer;
    bytes += 8;
  }
  if (bytes > s.left) bytes = s.left;
  s.left -= bytes;
  message.bytes = bytes;
  message.peer = s.peer;
  message.place = s.place;
  s.place += bytes;
  message.flags = s.flags;
  message.not_before = stepwise_ ? s.step - 1 : s.not_before;
  if (s.flags != 0) {
    message.operand = s.operand;
    message.target = s.target;
    message.also_operand = s.also_operand;
    message.also_target = s.also_target;
    s.operand += bytes;
    s.target += bytes;
    s.also_operand += bytes;
    s.also_target += bytes;
  }
  if (s.not_before != 0) s.not_before += s.period;
  const std::uint32_t step = s.step;
  message.step = step;
  if (--s.packets == 0) {
    --streams.count;
    for (std::uint32_t i = 0; i < streams.count; ++i) streams.order[i] = streams.order[i + 1];
    return true;
  }
  const std::uint32_t next = step + s.period;
  s.step = next;
  Stream** at = streams.order;
  for (Stream** const last = at + streams.count - 1; at != last && at[1]->step < next; ++at)
    at[0] = at[1];
  *at = &s;
  return true;
}

}  // namespace annelid::firmware
