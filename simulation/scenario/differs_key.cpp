#include "simulation/scenario/differs_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/input_error.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"
#include "interface/names.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

using reg::CallWord;

constexpr const char* kDiffers = "collective.differs";
constexpr const char* kForm = "a node, a word and its value, as in \"3,1 root 2\"";
/// What members can say wrongly. Where buffers are, each may say for itself.
constexpr std::array kDiffering = {
    CallWord::kOperation,  CallWord::kAlgorithm,  CallWord::kGroup,     CallWord::kRoot,
    CallWord::kCount,      CallWord::kType,       CallWord::kOperator,  CallWord::kTag,
    CallWord::kParameter0, CallWord::kParameter1, CallWord::kParameter2};

template <typename Code>
std::optional<std::uint32_t> code_of(std::string_view name) {
  constexpr std::uint32_t kMostCodes = 256;
  for (std::uint32_t code = 0; code < kMostCodes; ++code) {
    const char* const known = name_of(static_cast<Code>(code));
    if (known != nullptr && name == known) return code;
  }
  return std::nullopt;
}

/// A number of 32 bits, with or without a sign, or the name of a code.
std::optional<std::uint32_t> value_of(CallWord word, std::string_view text) {
  constexpr std::int64_t kLeast = -(std::int64_t{1} << 31), kMost = 0xFFFFFFFF;
  if (const auto number = parse_number<std::int64_t>(text)) {
    if (*number < kLeast || *number > kMost) return std::nullopt;
    return static_cast<std::uint32_t>(*number);
  }
  switch (word) {
    case CallWord::kOperation:
      return code_of<reg::Operation>(text);
    case CallWord::kAlgorithm:
      return code_of<reg::Algorithm>(text);
    case CallWord::kType:
      return code_of<reg::Type>(text);
    case CallWord::kOperator:
      return text == "affine" ? code_of<reg::CoreOperator>(text) : code_of<reg::Operator>(text);
    default:
      return std::nullopt;
  }
}

std::string names_of_words() {
  std::string names;
  for (const CallWord word : kDiffering) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name_of(word));
  }
  return names;
}

/// The node that is called so, if the host calls it.
std::optional<reference::Node> called_node(const systemc::NetworkConfig& network,
                                           const Collective& c, std::string_view text) {
  for (int i = 0; i < c.network.nodes(); ++i) {
    const reference::Node node = reference::node_at(c.network, i);
    if (node_text(network, node_address(node)) == text && c.calls(node)) return node;
  }
  return std::nullopt;
}

}  // namespace

Key differs_key() {
  return {kDiffers,
          Key::Kind::kText,
          "\"NODE WORD VALUE\"",
          "--differs",
          "WHAT",
          "In develop mode: gives one process another word of the call than the others, as in "
          "\"3,1 root 2\". The run then says who said what, and ends with status 1.",
          "none"};
}

void read_differs(const Settings& s, const systemc::NetworkConfig& network, Collective& c) {
  const std::string text = s.text(kDiffers);
  if (text.empty()) return;
  if (!c.in_develop_mode) s.refuse(kDiffers, "--develop true with it: nothing else ends the call");
  const std::string where = s.origin(kDiffers), shown = fmt::format("\"{}\"", text);
  const std::vector<std::string_view> parts = split(text, " ");
  if (parts.size() != 3) throw InputError(where, shown, kForm);
  const auto node = called_node(network, c, parts[0]);
  if (!node) {
    throw InputError(
        where, fmt::format("node \"{}\"", parts[0]),
        c.ranks.listed
            ? fmt::format("a member of the group \"{}\"", c.group)
            : fmt::format("a node of the {}: {} to {}", describe_network(network),
                          node_text(network, Address{}), node_text(network, network.last())));
  }
  const auto* const word =
      std::ranges::find_if(kDiffering, [&](CallWord known) { return parts[1] == name_of(known); });
  if (word == kDiffering.end()) {
    throw InputError(where, fmt::format("word \"{}\"", parts[1]), "one of " + names_of_words());
  }
  const auto value = value_of(*word, parts[2]);
  if (!value) {
    throw InputError(where, fmt::format("{} \"{}\"", parts[1], parts[2]),
                     "a number of 32 bits, or the name of an operation, algorithm, type or "
                     "operator");
  }
  c.differs = DifferingWord{.node = *node, .word = *word, .value = *value, .text = text};
}

void add_differs_json(const Collective& c, nlohmann::ordered_json& json) {
  if (c.differs) json["differs"] = c.differs->text;
}

}  // namespace annelid::simulation
