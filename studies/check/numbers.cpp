#include "studies/check/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/input_error.hpp"
#include "base/parse_number.hpp"
#include "base/random.hpp"
#include "simulation/scenario/network_keys.hpp"

namespace annelid::studies {
namespace {

/// 256 x 256 nodes, the largest network of two dimensions.
constexpr int kMostRanks = systemc::kMaxSize * systemc::kMaxSize;

std::optional<int> number_of(std::string_view text) {
  const auto number = parse_number<int>(text);
  return number && *number >= 1 && *number <= kMostRanks ? number : std::nullopt;
}

/// "12x11", so that `ranks` fit.
std::string about_square(int ranks) {
  const int x = static_cast<int>(std::ceil(std::sqrt(ranks)));
  return fmt::format("{}x{}", x, (ranks + x - 1) / x);
}

systemc::NetworkConfig network_of(const std::vector<simulation::Override>& overrides, int ranks) {
  simulation::Settings settings(
      {simulation::network_keys().begin(), simulation::network_keys().end()}, {}, overrides);
  if (!simulation::replaces(overrides, "network.size")) {
    settings.set({"network.size", "--ranks", about_square(ranks)});
  }
  if (!simulation::replaces(overrides, "network.topology")) {
    settings.set({"network.topology", "--ranks", "ideal"});
  }
  return simulation::read_network(settings);
}

}  // namespace

std::vector<int> rank_numbers(const std::string& text, int samples, std::uint64_t seed) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const auto first = number_of(std::string_view(text).substr(0, colon));
  const auto last =
      colon == text.size() ? first : number_of(std::string_view(text).substr(colon + 1));
  if (!first || !last || *first > *last) {
    throw InputError("--ranks", "\"" + text + "\"",
                     fmt::format("a number of ranks, or the first and the last of several as in "
                                 "1:130, 1..{}",
                                 kMostRanks));
  }
  std::vector<int> numbers(static_cast<std::size_t>(*last - *first + 1));
  std::iota(numbers.begin(), numbers.end(), *first);
  if (samples == 0) return numbers;
  if (samples < 0 || static_cast<std::size_t>(samples) > numbers.size()) {
    throw InputError("--samples", std::to_string(samples),
                     fmt::format("1..{}, as there are numbers in {}", numbers.size(), text));
  }
  Random random(seed, 0);
  for (std::size_t i = 0; i < static_cast<std::size_t>(samples); ++i) {
    std::swap(numbers[i],
              numbers[i + random.below(static_cast<std::uint32_t>(numbers.size() - i))]);
  }
  numbers.resize(static_cast<std::size_t>(samples));
  std::ranges::sort(numbers);
  return numbers;
}

std::vector<RankNumbers> networks_for(const std::vector<int>& numbers,
                                      const std::vector<simulation::Override>& network) {
  if (simulation::replaces(network, "network.size")) {
    const systemc::NetworkConfig given = network_of(network, numbers.back());
    if (static_cast<std::size_t>(numbers.back()) > given.nodes()) {
      throw InputError("--ranks", std::to_string(numbers.back()),
                       fmt::format("at most {}, the nodes of the {}", given.nodes(),
                                   simulation::describe_network(given)));
    }
    return {{given, numbers}};
  }
  std::vector<RankNumbers> groups;
  for (auto begin = numbers.begin(); begin != numbers.end();) {
    const auto power = static_cast<int>(std::bit_ceil(static_cast<unsigned>(*begin)));
    const auto end = std::upper_bound(begin, numbers.end(), power);
    groups.push_back({network_of(network, *(end - 1)), {begin, end}});
    begin = end;
  }
  return groups;
}

std::string numbers_text(const std::vector<int>& numbers) {
  std::string text;
  for (std::size_t begin = 0; begin < numbers.size();) {
    std::size_t end = begin + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers[begin]);
    if (end - begin > 1) text += fmt::format("..{}", numbers[end - 1]);
    begin = end;
  }
  return text;
}

}  // namespace annelid::studies
