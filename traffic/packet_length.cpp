#include "traffic/packet_length.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "base/parse_number.hpp"
#include "base/split.hpp"
#include "systemc/network/config.hpp"

namespace annelid::traffic {
namespace {

std::optional<std::uint32_t> parse_flits(std::string_view text) {
  const auto flits = parse_number<std::uint32_t>(text);
  if (!flits || *flits < 1 || *flits > PacketLength::kLongest) return std::nullopt;
  return flits;
}

/// Weights by length, or nothing if the text is not a distribution.
std::optional<std::map<std::uint32_t, double>> parse_weights(std::string_view text) {
  std::map<std::uint32_t, double> weights;
  if (const auto dots = text.find(".."); dots != std::string_view::npos) {
    const auto low = parse_flits(text.substr(0, dots)), high = parse_flits(text.substr(dots + 2));
    if (!low || !high || *low > *high) return std::nullopt;
    for (std::uint32_t flits = *low; flits <= *high; ++flits) weights[flits] = 1;
    return weights;
  }
  for (const std::string_view item : split(text, ",")) {
    const std::size_t colon = std::min(item.find(':'), item.size());
    const auto flits = parse_flits(item.substr(0, colon));
    const auto weight =
        colon == item.size() ? std::optional{1.0} : parse_number<double>(item.substr(colon + 1));
    if (!flits || !weight || !(*weight > 0 && *weight < 1e9)) return std::nullopt;
    weights[*flits] += *weight;
  }
  return weights;
}

}  // namespace

PacketLength::PacketLength(std::string_view text) : text_(text) {
  const auto weights = parse_weights(text);
  if (!weights) {
    throw systemc::ConfigError("traffic.flits", "\"" + text_ + "\"",
                               "flits of 1.." + std::to_string(kLongest) +
                                   " as 8, a range 2..16, a list 1,4,9, or weights 1:0.8,9:0.2");
  }
  double sum = 0;
  for (const auto& [flits, weight] : *weights) sum += weight;
  double cumulative = 0;
  for (const auto& [flits, weight] : *weights) {
    choices_.push_back({flits, weight / sum});
    cumulative_.push_back(cumulative += weight / sum);
  }
}

std::uint32_t PacketLength::draw_one(Random& random) const {
  const auto place = std::ranges::upper_bound(cumulative_, random.uniform());
  return choices_[std::min<std::size_t>(static_cast<std::size_t>(place - cumulative_.begin()),
                                        choices_.size() - 1)]
      .flits;
}

double PacketLength::mean() const {
  double sum = 0;
  for (const Choice& c : choices_) sum += c.flits * c.probability;
  return sum;
}

}  // namespace annelid::traffic
