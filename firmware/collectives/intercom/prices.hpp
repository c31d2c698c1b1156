// What the choice of a hybrid counts for its stages: docs/internals/algorithms/intercom.md,
// "Choosing".
#pragma once

#include <array>
#include <cstdint>

#include "firmware/collectives/intercom/divisors.hpp"
#include "firmware/platform/call.hpp"

namespace annelid::firmware::intercom {

// The times of both kinds of firmware, in cycles. A word of 8 bytes takes one cycle (beta). The NIC
// combines messages as they come, so gamma is 0.

/// What the firmware takes on the core.
struct CoreTimes {
  /// Whether a call waits for the choice: then what is usual is chosen fast.
  static constexpr bool kHurries = true;
  /// Start-ups of a step: towards the leaves of a tree, towards its root, along a ring.
  static constexpr std::uint32_t kDown = 850, kUp = 1500, kBucket = 1400;
  /// What a step takes besides its words, and what a further stage takes.
  static constexpr std::uint32_t kBesides = 250, kStage = 600;
  /// What the blocks' short algorithm takes more: they are put in order.
  static constexpr std::uint32_t kOrder = 1500;
  /// Another hybrid than the short one has to win more than choosing takes.
  static constexpr std::uint32_t kWorthChoosing = 4000;
};

/// What the firmware takes on the host and in a prepared call, where nothing but the NIC takes
/// time.
struct HostTimes {
  static constexpr bool kHurries = false;
  static constexpr std::uint32_t kDown = 20, kUp = 20, kBucket = 20;
  static constexpr std::uint32_t kBesides = 12, kStage = 0, kOrder = 0, kWorthChoosing = 0;
};

/// A step whose busiest channel carries so many words. The core works while they travel.
template <typename Times>
constexpr std::uint32_t step(std::uint32_t start_up, std::uint32_t words) {
  return words + Times::kBesides > start_up ? words + Times::kBesides : start_up;
}

/// An MST scatter or gather of so many steps: half of the words, a quarter, and so on.
template <typename Times>
inline std::uint32_t halving(std::uint32_t start_up, std::uint32_t words, std::uint32_t steps) {
  std::uint32_t cycles = 0;
  for (words >>= 1; steps > 0 && words + Times::kBesides > start_up; words >>= 1, --steps)
    cycles += words + Times::kBesides;
  return cycles + steps * start_up;
}

/// How an operation works on a vector.
template <typename Times>
struct OnVector {
  explicit OnVector(reg::Operation operation)
      : tree(operation == reg::Operation::kReduce ? Times::kUp : Times::kDown),
        all(operation == reg::Operation::kAllReduce) {}
  std::uint32_t tree;  ///< start-up of the tree's steps, or of the faster tree's
  bool all;            ///< an all-reduce: one more tree, and rings in the place of long ones

