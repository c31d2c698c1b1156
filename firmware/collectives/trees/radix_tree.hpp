// The tree of a scatter or gather by radix: docs/internals/algorithms/trade-offs.md, "Radix:
// scatter and gather".
#pragma once

#include <cstdint>

namespace annelid::firmware {

/// A process's edges. Processes are relative ranks, written in the radix. The parent of a process
/// differs from it in one digit, the lowest one that is not 0: the parent has 0 there.
class RadixTree {
 public:
  struct Edge {
    std::uint32_t step = 0;     ///< of the scatter, or of the gather
    std::uint32_t process = 0;  ///< the other end
    std::uint32_t blocks = 0;   ///< those of the child and of the next processes after it
  };

  RadixTree(std::uint32_t size, std::uint32_t radix, std::uint32_t own, bool gathers)
      : size_(size), radix_(radix < size ? radix : size), own_(own), gathers_(gathers) {
    const std::uint32_t limit = quotient(size - 1, radix_);
    for (; top_ <= limit; top_ *= radix_) steps_ += radix_ - 1;
    top_steps_ = quotient(size - 1, top_);
    steps_ += top_steps_;
    find_parent();
    if (gathers_) {
      enter(1, steps_ - steps_in(1));
      digit_ = most_ + 1;
    }
  }

  [[nodiscard]] std::uint32_t own() const { return own_; }
  /// The edge to the parent of a process that is not the root.
  [[nodiscard]] const Edge& parent() const { return parent_; }
  /// Returns how many blocks the process has for itself and those below it.
  [[nodiscard]] std::uint32_t blocks() const { return own_ == 0 ? size_ : parent_.blocks; }
  /// Returns the edge from the root to its child that is, or has below it, a process that is not
  /// the root.
  [[nodiscard]] Edge root_edge_towards(std::uint32_t process) const {
    std::uint32_t weight = top_, before = 0;
    for (; process < weight; weight = below(weight)) before += steps_in(weight);
    const std::uint32_t digit = quotient(process, weight);
    return edge_to(digit * weight, before + digit, weight);
  }
  /// Sets `edge` to the next child's, in the order of the steps. Returns false if there are no
  /// more.
  bool next_child(Edge& edge) {
    if (highest_ == 0) return false;
    if (gathers_) {
      for (; digit_ == 1; digit_ = most_ + 1) {
        if (weight_ == highest_) return false;
        const std::uint32_t weight = weight_ * radix_;
        enter(weight, before_ - steps_in(weight));
      }
      --digit_;
    } else {
      for (; digit_ == most_; digit_ = 0) {
        if (weight_ == 1) return false;
        enter(below(weight_), before_ + steps_in(weight_));
      }
      ++digit_;
    }
    edge = edge_to(own_ + digit_ * weight_, before_ + digit_, weight_);
    return true;
  }

 private:
  /// Finds the parent, and the places in which the process has children.
  void find_parent() {
    std::uint32_t weight = top_, before = 0;
    for (std::uint32_t rest = own_; rest != 0; weight = below(weight)) {
      const std::uint32_t digit = quotient(rest, weight);
      rest -= digit * weight;
      if (rest == 0) {
        parent_ = edge_to(own_, before + digit, weight);
        parent_.process = own_ - digit * weight;
      }
      before += steps_in(weight);
    }
    highest_ = weight;
    if (weight != 0) enter(weight, before);
  }
  /// Goes to a place, by its weight and the scatter's steps before it.
  void enter(std::uint32_t weight, std::uint32_t before) {
    const std::uint32_t above = size_ - 1 - own_;
    weight_ = weight;
    before_ = before;
    // In the top place the root alone has children.
    most_ = weight == top_                   ? top_steps_
            : (radix_ - 1) * weight <= above ? radix_ - 1
                                             : quotient(above, weight);
  }
  /// The core's divider takes 34 cycles, and most quotients are 0 or 1.
  static std::uint32_t quotient(std::uint32_t n, std::uint32_t d) {
    return n < d ? 0 : n - d < d ? 1 : n / d;
  }
  /// Returns the weight of the next lower place; 0: there is none.
  [[nodiscard]] std::uint32_t below(std::uint32_t weight) const {
    return radix_ == 2 ? weight >> 1 : quotient(weight, radix_);
  }
  [[nodiscard]] std::uint32_t steps_in(std::uint32_t weight) const {
    return weight == top_ ? top_steps_ : radix_ - 1;
  }
  [[nodiscard]] Edge edge_to(std::uint32_t child, std::uint32_t step, std::uint32_t weight) const {
    const std::uint32_t to_end = size_ - child;
    return {gathers_ ? steps_ + 1 - step : step, child, weight < to_end ? weight : to_end};
  }

  std::uint32_t size_, radix_, own_;
  bool gathers_;
  std::uint32_t top_ = 1, top_steps_ = 0, steps_ = 0;  // weight and steps of the top place; of all
  std::uint32_t highest_ = 0;  // weight of the highest place with children; 0: it has none
  Edge parent_;
  // The place of the next child, and the last child's digit.
  std::uint32_t weight_ = 1, before_ = 0, most_ = 0, digit_ = 0;
};

}  // namespace annelid::firmware
