#include "simulation/machine/host.hpp"

#include "base/random.hpp"

namespace annelid::simulation {

Host::Host(systemc::Scheduler& scheduler, const std::vector<std::unique_ptr<nic::Nic>>& nics)
    : scheduler_(scheduler), nics_(nics), handle_(scheduler.add(*this)) {}

void Host::call(const nic::Call& call, Cycle skew, std::uint64_t seed) {
  const Cycle start = scheduler_.now();
  called_.assign(nics_.size(), start);
  due_.clear();
  if (skew == 0) {
    for (const auto& nic : nics_) nic->call(call);
    return;
  }
  call_ = call;
  Random random(seed, nics_.size());
  const auto count = static_cast<std::uint32_t>(nics_.size());
  for (NodeId n = 0; n < count; ++n) {
    called_[n] = start + random.below(static_cast<std::uint32_t>(skew + 1));
  }
  const NodeId first = random.below(count);
  called_[first] = start;
  if (count > 1) called_[(first + 1 + random.below(count - 1)) % count] = start + skew;
  for (NodeId n = 0; n < count; ++n) due_.emplace(called_[n], n);
  scheduler_.wake(handle_, start);
}

Cycle Host::step(Cycle now) {
  for (auto next = due_.begin(); next != due_.end() && next->first <= now; next = due_.begin()) {
    nics_[next->second]->call(call_);
    due_.erase(next);
  }
  return due_.empty() ? kNever : due_.begin()->first;
}

}  // namespace annelid::simulation
