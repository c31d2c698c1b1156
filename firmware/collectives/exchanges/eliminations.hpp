// The rounds of a butterfly with 3-2 elimination, as one rank sees them:
// docs/internals/algorithms/by-rank.md, "Elimination butterfly".
#pragma once

#include "firmware/collectives/players/tree_schedule.hpp"

namespace annelid::firmware {

/// A message of a round: parts first .. first + size - 1, to or from a rank.
struct Move {
  struct Run {
    std::uint32_t first, size;
    [[nodiscard]] Run half(bool upper) const { return {first + (upper ? size / 2 : 0), size / 2}; }
    [[nodiscard]] std::uint32_t end() const { return first + size; }
  };
  std::uint32_t peer = kNobody;
  Run run{};
  [[nodiscard]] bool any() const { return peer != kNobody; }
};

/// Round z has p >> z groups. All of them but the last have 2^z consecutive ranks. The last group
/// gained the group before it in each round, whether by merge or by elimination. So its rank at a
/// position follows from the highest bit of the position that is 0.
class Eliminations {
 public:
  Eliminations(std::uint32_t ranks, std::uint32_t rank, std::uint32_t halvings)
      : ranks_(ranks), rank_(rank), count_(floor_log2(ranks)), halvings_(halvings), left_(count_) {
    for (std::uint32_t z = 0; z < count_; ++z) {
      if (is_odd(z) && rank_ >> z == groups(z) - 3) {
        left_ = z;
        return;
      }
      if (is_upper(z)) position_ |= std::uint32_t{1} << z;
    }
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t halvings() const { return halvings_; }
  [[nodiscard]] bool halves(std::uint32_t z) const { return z < halvings_; }
  [[nodiscard]] std::uint32_t parts() const { return std::uint32_t{1} << halvings_; }
  /// Return the last step of all rounds, and of those that halve.
  [[nodiscard]] std::uint32_t steps() const { return steps_of(count_); }
  [[nodiscard]] std::uint32_t halving_steps() const { return steps_of(halvings_); }

  /// The round in which the rank leaves; count() if it never does.
  [[nodiscard]] std::uint32_t left() const { return left_; }
  /// Whether it leaves in a round that does not halve.
  [[nodiscard]] bool leaves_whole() const { return halvings_ <= left_ && left_ < count_; }
  /// Whether any rank does so.
  [[nodiscard]] bool any_leaves_whole() const {
    return ((ranks_ ^ std::uint32_t{1} << count_) >> halvings_) != 0;
  }
  /// Whether the receive of this slot makes the partial result of all rounds.
  [[nodiscard]] bool is_last(std::uint32_t z, std::uint32_t second) const {
    return z + 1 == count_ && (!in_three(z) || second == 1);
  }

  /// Return the message of round z in its first or second step.
  [[nodiscard]] Move sent(std::uint32_t z, std::uint32_t second) const;
  [[nodiscard]] Move received(std::uint32_t z, std::uint32_t second) const;

  /// Return the message with the result from A to E of round z, which does not halve.
  [[nodiscard]] Move result_sent(std::uint32_t z) const;
  [[nodiscard]] Move result_received() const;
  /// Whether the position differs from another rank's in the lowest bits alone, by which the parts
  /// are divided, as far as that rank has a position.
  [[nodiscard]] bool has_part_for(const Eliminations& root) const {
    const std::uint32_t differ = (position_ ^ root.position_) & (bit(root.left_) - 1);
    return differ >> halvings_ == 0;
  }
  /// Return the message of a gather at the root in round z, which halves. The second step comes
  /// before the first.
  [[nodiscard]] Move gather_sent(const Eliminations& root, std::uint32_t z,
                                 std::uint32_t second) const;
  [[nodiscard]] Move gather_received(const Eliminations& root, std::uint32_t z,
                                     std::uint32_t second) const;

 private:
  static std::uint32_t bit(std::uint32_t z) { return std::uint32_t{1} << z; }
  [[nodiscard]] std::uint32_t groups(std::uint32_t z) const { return ranks_ >> z; }
  [[nodiscard]] bool is_odd(std::uint32_t z) const { return (groups(z) & 1) != 0; }
  /// The rank's group. A rank that left counts as one of the last group, which has its block.
  [[nodiscard]] std::uint32_t group(std::uint32_t z) const {
    const std::uint32_t of_rank = rank_ >> z, last = groups(z) - 1;
    return of_rank < last ? of_rank : last;
  }
  [[nodiscard]] bool is_upper(std::uint32_t z) const {
    const std::uint32_t before_last = groups(z) - 2;
    return group(z) >= before_last ? group(z) > before_last : (group(z) & 1) != 0;
  }
  [[nodiscard]] bool is_here(std::uint32_t z) const { return z < count_ && z <= left_; }
  /// Whether the rank takes part in an elimination.
  [[nodiscard]] bool in_three(std::uint32_t z) const {
    return is_odd(z) && group(z) + 3 >= groups(z);
  }
  /// Whether a merge of two is in the second step.
  [[nodiscard]] bool is_late(std::uint32_t z) const {
    return group(z) + 2 >= groups(z) && (ranks_ & (bit(z) - 1)) != 0;
  }
  [[nodiscard]] std::uint32_t steps_of(std::uint32_t rounds) const {
    return rounds + ((ranks_ & (bit(rounds) - 1)) != 0 ? 1 : 0);
  }

  /// Parts that the rank has before round z.
  [[nodiscard]] Move::Run run(std::uint32_t z) const {
    Move::Run run{0, parts()};
    for (std::uint32_t y = 0; y < z && y < halvings_; ++y)
      run = run.half((position_ & bit(y)) != 0);
    return run;
  }
  /// The rank of this position in the group that is `offset` behind the own one.
  [[nodiscard]] std::uint32_t peer(std::uint32_t z, std::uint32_t offset) const;
  /// A and B of an elimination or merge, as the rank that it is not.
  [[nodiscard]] std::uint32_t partner(std::uint32_t z) const {
    return peer(z, is_upper(z) ? ~std::uint32_t{0} : 1);
  }
  [[nodiscard]] std::uint32_t leaver(std::uint32_t z) const {
    return peer(z, is_upper(z) ? ~std::uint32_t{1} : ~std::uint32_t{0});
  }

  std::uint32_t ranks_, rank_, count_, halvings_, left_, position_ = 0;
};

}  // namespace annelid::firmware
