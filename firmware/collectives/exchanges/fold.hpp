// Folds the ranks to a power of two, for algorithms that exchange in pairs:
// docs/internals/algorithms/by-rank.md, "Butterfly".
#pragma once

#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware {

/// Among the p ranks, 2^k are *paired processes*, where 2^k <= p is the largest power of two. Of
/// the first 2e ranks, e = p - 2^k, the odd ones give their blocks to the even ones below them in
/// step 1.
class Fold {
 public:
  explicit Fold(const Ranked& self)
      : self_(self),
        rank_(self.ranks().own()),
        log_(floor_log2(self.size())),
        extra_(self.size() - (std::uint32_t{1} << log_)) {}

  [[nodiscard]] std::uint32_t log_processes() const { return log_; }
  [[nodiscard]] std::uint32_t processes() const { return std::uint32_t{1} << log_; }
  /// Steps before the first exchange: 0 or 1.
  [[nodiscard]] std::uint32_t before() const { return extra_ > 0 ? 1 : 0; }
  [[nodiscard]] bool left_out() const { return left_out(rank_); }
  /// Whether this process has received a neighbour's block.
  [[nodiscard]] bool has_neighbour() const { return rank_ < 2 * extra_ && rank_ % 2 == 0; }
  [[nodiscard]] Address neighbour() const { return self_.ranks().address(rank_ ^ 1); }
  /// Return the number of this paired process, and the address of another one.
  [[nodiscard]] std::uint32_t process() const { return process(rank_); }
  [[nodiscard]] Address address(std::uint32_t process) const {
    return self_.ranks().address(process < extra_ ? 2 * process : process + extra_);
  }
  /// Return the paired process that is the root or acts for it, and whether that process must send
  /// the result to the root at the end.
  [[nodiscard]] std::uint32_t root_process() const { return process(self_.root()); }
  [[nodiscard]] bool root_left_out() const { return left_out(self_.root()); }

 private:
  [[nodiscard]] bool left_out(std::uint32_t rank) const {
    return rank < 2 * extra_ && rank % 2 != 0;
  }
  [[nodiscard]] std::uint32_t process(std::uint32_t rank) const {
    return rank < 2 * extra_ ? rank / 2 : rank - extra_;
  }

  const Ranked& self_;
  std::uint32_t rank_, log_, extra_;
};

/// The steps that an all-reduction or a reduction adds before and after the exchanges.
class FoldedPlan {
 public:
  /// The paired processes exchange along each bit of their numbers, `passes` times.
  FoldedPlan(const Call& call, const Ranked& self, std::uint32_t passes)
      : call_(call),
        fold_(self),
        all_(call.operation() == reg::Operation::kAllReduce),
        is_root_(self.ranks().own() == self.root()),
        last_(fold_.before() + passes * fold_.log_processes() + 1),
        send_(fold_.left_out() ? 1 : fold_.before() + 1),
        receive_(fold_.left_out()        ? last_
                 : fold_.has_neighbour() ? 1
                                         : fold_.before() + 1) {}

 protected:
  /// Returns the distance between the numbers of two processes that exchange in a step of the first
  /// pass.
  [[nodiscard]] std::uint32_t distance(std::uint32_t step) const {
    return std::uint32_t{1} << (step - fold_.before() - 1);
  }
  /// Whether this process has the result at TARGET at the end.
  [[nodiscard]] bool has_result() const { return all_ || is_root_; }
  /// A process that was left out gets the result in the last step, from its neighbour.
  [[nodiscard]] bool result_comes() const { return fold_.left_out() && has_result(); }
  [[nodiscard]] bool result_goes() const {
    if (!fold_.has_neighbour()) return false;
    return all_ || (fold_.root_left_out() && fold_.process() == fold_.root_process());
  }
  void give_block(PlannedMessage& m) const {
    set(m, 1, fold_.neighbour(), {call_.source(), call_.bytes()});
  }

  const Call& call_;
  Fold fold_;
  bool all_, is_root_;
  std::uint32_t last_;            // the step after all exchanges
  std::uint32_t send_, receive_;  // the steps of the next ones
};

}  // namespace annelid::firmware
