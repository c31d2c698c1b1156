#include "studies/reproduce/sides.hpp"

#include <charconv>
#include <stdexcept>
#include <utility>

namespace annelid::reproduction {

Printed printed(Literal place, Literal text) {
  return {std::string(place.text), std::string(text.text)};
}

Printed Printed::meaning(LiteralNumber number) const {
  Printed read = *this;
  read.meaning_ = {{number.value, number.decimals, {}}};
  return read;
}

Printed::Value Printed::value_of() const {
  if (!meaning_.empty()) return meaning_.front();
  Value read;
  const char* const first = text_.data();
  const auto [end, error] = std::from_chars(first, first + text_.size(), read.value);
  if (error != std::errc()) {
    throw std::invalid_argument(place_ + ": \"" + text_ + "\" does not begin with a number");
  }
  const std::string digits(first, end);
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) read.decimals = static_cast<int>(digits.size() - point) - 1;
  read.unit = text_.substr(digits.size());
  if (read.unit.starts_with(' ')) read.unit.erase(0, 1);
  return read;
}

OnHardware::OnHardware(std::vector<Measured> deciding) : runs(std::move(deciding)) {
  if (runs.empty()) throw std::invalid_argument("a claim about hardware needs a run");
}

Reason fact(std::string sentences) {
  if (sentences.find("ypothesis") != std::string::npos) {
    throw std::invalid_argument("a hypothesis is given as a fact: " + sentences);
  }
  Reason reason;
  reason.text_ = std::move(sentences);
  return reason;
}

Reason hypothesis(std::string sentences) {
  Reason reason;
  reason.text_ = "Hypothesis: " + std::move(sentences);
  return reason;
}

Reason operator+(Reason first, const Reason& second) {
  first.text_ += " " + second.text_;
  return first;
}

}  // namespace annelid::reproduction
