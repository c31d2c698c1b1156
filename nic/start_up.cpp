#include "nic/start_up.hpp"

#include <algorithm>

namespace annelid::nic {

StartUp::StartUp(Cycle alpha) : alpha_(alpha) {}

void StartUp::enter(Place send, Cycle now) { queue_.push({send, now}); }

std::optional<Place> StartUp::leave(Cycle now) {
  if (now < next()) return std::nullopt;
  assert(now == next());  // later would be a cycle that was slept through
  free_ = now + std::max<Cycle>(alpha_, 1);
  return queue_.pop().send;
}

Cycle StartUp::next() const {
  return queue_.empty() ? kNever : std::max(queue_.front().entered + alpha_, free_);
}

}  // namespace annelid::nic
