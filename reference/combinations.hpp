// Which blocks were combined with which, and on which side: expressions over the blocks of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace annelid::reference {

/// Values 0 .. ranks - 1 are the ranks' own blocks; combine() makes the others, numbered on.
class Combinations {
 public:
  /// No operand, and no value.
  static constexpr int kNone = -1;

  struct Operands {
    int left = kNone, right = kNone;
  };
  /// Ranks first .. end - 1.
  struct Run {
    int first = 0, end = 0;
    friend bool operator==(const Run&, const Run&) = default;
  };

  explicit Combinations(int ranks);

  /// left (+) right; the other one if one of them is kNone. The same value for the same operands.
  int combine(int left, int right);

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// None of a rank's own block.
  [[nodiscard]] Operands operands(int value) const { return at(value).operands; }
  /// The ranks if they are consecutive and their blocks stand in their order, else nothing.
  [[nodiscard]] std::optional<Run> in_order(int value) const;
  /// Whose blocks, from left to right.
  [[nodiscard]] std::vector<int> operands_of(int value) const;

  /// Values by number, those of `wanted` and what they are made of; others are T{}.
  /// own(rank) -> T, combine(const T& left, const T& right) -> T.
  template <typename T, typename Own, typename Combine>
  [[nodiscard]] std::vector<T> evaluated(const std::vector<int>& wanted, Own own,
                                         Combine combine) const {
    std::vector<T> results(size());
    const std::vector<bool> needed = needed_for(wanted);
    for (std::size_t i = 0; i < size(); ++i) {
      if (!needed[i]) continue;
      const auto value = static_cast<int>(i);
      const auto [left, right] = operands(value);
      results[i] = value < ranks_ ? own(value)
                                  : combine(results[static_cast<std::size_t>(left)],
                                            results[static_cast<std::size_t>(right)]);
    }
    return results;
  }

 private:
  struct Value {
    Operands operands;
    Run run;  ///< empty if not in order
  };
  [[nodiscard]] const Value& at(int value) const {
    return values_[static_cast<std::size_t>(value)];
  }
  [[nodiscard]] std::vector<bool> needed_for(const std::vector<int>& wanted) const;

  int ranks_;
  std::vector<Value> values_;
  std::unordered_map<std::uint64_t, int> of_operands_;
};

}  // namespace annelid::reference
