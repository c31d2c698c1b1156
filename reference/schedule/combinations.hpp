// Expressions over the blocks of ranks: which blocks were combined, and on which side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace annelid::reference {

/// The values 0 .. ranks - 1 are the ranks' own blocks. combine() makes further values, with the
/// next numbers.
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

  /// left (+) right. If one operand is kNone, the result is the other. The same operands always
  /// give the same value.
  int combine(int left, int right);

  [[nodiscard]] int ranks() const { return ranks_; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// Returns the operands of a value; they are kNone for a rank's own block.
  [[nodiscard]] Operands operands(int value) const { return at(value).operands; }
  /// Returns the ranks of a value if they are consecutive and their blocks are in order, otherwise
  /// nothing.
  [[nodiscard]] std::optional<Run> in_order(int value) const;
  /// Returns the ranks of all blocks in a value, from left to right.
  [[nodiscard]] std::vector<int> operands_of(int value) const;

  /// Evaluates the values of `wanted` and all values from which they are made. The result is
  /// indexed by the values' numbers; all other entries are T{}. own(rank) -> T, combine(const T&
  /// left, const T& right) -> T.
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
