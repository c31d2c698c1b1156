// Broadcast by a binomial scatter and a ring: docs/internals/algorithms/by-rank.md,
// "Scatter-allgather".
#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware::scatter_allgather {
namespace {

class ScatterRingPlan : public PlanOf<ScatterRingPlan> {
 public:
  ScatterRingPlan(const Call& call, const Ranked& self)
      : offset_(call.source()),
        self_(self),
        size_(self.size()),
        own_(self.relative()),
        steps_(ceil_log2(size_)),
        height_(own_ == 0 ? steps_ : floor_log2(InOrderTree::span(own_))),
        parts_(call.bytes(), size_),
        scatter_(steps_ - height_ + 1),
        next_(self.address(own_ + 1 < size_ ? own_ + 1 : 0)),
        previous_(self.address(before(1))) {
    last_reused = steps_;
    two_rounds = true;
  }

  bool send(PlannedMessage& m) {
    while (scatter_ <= steps_) {
      const std::uint32_t step = scatter_++, to = own_ + distance(step);
      if (to >= size_) continue;
      set(m, step, self_.address(to), subtree(to, distance(step)));
      return true;
    }
    if (send_ == size_) return false;
    const std::uint32_t part = before(send_ - 1);
    set(m, steps_ + send_, next_, parts_.run(offset_, part, part + 1));
    ++send_;
    return true;
  }
  bool receive(PlannedMessage& m) {
    if (receive_ == 0 && own_ != 0) {
      const std::uint32_t step = steps_ - height_;
      set(m, step, self_.address(own_ - distance(step)), subtree(own_, distance(step)));
      receive_ = 1;
      return true;
    }
    if (receive_ == 0) receive_ = 1;
    if (receive_ == size_) return false;
    const std::uint32_t part = before(receive_);
    set(m, steps_ + receive_, previous_, parts_.run(offset_, part, part + 1));
    m.not_before = steps_;  // it may be a part that was scattered on
    ++receive_;
    return true;
  }

 private:
  [[nodiscard]] std::uint32_t distance(std::uint32_t step) const { return 1U << (steps_ - step); }
  [[nodiscard]] std::uint32_t before(std::uint32_t i) const {
    return i <= own_ ? own_ - i : own_ + size_ - i;
  }
  [[nodiscard]] Buffer subtree(std::uint32_t top, std::uint32_t size) const {
    return parts_.run(offset_, top, top + size < size_ ? top + size : size_);
  }

  std::uint32_t offset_;
  const Ranked& self_;
  std::uint32_t size_, own_, steps_, height_;
  PartSizes parts_;
  std::uint32_t scatter_, send_ = 1, receive_ = 0;  // steps; those of the ring from 1 on
  Address next_, previous_;
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kAnyParameter, true); }

Task run(Context& me) { return play_part<ScatterRingPlan>(me); }

}  // namespace annelid::firmware::scatter_allgather
