#include "simulation/scenario/toml_depth.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace annelid::simulation {
namespace {

constexpr std::string_view kLineEnds = "\n\v\f\r";

/// Goes through a text once, from its first character to its last.
class DepthScan {
 public:
  explicit DepthScan(std::string_view text) : text_(text) {}

  std::optional<TooDeep> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
      } else if (c == '#') {
        at_ = std::min(text_.find_first_of(kLineEnds, at_), text_.size());
      } else {
        count(c);
        ++at_;
        if (parts_ > kMostKeyParts) return found("a key", "parts", kMostKeyParts);
        if (nested_ > kMostNested) return found("tables or lists in each other", "", kMostNested);
      }
    }
    return std::nullopt;
  }

 private:
  void count(char c) {
    if (c == '.') ++parts_;
    if (std::string_view("=,[]{}\n").find(c) != std::string_view::npos) parts_ = 1;
    if (c == '[' || c == '{') ++nested_;
    if ((c == ']' || c == '}') && nested_ > 0) --nested_;
  }

  /// Skips a string of one line, or of several: then it has three quotes at either end, and up to
  /// two more at its end are a part of it.
  void skip_string(char quote) {
    const std::string three(3, quote);
    const bool long_one = text_.substr(at_).starts_with(three);
    const std::string_view end = long_one ? std::string_view(three) : text_.substr(at_, 1);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end)) {
      if (!long_one && kLineEnds.find(text_[at_]) != std::string_view::npos) return;  // a mistake
      at_ += quote == '"' && text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_ + end.size(), text_.size());
    for (int more = 0; long_one && more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) {
      ++at_;
    }
  }

  [[nodiscard]] TooDeep found(const char* what, const char* unit, std::size_t most) const {
    const auto lines = std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n');
    return {static_cast<std::size_t>(lines) + 1,
            *unit == '\0' ? fmt::format("more than {} {}", most, what)
                          : fmt::format("{} of more than {} {}", what, most, unit)};
  }

  std::string_view text_;
  std::size_t at_ = 0, parts_ = 1, nested_ = 0;
};

}  // namespace

std::optional<TooDeep> find_too_deep(std::string_view toml) { return DepthScan(toml).run(); }

}  // namespace annelid::simulation
