#include "simulation/scenario/radix_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input_error.hpp"
#include "simulation/scenario/shift_keys.hpp"

namespace annelid::simulation {
namespace {

constexpr const char* kRadices = "collective.radices";
constexpr std::int64_t kMostRadix = 0xFFFF;
constexpr std::uint32_t kRadixBits = 16, kRadixMask = 0xFFFF;

bool takes_radices(const reference::Algorithm& algorithm) {
  return algorithm.operation == reference::Operation::kAllToAll && algorithm.name == "radix";
}

}  // namespace

Key radix_key() {
  return {kRadices,
          Key::Kind::kIntegers,
          "one to four integers",
          "--radices",
          "R0,R1",
          "For an all-to-all by radix: the radix of each place, the lowest place first. The last "
          "one is that of all further places.",
          "that of --parameter"};
}

void read_radices(const Settings& s, Collective& c) {
  if (!s.has(kRadices)) return;
  if (!takes_radices(*c.algorithm)) {
    s.refuse_idle(
        kRadices, "collective.algorithm",
        fmt::format("a value for {} by \"{}\"", name_of(c.operation()), c.algorithm->name),
        "all-to-all by \"radix\"");
    return;
  }
  if (s.has("collective.parameter")) {
    throw InputError(s.origin(kRadices), "a value beside collective.parameter",
                     "one of the two: --parameter is the radix of all places");
  }
  const std::vector<std::int64_t> radices = s.integers(kRadices);
  const bool in_range = std::ranges::all_of(
      radices, [](std::int64_t radix) { return radix >= 2 && radix <= kMostRadix; });
  if (radices.empty() || radices.size() > kMostRadices || !in_range) {
    throw InputError(s.origin(kRadices), fmt::format("{}", fmt::join(radices, ",")),
                     fmt::format("1 to {} radices from 2 to {}", kMostRadices, kMostRadix));
  }
  const std::int64_t ranks = reference::rank_count(c.network, c.ranks);
  std::int64_t distances = 1;
  for (std::size_t place = 0; place < radices.size(); ++place) {
    if (place > 0 && distances >= ranks) {
      throw InputError(
          s.origin(kRadices), fmt::format("{}", fmt::join(radices, ",")),
          fmt::format("fewer: {} leave no further place to {} ranks",
                      fmt::join(radices.begin(), radices.begin() + place, ","), ranks));
    }
    distances = std::min(distances * radices[place], ranks);
  }
  set_radices(c, {radices.begin(), radices.end()});
}

void set_radices(Collective& c, const std::vector<std::uint32_t>& radices) {
  c.parameter = c.parameter_0 = 0;
  for (std::size_t place = 0; place < radices.size(); ++place) {
    std::uint32_t& word = place < 2 ? c.parameter : c.parameter_0;
    word |= radices[place] << kRadixBits * (place % 2);
  }
}

std::vector<std::uint32_t> mixed_radices(const Collective& c) {
  std::vector<std::uint32_t> radices;
  if (c.own || !takes_radices(*c.algorithm)) return radices;
  for (const std::uint32_t word : {c.parameter, c.parameter_0}) {
    for (const std::uint32_t radix : {word & kRadixMask, word >> kRadixBits}) {
      if (radix == 0) return radices.size() > 1 ? radices : std::vector<std::uint32_t>{};
      radices.push_back(radix);
    }
  }
  return radices;
}

std::string describe_radices(const Collective& c) {
  const auto radices = mixed_radices(c);
  return radices.empty() ? "" : fmt::format("radices {}", fmt::join(radices, ","));
}

std::string parameter_option(const Collective& c) {
  if (is_shift(c)) return shift_options(c);
  if (const auto radices = mixed_radices(c); !radices.empty()) {
    return fmt::format(" --radices {}", fmt::join(radices, ","));
  }
  return c.parameter == 0 ? "" : fmt::format(" --parameter {}", c.parameter);
}

void add_parameter_json(const Collective& c, nlohmann::ordered_json& json) {
  if (is_shift(c)) {
    add_shift_json(c, json);
  } else if (const auto radices = mixed_radices(c); !radices.empty()) {
    json["radices"] = radices;
  } else if (c.parameter != 0) {
    json["parameter"] = c.parameter;
  }
}

}  // namespace annelid::simulation
