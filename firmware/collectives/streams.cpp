#include "firmware/collectives/streams.hpp"

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
  own.part = first_part;
  own.at = parts_.begin(first_part);
  std::uint32_t at = streams.count++;
  for (; at > 0 && streams.order[at - 1]->step > own.step; --at)
    streams.order[at] = streams.order[at - 1];
  streams.order[at] = &own;
}

bool StreamPlan::take(Streams& streams, PlannedMessage& message) const {
  if (streams.count == 0) return false;
  Stream& s = *streams.order[0];
  const std::uint32_t length = parts_.bytes_of(s.part), left = parts_.block - s.at;
  message.step = s.step;
  message.peer = s.peer;
  message.place = s.place + s.at;
  message.bytes = length < left ? length : left;
  message.flags = s.flags;
  message.not_before = s.not_before;
  if (s.flags != 0) {
    message.accumulator = s.accumulator + s.at;
    message.follower = s.follower + s.at;
    message.followed = s.followed + s.at;
  }
  s.at += message.bytes;
  ++s.part;
  std::uint32_t i = 0;
  if (--s.packets == 0) {
    for (--streams.count; i < streams.count; ++i) streams.order[i] = streams.order[i + 1];
    return true;
  }
  s.step += s.period;
  if (s.not_before != 0) s.not_before += s.period;
  for (; i + 1 < streams.count && streams.order[i + 1]->step < s.step; ++i)
    streams.order[i] = streams.order[i + 1];
  streams.order[i] = &s;
  return true;
}

}  // namespace annelid::firmware
