#include "reference/costs/length_function.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace annelid::reference {
namespace {

using Function = std::function<double(double)>;

constexpr std::size_t kLongestFormula = 500;  // its depth, and so the stack, is bounded by this
constexpr double kLongestLength = 16.0 * 1024 * 1024;

struct NamedFunction {
  std::string_view name;
  std::size_t arguments;
  double (*value)(double, double);
};
constexpr std::array<NamedFunction, 7> kFunctions = {{
    {"log2", 1, [](double a, double) { return std::log2(a); }},
    {"ln", 1, [](double a, double) { return std::log(a); }},
    {"sqrt", 1, [](double a, double) { return std::sqrt(a); }},
    {"ceil", 1, [](double a, double) { return std::ceil(a); }},
    {"floor", 1, [](double a, double) { return std::floor(a); }},
    {"min", 2, [](double a, double b) { return std::min(a, b); }},
    {"max", 2, [](double a, double b) { return std::max(a, b); }},
}};

Function joined(char operation, Function a, Function b) {
  switch (operation) {
    case '+':
      return [a, b](double l) { return a(l) + b(l); };
    case '-':
      return [a, b](double l) { return a(l) - b(l); };
    case '*':
      return [a, b](double l) { return a(l) * b(l); };
    case '/':
      return [a, b](double l) { return a(l) / b(l); };
    default:
      return [a, b](double l) { return std::pow(a(l), b(l)); };
  }
}

class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  Function all() {
    Function value = sum();
    if (next() != '\0') refuse("an operator or the end");
    return value;
  }

 private:
  Function sum() {
    Function value = product();
    while (next() == '+' || next() == '-') {
      const char operation = take();
      value = joined(operation, std::move(value), product());
    }
    return value;
  }
  Function product() {
    Function value = factor();
    while (next() == '*' || next() == '/') {
      const char operation = take();
      value = joined(operation, std::move(value), factor());
    }
    return value;
  }
  Function factor() {
    if (next() == '-') {
      take();
      return [value = factor()](double l) { return -value(l); };
    }
    Function base = atom();
    if (next() != '^') return base;
    take();
    return joined('^', std::move(base), factor());
  }
  Function atom() {
    const char c = next();
    if (c == '(') {
      take();
      Function value = sum();
      expect(')');
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return name();
    refuse("a number, L, a function or \"(\"");
  }
  Function number() {
    double value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) refuse("a number");
    at_ += static_cast<std::size_t>(end - begin);
    return [value](double) { return value; };
  }
  Function name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "L") return [](double l) { return l; };
    const auto found = std::ranges::find(kFunctions, word, &NamedFunction::name);
    if (found == kFunctions.end()) {
      at_ = begin;
      refuse("L, log2, ln, sqrt, ceil, floor, min or max");
    }
    expect('(');
    Function first = sum(), second = first;
    if (found->arguments == 2) {
      expect(',');
      second = sum();
    }
    expect(')');
    return [value = found->value, first, second](double l) { return value(first(l), second(l)); };
  }

  /// The next character that is no blank; 0 at the end.
  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  char take() { return text_[at_++]; }
  void expect(char c) {
    if (next() != c) refuse(std::string("\"") + c + "\"");
    take();
  }
  [[noreturn]] void refuse(const std::string& expected) {
    const std::string found =
        next() == '\0' ? "the end" : "\"" + std::string(text_.substr(at_, 12)) + "\"";
    throw std::invalid_argument("found " + found + " at character " + std::to_string(at_ + 1) +
                                ", expected " + expected);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A number for a message, without trailing zeros.
std::string shown(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// f(0) = 0, "usually a non-decreasing, continuous polynomial function" (5.1.1).
void require_length_function(const Function& f) {
  if (const double at_0 = f(0); !(at_0 == 0)) {
    throw std::invalid_argument("found f(0) = " + shown(at_0) + ", expected f(0) = 0 (Eq. 5.1)");
  }
  double before = 0, length_before = 0;
  for (double length = 1; length <= kLongestLength; length *= 2) {
    for (const double at : {length, 1.5 * length}) {
      const double value = f(at);
      if (!std::isfinite(value) || value < before) {
        throw std::invalid_argument("found f(" + shown(at) + ") = " + shown(value) + " behind f(" +
                                    shown(length_before) + ") = " + shown(before) +
                                    ", expected a function that does not fall");
      }
      before = value;
      length_before = at;
    }
  }
}

}  // namespace

LengthFunction LengthFunction::parse(const std::string& formula) {
  if (formula.size() > kLongestFormula) {
    throw std::invalid_argument("found " + std::to_string(formula.size()) +
                                " characters, expected at most " + std::to_string(kLongestFormula));
  }
  LengthFunction f;
  Function value = FormulaParser(formula).all();
  require_length_function(value);
  if (formula == f.text_) return f;
  f.value_ = std::move(value);
  f.text_ = formula;
  return f;
}

std::optional<double> LengthFunction::inverse(double value) const {
  if (is_length()) return value;
  if (value <= 0) return 0;
  double high = 1;
  while (!((*this)(high) >= value)) {
    high *= 2;
    if (high > 0x1p60) return std::nullopt;
  }
  double low = high > 1 ? high / 2 : 0;
  for (int step = 0; step < 200 && low < high; ++step) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    ((*this)(middle) >= value ? high : low) = middle;
  }
  return high;
}

}  // namespace annelid::reference
