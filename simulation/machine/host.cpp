#include "simulation/machine/host.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"

namespace annelid::simulation {

Host::Host(systemc::Scheduler& scheduler, const std::vector<std::unique_ptr<nic::Nic>>& nics)
    : scheduler_(scheduler), nics_(nics), handle_(scheduler.add(*this)) {}

void Host::call(std::vector<HostCall> calls) {
  const Cycle start = scheduler_.now();
  calls_ = std::move(calls);
  first_ticket_.resize(nics_.size());
  for (NodeId node = 0; node < tickets_.size(); ++node) {
    first_ticket_[node] = static_cast<std::uint16_t>(first_ticket_[node] + tickets_[node].size());
  }
  tickets_.assign(nics_.size(), {});
  called_.assign(calls_.size(), std::vector<Cycle>(nics_.size(), kNever));
  delays_.assign(calls_.size(), {});
  waits_.assign(calls_.size(), {});
  waiters_.assign(calls_.size(), {});
  due_.clear();
  expected_ = 0;
  for (std::size_t call = 0; call < calls_.size(); ++call) {
    const HostCall& c = calls_[call];
    expected_ += static_cast<std::size_t>(
        std::ranges::count_if(c.nodes, [this](NodeId node) { return nics_[node] != nullptr; }));
    if (c.skew > 0) draw_delays(call);
    if (!c.after.empty()) {
      waits_[call].assign(c.nodes.size(), 0);
      for (const std::size_t before : c.after) {
        waiters_[before].push_back(call);
        for (std::size_t place = 0; place < c.nodes.size(); ++place) {
          const auto& others = calls_[before].nodes;
          if (std::ranges::binary_search(others, c.nodes[place])) ++waits_[call][place];
        }
      }
    }
    for (std::size_t place = 0; place < c.nodes.size(); ++place) {
      if (waits_[call].empty() || waits_[call][place] == 0) plan(call, place, start);
    }
  }
  if (const Cycle next = step(start); next != kNever) scheduler_.wake(handle_, next);
}

void Host::attend(bool attends) {
  attends_ = attends;
  if (attends) scheduler_.wake(handle_, scheduler_.now());
}

void Host::draw_delays(std::size_t call) {
  const HostCall& c = calls_[call];
  std::vector<Cycle>& delays = delays_[call];
  Random random(c.seed, nics_.size());
  const auto count = static_cast<std::uint32_t>(c.nodes.size());
  for (std::uint32_t n = 0; n < count; ++n) {
    delays.push_back(random.below(static_cast<std::uint32_t>(c.skew + 1)));
  }
  const std::uint32_t first = random.below(count);
  delays[first] = 0;
  if (count > 1) delays[(first + 1 + random.below(count - 1)) % count] = c.skew;
}

/// `cycle`: the first one that is possible.
void Host::plan(std::size_t call, std::size_t place, Cycle cycle) {
  const HostCall& c = calls_[call];
  if (nics_[c.nodes[place]] == nullptr) return;
  const Cycle delay = delays_[call].empty() ? 0 : delays_[call][place];
  const Cycle at = cycle + c.start + delay;
  called_[call][c.nodes[place]] = at;
  due_.emplace(at, Due{call, place});
}

void Host::post(const Due& due) {
  const HostCall& c = calls_[due.call];
  const NodeId node = c.nodes[due.place];
  tickets_[node].push_back(static_cast<std::uint32_t>(due.call));
  nics_[node]->call(words(due.call, node));
}

const nic::Call& Host::words(std::size_t call, NodeId node) const {
  const HostCall& c = calls_[call];
  if (c.calls.empty()) return c.call;
  const auto place = std::ranges::lower_bound(c.nodes, node) - c.nodes.begin();
  return c.calls[static_cast<std::size_t>(place)];
}

void Host::ended(Cycle now, NodeId node, std::uint16_t ticket) {
  const auto wake_at = due_.empty() ? kNever : due_.begin()->first;
  for (const std::size_t call : waiters_[call_of(node, ticket)]) {
    const auto& nodes = calls_[call].nodes;
    const auto found = std::ranges::lower_bound(nodes, node);
    if (found == nodes.end() || *found != node) continue;
    const auto place = static_cast<std::size_t>(found - nodes.begin());
    if (--waits_[call][place] == 0) plan(call, place, now + 1);
  }
  if (!due_.empty() && due_.begin()->first < wake_at) {
    scheduler_.wake(handle_, due_.begin()->first);
  }
}

void Host::gather(Exchange& exchange, NodeId first, NodeId end) {
  for (std::vector<Cycle>& called : called_) gather_parts(exchange, called, first, end);
}

std::size_t Host::call_of(NodeId node, std::uint16_t ticket) const {
  return tickets_[node][static_cast<std::uint16_t>(ticket - first_ticket_[node])];
}

Cycle Host::step(Cycle now) {
  bool full = false;
  for (auto next = due_.begin(); next != due_.end() && next->first <= now;) {
    const Due due = next->second;
    const NodeId node = calls_[due.call].nodes[due.place];
    if (nics_[node]->calls_full()) {
      full = true;
      ++next;
      continue;
    }
    called_[due.call][node] = now;
    post(due);
    next = due_.erase(next);
  }
  if (full || attends_) return now + 1;
  return due_.empty() ? kNever : due_.begin()->first;
}

}  // namespace annelid::simulation
