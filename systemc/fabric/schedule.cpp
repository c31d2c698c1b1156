#include "systemc/fabric/schedule.hpp"

#include <algorithm>

namespace annelid::systemc {

int Schedule::add(Clocked& component, Cycle now) {
  const int handle = static_cast<int>(components_.size());
  components_.push_back(&component);
  all_ignore_time_ &= component.ignores_time();
  own_due_.push_back(kNever);
  for (ActivitySet& due : due_) due.resize(components_.size());
  ask_for(static_cast<std::size_t>(handle), now, now);
  return handle;
}

void Schedule::plan(TimingWheel::Entry entry, Cycle at, Cycle now) {
  if (at > now + 1) last_plan_ = std::max(last_plan_, at);
  wheel_.add(entry, at);
}

}  // namespace annelid::systemc