  /// A step of the short vector algorithm, or one of each tree.
  [[nodiscard]] std::uint32_t short_step(std::uint32_t words) const {
    return step<Times>(tree, words) + (all ? step<Times>(Times::kUp, words) : 0);
  }
  [[nodiscard]] std::uint32_t ring_step(std::uint32_t words) const {
    return step<Times>(Times::kBucket, words) << (all ? 1 : 0);
  }
  /// Whether the short vector algorithm is the fastest one: start-ups are all that its steps take,
  /// and a long one has as many in its tree or, of an all-reduce, more in its rings.
  [[nodiscard]] bool is_short_best(std::uint32_t words) const {
    return words + Times::kBesides <= tree;
  }
};

/// Returns no more than any hybrid for blocks takes on so many ranks: what the fastest one takes
/// if start-ups are all that its steps take. For each doubling of the ranks that is at least what a
/// dimension of two takes.
inline constexpr std::uint32_t kListedStartUps = 64;
template <typename Times>
inline constexpr auto kStartUps = [] {
  std::array<std::uint16_t, kListedStartUps + 1> cycles{};
  for (std::uint32_t ranks = 2; ranks <= kListedStartUps; ++ranks) {
    std::uint32_t best = Times::kOrder + kLogarithm[ranks] * (Times::kDown + Times::kUp);
    for (std::uint32_t d = 2; d <= ranks; ++d) {
      const std::uint32_t stage = Times::kStage + (d - 1) * Times::kBucket;
      if (ranks % d == 0 && stage + cycles[ranks / d] < best) best = stage + cycles[ranks / d];
    }
    cycles[ranks] = static_cast<std::uint16_t>(best);
  }
  return cycles;
}();
template <typename Times>
inline std::uint32_t start_ups(std::uint32_t ranks) {
  if (ranks <= kListedStartUps) return kStartUps<Times>[ranks];
  return (log_up(ranks + 1) - 1) * (Times::kStage + Times::kBucket);
}

// The prices in an extent. `left` numbers the divisor that is the number of members left to a
// dimension and all behind it, `d` that of the dimension's, and `then` that of those behind it. A
// dimension takes rings() and tree(). least(d) is at most that. bound(then) is at most what the
// members behind take. With is_short_best(), no dimension need be tried. With kAllLeft, short_at()
// is called for each `left`, in ascending order, and there is no tree() and no bound().

/// A vector, near dimensions first: a stage of stride s has s messages on a channel of its extent,
/// each of the vector divided by s. So a size's two stages take the same time wherever they are in
/// the extent, but for rings in a crowd, which take twice as long for their words: a packet waits
/// for the one before it, and that one for its own. `line`: there is one extent.
template <typename Times, typename D>
class NearFirst {
 public:
  static constexpr bool kAllLeft = true;

  NearFirst(bool line, OnVector<Times> on, const D& divisors, std::uint32_t farther,
            std::uint32_t vector)
      : line_(line),
        on_(on),
        divisors_(divisors),
        farther_(farther),
        farther_log_(log_up(farther)),
        vector_(vector),
        whole_(on.short_step(vector)),
        half_(vector) {}

  std::uint32_t short_at(std::uint32_t left) {
    const std::uint32_t size = divisors_[left], log = divisors_.log(left);
    for (; steps_ < log; ++steps_) tree_ += step<Times>(on_.tree, half_ >>= 1);
    long_[left] = 2 * Times::kStage +
                  (size - 1) * on_.ring_step(divisors_.quotient(vector_, left)) +
                  (on_.all ? 0 : tree_);
    std::uint32_t cycles = log * whole_;
    if (farther_ != 1) {
      const std::uint32_t all = D::kPowers ? farther_log_ + log : log_up(size * farther_);
      cycles += (all - log) * on_.short_step(divisors_.opposite(vector_, left));
    }
    return cycles;
  }
  [[nodiscard]] bool is_short_best(std::uint32_t) const { return false; }
  [[nodiscard]] std::uint32_t least(std::uint32_t d) const { return long_[d]; }
  [[nodiscard]] std::uint32_t rings(std::uint32_t left, std::uint32_t d, std::uint32_t) const {
    return is_crowd(left, d) ? long_[d] + crowd(d) : long_[d];
  }

 private:
  /// On a line, any stride; else three lines of three members or more.
  [[nodiscard]] bool is_crowd(std::uint32_t left, std::uint32_t d) const {
    if (line_) return left != divisors_.last();
    return divisors_[d] > 2 && divisors_[divisors_.last() - left] > 2;
  }
  /// What the rings of a crowd take more.
  [[nodiscard]] std::uint32_t crowd(std::uint32_t d) const {
    const std::uint32_t words = divisors_.quotient(vector_, d);
    return (divisors_[d] - 1) * (on_.ring_step(2 * words) - on_.ring_step(words));
  }

  const bool line_;
  const OnVector<Times> on_;
  const D& divisors_;
  const std::uint32_t farther_, farther_log_, vector_, whole_;
  std::uint32_t half_, steps_ = 0, tree_ = 0;  // the tree of the longest dimension so far
  std::array<std::uint32_t, Divisors::kMost> long_;
};

/// A vector on a line, far dimensions first: trees share no channel, and in rings of stride s as
/// many messages do as the stride counts. More than two take twice as long. A share is what a
/// member has before a dimension.
template <typename Times, typename D>
class FarFirst {
 public:
  static constexpr bool kAllLeft = false;

