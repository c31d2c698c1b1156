#include "simulation/scenario/algorithm_key.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "systemc/network/node_text.hpp"

namespace annelid::simulation {
namespace {

using reference::Algorithm;
using reference::Operation;

const Algorithm* first_fitting(Operation operation, const reference::Network& network,
                               bool of_group, bool takes_lengths) {
  const Algorithm* by_list = nullptr;  // where no algorithm is by rank
  for (const Algorithm& a : reference::algorithms()) {
    if (a.operation != operation || !a.supports(network)) continue;
    if (of_group ? !a.serves_groups() : !a.serves(network)) continue;
    if (takes_lengths && !a.takes_lengths) continue;
    if (!of_group || a.by_rank) return &a;
    if (by_list == nullptr) by_list = &a;
  }
  return by_list;
}

/// The operations that have an algorithm.
std::string served() {
  std::string names, last;
  for (const Algorithm& a : reference::algorithms()) {
    if (last == reference::name_of(a.operation)) continue;
    last = reference::name_of(a.operation);
    names += (names.empty() ? "" : ", ") + last;
  }
  return names;
}

std::vector<std::string_view> algorithms_of(Operation operation,
                                            const reference::Network* network = nullptr,
                                            bool of_group = false) {
  std::vector<std::string_view> names;
  for (const Algorithm& a : reference::algorithms()) {
    if (a.operation != operation || (network != nullptr && !a.serves(*network))) continue;
    if (of_group && !a.serves_groups()) continue;
    names.push_back(a.name);
  }
  return names;
}

}  // namespace

std::string quoted(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", name);
  }
  return text;
}

std::string algorithm_names(Operation operation, const reference::Network* network) {
  return quoted(algorithms_of(operation, network));
}

Operation read_operation(const Settings& s) {
  static const auto kNames = names_of<Operation, reference::kOperations>();
  return static_cast<Operation>(s.choice("collective.operation", kNames, 0));
}

void require_for_groups(const Settings& s, Operation operation, const Algorithm* algorithm) {
  if (algorithm != nullptr && algorithm->serves_groups()) return;
  const std::string names = quoted(algorithms_of(operation, nullptr, true));
  std::string others;
  for (std::size_t i = 0; i < reference::kOperations; ++i) {
    const auto other = static_cast<Operation>(i);
    if (algorithms_of(other, nullptr, true).empty()) continue;
    others += fmt::format("{}{}", others.empty() ? "" : ", ", reference::name_of(other));
  }
  const std::string key = names.empty()          ? "collective.operation"
                          : algorithm != nullptr ? "collective.algorithm"
                                                 : "collective.group";
  throw InputError(
      s.origin(key),
      algorithm != nullptr && !names.empty()
          ? fmt::format("\"{}\" for a group, which uses the nodes' coordinates", algorithm->name)
          : fmt::format("{} for a group", reference::name_of(operation)),
      names.empty() ? "an operation that runs on groups: " + others
                    : "an algorithm that runs on groups: " + names);
}

const Algorithm& read_algorithm(const Settings& s, Operation operation,
                                const systemc::NetworkConfig& config, bool of_group) {
  const reference::Network network = reference_network(config);
  const std::string_view operation_name = reference::name_of(operation);
  const std::string known = algorithm_names(operation);
  if (known.empty()) {
    s.refuse("collective.operation", "an operation that there is an algorithm for: " + served());
  }
  const std::string fitting = algorithm_names(operation, &network);
  const std::string name = s.text("collective.algorithm");
  if (name.empty() || name == kAuto) {
    const bool counts = s.has("collective.counts");
    const Algorithm* found = first_fitting(operation, network, of_group, counts);
    if (found == nullptr && counts) found = first_fitting(operation, network, of_group, false);
    if (of_group) require_for_groups(s, operation, found);
    if (found != nullptr) return name.empty() ? *found : fallback(operation);
    throw InputError(s.origin("network.size"), describe_network(config),
                     fmt::format("a network for {}, by {}", operation_name, known));
  }
  const Algorithm* const found = reference::find_algorithm(operation, name);
  if (found == nullptr) {
    throw InputError(s.origin("collective.algorithm"), fmt::format("\"{}\"", name),
                     fmt::format("for {}: {}; or \"{}\"{}", operation_name, known, kAuto,
                                 did_you_mean(name, algorithms_of(operation))));
  }
  if (!found->supports(network)) {
    throw InputError(
        s.origin("collective.algorithm"),
        fmt::format("\"{}\" on {}", name, describe_network(config)),
        fmt::format("{} for \"{}\"; {}", found->sizes, name,
                    fitting.empty() ? "no other algorithm fits either" : "what fits: " + fitting));
  }
  if (of_group) require_for_groups(s, operation, found);
  return *found;
}

}  // namespace annelid::simulation
