#include "traffic/trace_workload.hpp"

#include <algorithm>

namespace annelid::traffic {

TraceWorkload::TraceWorkload(std::vector<TraceMessage> trace,
                             const std::optional<systemc::Slab>& slab)
    : slab_(slab),
      trace_(std::move(trace)),
      followers_(trace_.size()),
      waits_(trace_.size()),
      fates_(trace_.size()) {
  for (std::size_t i = 0; i < trace_.size(); ++i) {
    waits_[i] = trace_[i].after.size();
    for (const std::size_t before : trace_[i].after) followers_[before].push_back(i);
    if (waits_[i] == 0 && is_own(trace_[i].source)) due_.push({trace_[i].cycle, i});
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
      sink.send(m.source, m.destination, m.flits(), static_cast<std::uint32_t>(place));
    }
  }
}

void TraceWorkload::ejected(const Packet& packet) {
  total_.add(packet.tail_ejected - packet.created);
  network_.add(packet.tail_ejected - packet.injected);
  arrive(packet.mark, packet.tail_ejected);
}

void TraceWorkload::arrive(std::size_t place, Cycle now) {
  fates_[place].arrived = now;
  ++arrived_;
  bool is_news = false;
  for (const std::size_t next : followers_[place]) {
    if (is_own(trace_[next].source)) {
      release(next, now + 1);
    } else {
      is_news = true;
    }
  }
  if (is_news) news_.push_back(place);
}

/// One of those that a message waits for has arrived: the last one lets it go, from a cycle on.
void TraceWorkload::release(std::size_t place, Cycle from) {
  if (--waits_[place] == 0) due_.push({std::max(trace_[place].cycle, from), place});
}

// ---- One of several processes -------------------------------------------------------------------

void TraceWorkload::share_news(Exchange& exchange, Cycle now) {
  for (const std::uint64_t place : gathered_everywhere(exchange, news_)) {
    if (is_own(trace_[place].destination)) continue;  // known since it arrived
    for (const std::size_t next : followers_[place]) {
      if (is_own(trace_[next].source)) release(next, now);
    }
  }
  news_.clear();
}

void TraceWorkload::merge(Exchange& exchange) {
  std::vector<std::uint64_t> cycles;
  for (const Fate& fate : fates_) cycles.insert(cycles.end(), {fate.created, fate.arrived});
  exchange.least(cycles);
  for (std::size_t i = 0; i < fates_.size(); ++i) fates_[i] = {cycles[2 * i], cycles[2 * i + 1]};
  arrived_ = static_cast<std::size_t>(
      std::ranges::count_if(fates_, [](const Fate& fate) { return fate.arrived != kNever; }));
  total_.merge(exchange);
  network_.merge(exchange);
}

}  // namespace annelid::traffic
