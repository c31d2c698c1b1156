#include "traffic/trace_workload.hpp"

#include <algorithm>

namespace annelid::traffic {

TraceWorkload::TraceWorkload(std::vector<TraceMessage> trace)
    : trace_(std::move(trace)),
      followers_(trace_.size()),
      waits_(trace_.size()),
      fates_(trace_.size()) {
  for (std::size_t i = 0; i < trace_.size(); ++i) {
    waits_[i] = trace_[i].after.size();
    for (const std::size_t before : trace_[i].after) followers_[before].push_back(i);
    if (waits_[i] == 0) due_.push({trace_[i].cycle, i});
  }
}

Cycle TraceWorkload::next(Cycle from) const {
  return due_.empty() ? kNever : std::max(from, due_.top().first);
}

void TraceWorkload::create(Cycle now, PacketSink& sink) {
  while (!due_.empty() && due_.top().first <= now) {
    const std::size_t place = due_.top().second;
    due_.pop();
    const TraceMessage& m = trace_[place];
    fates_[place].created = now;
    if (m.source == m.destination) {
      arrive(place, now);
    } else {
      places_[sink.send(m.source, m.destination, m.flits())] = place;
    }
  }
}

void TraceWorkload::ejected(const Packet& packet) {
  total_.add(packet.tail_ejected - packet.created);
  network_.add(packet.tail_ejected - packet.injected);
  const auto place = places_.find(packet.id);
  arrive(place->second, packet.tail_ejected);
  places_.erase(place);
}

void TraceWorkload::arrive(std::size_t place, Cycle now) {
  fates_[place].arrived = now;
  ++arrived_;
  for (const std::size_t next : followers_[place]) {
    if (--waits_[next] == 0) due_.push({std::max(trace_[next].cycle, now + 1), next});
  }
}

}  // namespace annelid::traffic
