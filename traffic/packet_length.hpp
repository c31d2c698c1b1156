// Distributions of packet lengths, in flits.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"

namespace annelid::traffic {

/// A distribution of packet lengths in flits. As text:
///   "8"          every packet has 8 flits
///   "2..16"      2 to 16 flits, equally likely
///   "1,4,9"      one of the list, equally likely
///   "1:0.8,9:0.2"  1 flit or 9, with these weights
class PacketLength {
 public:
  struct Choice {
    std::uint32_t flits = 0;
    double probability = 0;
  };

  /// Lengths are 1..kLongest flits. Throws ConfigError (traffic.flits) if the text is invalid.
  explicit PacketLength(std::string_view text);
  explicit PacketLength(int flits) : PacketLength(std::to_string(flits)) {}

  [[nodiscard]] std::uint32_t draw(Random& random) const {
    return choices_.size() == 1 ? choices_.front().flits : draw_one(random);
  }
  [[nodiscard]] double mean() const;
  /// Each length occurs once, in ascending order. The probabilities add up to 1.
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  [[nodiscard]] const std::string& text() const { return text_; }

  static constexpr std::uint32_t kLongest = 65535;

 private:
  [[nodiscard]] std::uint32_t draw_one(Random& random) const;

  std::string text_;
  std::vector<Choice> choices_;
  std::vector<double> cumulative_;
};

}  // namespace annelid::traffic
