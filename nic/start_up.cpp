#include "nic/start_up.hpp"

#include <algorithm>

namespace annelid::nic {

StartUp::StartUp(Cycle alpha) : alpha_(alpha) {}

void StartUp::enter(Place send, bool to_itself, Cycle now) {
  queue_.push({send, now, to_itself ? 0 : alpha_});
}

std::optional<Place> StartUp::leave(Cycle now) {
  if (now < next()) return std::nullopt;
  assert(now == next());  // later would be a cycle that was slept through
  last_ = now;
  return queue_.pop().send;
}

Cycle StartUp::next_of(const Entry& first) const {
  const Cycle own = first.entered + first.alpha;
  return last_ == kNever ? own : std::max(own, last_ + std::max<Cycle>(first.alpha, 1));
}

}  // namespace annelid::nic
