#include "systemc/fabric/timing_wheel.hpp"

#include <algorithm>
#include <bit>

namespace annelid::systemc {

void TimingWheel::take(Cycle now, std::vector<Entry>& due) {
  due.clear();
  base_ = now;
  while (!later_.empty() && later_.top().at < base_ + kSpan) {
    const Later entry = later_.top();
    later_.pop();
    add(entry.entry, entry.at);
  }
  due.swap(slots_[now % kSpan]);  // the slot inherits the empty vector's capacity
  used_[now % kSpan / 64] &= ~(std::uint64_t{1} << now % 64);
}

Cycle TimingWheel::next(Cycle from) const {
  const Cycle later = later_.empty() ? kNever : later_.top().at;
  for (Cycle at = from; at < base_ + kSpan;) {
    const std::uint64_t word = used_[at % kSpan / 64] >> at % 64;
    if (word != 0) {
      at += static_cast<Cycle>(std::countr_zero(word));
      // Beyond the span, the bit stands for a cycle before `from`, a span earlier.
      return at < base_ + kSpan ? std::min(later, at) : later;
    }
    at += 64 - at % 64;
  }
  return later;
}

}  // namespace annelid::systemc
