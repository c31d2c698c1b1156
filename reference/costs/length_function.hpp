// f(L) of the generalized latency formula T = T_s + T_n f(L) (Tsai 1997, Eq. 5.1). It says how the
// time grows with the length: "the L-complexity of the algorithm".
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace annelid::reference {

class LengthFunction {
 public:
  /// f(L) = L, "the most common situation".
  LengthFunction() = default;

  /// Parses a formula of L, numbers, + - * / ^, parentheses, and log2, ln, sqrt, ceil, floor, min
  /// and max: "L + 0.001 * L^2". `^` binds most tightly, from right to left. Throws
  /// std::invalid_argument, with what was found and expected, for any other text, and for a
  /// function that Eq. 5.1 does not have: f(0) must be 0, and f must not fall or be infinite from 0
  /// to 16 MiB (at powers of two and halfway between them).
  static LengthFunction parse(const std::string& formula);

  [[nodiscard]] double operator()(double length) const { return value_ ? value_(length) : length; }
  /// Returns the least length of at least 0 at which f reaches the value (f^-1 of Eq. 5.5), or
  /// nothing if it does not up to 2^60.
  [[nodiscard]] std::optional<double> inverse(double value) const;
  [[nodiscard]] bool is_length() const { return !value_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::function<double(double)> value_;  ///< empty: the length itself
  std::string text_ = "L";
};

}  // namespace annelid::reference
