#include "firmware/collectives/intercom/minimum_spanning_tree.hpp"

namespace annelid::firmware::intercom {

bool MinimumSpanningTree::go_to(std::uint32_t step) {
  if (step < step_) start();
  for (; step_ < step; ++step_) takes_part_ = cut();
  return takes_part_;
}

bool MinimumSpanningTree::cut() {
  if (segment_.size() < 2) return false;
  // The holder keeps the longer part.
  const std::uint32_t longer = (segment_.size() + 1) / 2;
  Segment kept = segment_;
  part_ = segment_;
  from_ = holder_;
  if (holder_ < segment_.first + longer) {
    kept.end = part_.first = to_ = segment_.first + longer;
  } else {
    kept.first = part_.end = segment_.end - longer;
    to_ = kept.first - 1;
  }
  const bool is_kept = own_ >= kept.first && own_ < kept.end;
  segment_ = is_kept ? kept : part_;
  if (!is_kept) holder_ = to_;
  return own_ == from_ || own_ == to_;
}

}  // namespace annelid::firmware::intercom
