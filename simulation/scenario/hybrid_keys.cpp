#include "simulation/scenario/hybrid_keys.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "base/input_error.hpp"
#include "reference/intercom/choice.hpp"

namespace annelid::simulation {
namespace {

using HybridKind = Key::Kind;

constexpr std::array<std::string_view, 2> kTemplateNames = {"short", "long"};
constexpr std::array<std::string_view, 2> kOrderNames = {"near-first", "far-first"};
constexpr std::size_t kMostSizes = 7;
/// All but the last size have at most 15 bits in the call's words.
constexpr std::int64_t kMostSize = 32767;

std::string_view template_name(const Collective& c) {
  return kTemplateNames[c.hybrid.is_long ? 1 : 0];
}
std::string_view order_name(const Collective& c) { return kOrderNames[c.hybrid.far_first ? 1 : 0]; }

std::string_view chosen_text(const Collective& c) {
  return !c.hybrid_open ? "" : c.hybrid_tuned ? "chosen by tuning: " : "chosen by rule: ";
}

int ranks_of(const Collective& c) { return reference::rank_count(c.network, c.ranks); }

/// A list of 7 sizes or fewer whose product is the number of ranks.
bool is_factorization(const std::vector<std::int64_t>& sizes, int ranks) {
  std::int64_t product = 1;
  for (const std::int64_t size : sizes) {
    if (size < 1 || size > ranks) return false;
    product *= size;
    if (product > ranks) return false;
  }
  return product == ranks && sizes.size() <= kMostSizes &&
         std::all_of(sizes.begin(), sizes.end() - 1,
                     [](std::int64_t size) { return size <= kMostSize; });
}

std::vector<int> read_mesh(const Settings& s, const Collective& c) {
  const std::vector<std::int64_t> sizes = s.integers("collective.logical_mesh");
  if (sizes.empty()) return {};
  const int ranks = ranks_of(c);
  if (!is_factorization(sizes, ranks)) {
    throw InputError(s.origin("collective.logical_mesh"), fmt::format("{}", fmt::join(sizes, "x")),
                     fmt::format("a factorization of {}, the number of ranks: 1 to {} sizes with "
                                 "this product, of which all but the last are at most {}",
                                 ranks, kMostSizes, kMostSize));
  }
  return {sizes.begin(), sizes.end()};
}

}  // namespace

bool is_hybrid(const reference::Algorithm& algorithm) { return algorithm.name == "intercom"; }

std::array<Key, 3> hybrid_keys() {
  return {
      Key{"collective.logical_mesh", HybridKind::kIntegers, "one to seven integers",
          "--logical-mesh", "D1xD2",
          "For intercom: the sizes of the logical mesh, the dimension of the first stage first. "
          "Their product is the number of ranks.",
          "chosen by the processes; one dimension of all ranks with --template or --dimensions"},
      Key{"collective.template", HybridKind::kText, "\"short\" or \"long\"", "--template", "NAME",
          "For intercom: whether the last dimension runs the algorithm for short vectors, or "
          "that for long vectors as the other dimensions do.",
          "chosen by the processes; short with --logical-mesh or --dimensions"},
      Key{"collective.dimensions", HybridKind::kText, "\"near-first\" or \"far-first\"",
          "--dimensions", "ORDER",
          "For intercom: whether the first dimension has the consecutive ranks, or the last.",
          "chosen by the processes; near-first with --logical-mesh or --template"}};
}

std::uint64_t hybrid_messages(reference::Operation operation, const reference::HybridChoice& hybrid,
                              int ranks) {
  const bool trees_alone =
      operation == reference::Operation::kScatter || operation == reference::Operation::kGather;
  if (trees_alone) return static_cast<std::uint64_t>(ranks);
  std::vector<int> rings = hybrid.sizes.empty() ? std::vector{ranks} : hybrid.sizes;
  if (!hybrid.is_long) rings.back() = 1;  // trees: fewer messages than ranks, in each step
  std::uint64_t steps = 2;
  for (const int ring : rings) steps += static_cast<std::uint64_t>(ring - 1);
  return steps * static_cast<std::uint64_t>(ranks);
}

void read_hybrid(const Settings& s, Collective& c) {
  if (!is_hybrid(*c.algorithm)) {
    for (const Key& key : hybrid_keys()) {
      if (!s.has(key.name)) continue;
      throw InputError(s.origin(key.name), fmt::format("a value for \"{}\"", c.algorithm_name()),
                       "one for \"intercom\"");
    }
    return;
  }
  if (s.has("collective.parameter")) {
    s.refuse(
        "collective.parameter",
        "--logical-mesh, --template and --dimensions: they name what \"intercom\" leaves open");
  }
  c.hybrid_open =
      std::ranges::none_of(hybrid_keys(), [&](const Key& key) { return s.has(key.name); });
  if (c.hybrid_open) return;
  c.hybrid.sizes = read_mesh(s, c);
  c.hybrid.is_long = s.choice("collective.template", kTemplateNames, 0) == 1;
  c.hybrid.far_first = s.choice("collective.dimensions", kOrderNames, 0) == 1;
  require_few_messages(s, c);
}

void require_few_messages(const Settings& s, const Collective& c) {
  if (!is_hybrid(*c.algorithm)) return;
  const std::uint64_t messages = hybrid_messages(c.operation(), c.hybrid, ranks_of(c));
  if (messages <= kMostHybridMessages) return;
  std::string key = "collective.algorithm";
  for (const char* named : {"collective.template", "collective.logical_mesh"}) {
    if (s.has(named)) key = named;
  }
  throw InputError(s.origin(key),
                   fmt::format("{}, about {} messages", describe_hybrid(c), messages),
                   fmt::format("at most {} messages: smaller dimensions", kMostHybridMessages));
}

void choose_hybrid(Collective& c, bool native, const std::vector<TunedHybrids>& tables) {
  using namespace reference::intercom;
  const bool in_order = c.reduces() && !reference::commutes(c.op);
  const bool on_core = !native && !c.prepared;
  std::optional<reference::HybridChoice> tuned;
  if (!in_order) tuned = find_tuned_hybrid(tables, c.operation(), c.request(), !on_core);
  c.hybrid_open = true;
  c.hybrid_tuned = tuned.has_value();
  c.hybrid = tuned ? *tuned
                   : chosen_hybrid(c.operation(), c.request(), in_order,
                                   on_core ? kCoreTimes : kHostTimes);
}

bool is_native(const Settings& s) { return s.text("firmware") == "native"; }

HybridWords hybrid_words(const Collective& c) {
  constexpr std::uint32_t kNamed = 4;
  constexpr int kFlagBits = 8, kWidthBits = 4;
  HybridWords words;
  if (c.hybrid_open) return words;
  words.flags = kNamed | (c.hybrid.is_long ? 1U : 0U) | (c.hybrid.far_first ? 2U : 0U);
  int at = 0;
  for (std::size_t i = 0; i + 1 < c.hybrid.sizes.size(); ++i) {
    const auto size = static_cast<std::uint32_t>(c.hybrid.sizes[i]);
    const int width = std::bit_width(size);
    words.sizes |= size << at;
    words.flags |= static_cast<std::uint32_t>(width)
                   << (kFlagBits + kWidthBits * static_cast<int>(i));
    at += width;
  }
  return words;
}

std::string mesh_text(const Collective& c) {
  if (c.hybrid.sizes.empty()) return std::to_string(ranks_of(c));
  return fmt::format("{}", fmt::join(c.hybrid.sizes, "x"));
}

std::string describe_hybrid(const Collective& c) {
  if (!is_hybrid(*c.algorithm)) return "";
  return fmt::format("{}{} {}, {} dimensions first", chosen_text(c), mesh_text(c), template_name(c),
                     c.hybrid.far_first ? "far" : "near");
}

std::string hybrid_options(const Collective& c) {
  if (!is_hybrid(*c.algorithm) || c.hybrid_open) return "";
  return fmt::format(" --logical-mesh {} --template {} --dimensions {}", mesh_text(c),
                     template_name(c), order_name(c));
}

void add_hybrid_json(const Collective& c, nlohmann::ordered_json& json) {
  if (!is_hybrid(*c.algorithm)) return;
  json["logical_mesh"] = c.hybrid.sizes.empty() ? std::vector{ranks_of(c)} : c.hybrid.sizes;
  json["template"] = template_name(c);
  json["dimensions"] = order_name(c);
  if (!c.hybrid_open) return;
  json["hybrid"] = "chosen";
  json["chosen_by"] = c.hybrid_tuned ? "tuning" : "rule";
}

}  // namespace annelid::simulation
