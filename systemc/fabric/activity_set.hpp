// A set of small numbers, whose operations cost time proportional to its elements, not to its
// range. The fabric uses it for the components that it steps in a cycle.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace annelid::systemc {

/// Two levels of bits: one for each number, and one for each word of them that is not 0.
class ActivitySet {
 public:
  /// Gives the set the range 0 .. size - 1.
  void resize(std::size_t size) {
    words_.resize((size + 63) / 64);
    used_.resize((words_.size() + 63) / 64);
  }
  void add(std::size_t number) { add_all(number / 64, std::uint64_t{1} << number % 64); }
  [[nodiscard]] bool empty() const {
    for (const std::uint64_t used : used_) {
      if (used != 0) return false;
    }
    return true;
  }

  /// Calls f(number) for each number, in ascending order.
  template <typename F>
  void for_each(F f) const {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
        f(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
      }
    }
  }
  /// Empties the set, and calls f(number) for each number that was in it, in ascending order, or in
  /// descending order if `reversed`. Where f returns true, it adds the number to `next`. `f` must
  /// not add to this set.
  template <typename F>
  void take(bool reversed, ActivitySet& next, F f) {
    reversed ? take_in_order<true>(next, f) : take_in_order<false>(next, f);
  }

 private:
  template <bool reversed, typename F>
  void take_in_order(ActivitySet& next, F& f) {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const std::size_t place = reversed ? used_.size() - 1 - i : i;
      take_bits<reversed>(used_, place, [&](std::size_t word) {
        const std::uint64_t more = take_bits<reversed>(words_, word, f);
        if (more != 0) next.add_all(word, more);
        return false;
      });
    }
  }
  /// Returns those for which f returned true.
  template <bool reversed, typename F>
  static std::uint64_t take_bits(std::vector<std::uint64_t>& words, std::size_t word, F&& f) {
    std::uint64_t more = 0;
    for (std::uint64_t rest = std::exchange(words[word], 0); rest != 0;) {
      const int place = reversed ? 63 - std::countl_zero(rest) : std::countr_zero(rest);
      const std::uint64_t bit = reversed ? std::uint64_t{1} << place : rest & -rest;
      rest ^= bit;
      if (f(word * 64 + static_cast<std::size_t>(place))) more |= bit;
    }
    return more;
  }
  void add_all(std::size_t word, std::uint64_t bits) {
    words_[word] |= bits;
    used_[word / 64] |= std::uint64_t{1} << word % 64;
  }

  std::vector<std::uint64_t> words_, used_;
};

}  // namespace annelid::systemc