  FarFirst(OnVector<Times> on, const D& divisors, std::uint32_t vector)
      : on_(on),
        divisors_(divisors),
        vector_(vector),
        least_ring_(on.ring_step(0)),
        least_step_(on.short_step(0)) {}

  [[nodiscard]] std::uint32_t short_at(std::uint32_t left) const {
    return is_pair(left) ? kNever : divisors_.log(left) * on_.short_step(share(left));
  }
  [[nodiscard]] bool is_short_best(std::uint32_t left) const {
    return !is_pair(left) && on_.is_short_best(share(left));
  }
  [[nodiscard]] std::uint32_t least(std::uint32_t d) const {
    return 2 * Times::kStage + (divisors_[d] - 1) * least_ring_;
  }
  [[nodiscard]] std::uint32_t rings(std::uint32_t, std::uint32_t d, std::uint32_t then) const {
    const std::uint32_t lines = divisors_[then], words = share(then) * lines << (lines > 2 ? 1 : 0);
    return 2 * Times::kStage + (divisors_[d] - 1) * on_.ring_step(words);
  }
  [[nodiscard]] std::uint32_t tree(std::uint32_t left, std::uint32_t d) const {
    return on_.all ? 0 : halving<Times>(on_.tree, share(left), divisors_.log(d));
  }
  [[nodiscard]] std::uint32_t bound(std::uint32_t then) const {
    return divisors_.log(then) * least_step_;
  }

 private:
  static constexpr std::uint32_t kNever = 1U << 30;

  /// Two ranks between the rings of an all-reduce. The short algorithm would put the two lines of
  /// the rings behind it out of step.
  [[nodiscard]] bool is_pair(std::uint32_t left) const {
    return on_.all && divisors_[left] == 2 && left != divisors_.last();
  }
  [[nodiscard]] std::uint32_t share(std::uint32_t left) const {
    return divisors_.opposite(vector_, left);
  }

  const OnVector<Times> on_;
  const D& divisors_;
  const std::uint32_t vector_, least_ring_, least_step_;
};

/// Blocks, far dimensions first, so that they need no other order. A message of stride s has s
/// blocks, and contends with as many as the stride counts in its extent.
template <typename Times, typename D>
class Blocks {
 public:
  static constexpr bool kAllLeft = false;

  /// `near_words`: of the blocks of all nearer ranks.
  Blocks(bool gathers, const D& divisors, std::uint32_t nearer, std::uint32_t near_words)
      : halved_(gathers ? Times::kUp : Times::kDown),
        whole_(gathers ? Times::kDown : Times::kUp),
        divisors_(divisors),
        nearer_(nearer),
        near_words_(near_words) {}

  [[nodiscard]] std::uint32_t short_at(std::uint32_t left) const {
    const std::uint32_t size = divisors_[left], steps = log_up(nearer_ * size);
    const std::uint32_t words = near_words_ * size;
    return Times::kOrder + steps * step<Times>(whole_, words) +
           halving<Times>(halved_, words, steps);
  }
  [[nodiscard]] bool is_short_best(std::uint32_t) const { return false; }
  [[nodiscard]] std::uint32_t least(std::uint32_t d) const {
    return Times::kStage + (divisors_[d] - 1) * Times::kBucket;
  }
  [[nodiscard]] std::uint32_t rings(std::uint32_t, std::uint32_t d, std::uint32_t then) const {
    const std::uint32_t lines = divisors_[then];
    return Times::kStage +
           (divisors_[d] - 1) * step<Times>(Times::kBucket, near_words_ * lines * lines);
  }
  [[nodiscard]] std::uint32_t tree(std::uint32_t, std::uint32_t) const { return 0; }
  [[nodiscard]] std::uint32_t bound(std::uint32_t then) const {
    return start_ups<Times>(nearer_ * divisors_[then]);
  }

 private:
  const std::uint32_t halved_, whole_;  // start-ups of the steps of both trees
  const D& divisors_;
  const std::uint32_t nearer_, near_words_;
};

}  // namespace annelid::firmware::intercom
