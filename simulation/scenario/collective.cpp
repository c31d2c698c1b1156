#include "simulation/scenario/collective.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "simulation/scenario/auto_choice.hpp"
#include "simulation/scenario/hybrid_keys.hpp"
#include "simulation/scenario/mode_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/radix_keys.hpp"
#include "simulation/scenario/rank_keys.hpp"
#include "simulation/scenario/shift_keys.hpp"
#include "systemc/network/node_text.hpp"
#include "systemc/network/route.hpp"

namespace annelid::simulation {

using Operation = reference::Operation;

bool has_root(Operation operation) {
  return operation == Operation::kBroadcast || operation == Operation::kReduce ||
         operation == Operation::kGather || operation == Operation::kScatter ||
         operation == Operation::kSyncIn || operation == Operation::kSyncOut;
}

bool has_data(Operation operation) {
  return operation != Operation::kBarrier && operation != Operation::kSyncIn &&
         operation != Operation::kSyncOut;
}

std::string Collective::algorithm_name() const {
  return by_auto ? fmt::format("{} ({})", kAuto, algorithm->name) : std::string(algorithm->name);
}

bool Collective::calls(const reference::Node& node) const {
  return !ranks.listed || ranks.listed->rank_at(node).has_value();
}

bool Collective::has_root() const { return simulation::has_root(operation()); }

bool reduces(Operation operation) {
  return operation == Operation::kReduce || operation == Operation::kAllReduce ||
         operation == Operation::kScan || operation == Operation::kExscan ||
         operation == Operation::kReduceScatter;
}

bool Collective::reduces() const { return simulation::reduces(operation()); }

reference::Inputs Collective::inputs() const {
  reference::Inputs inputs = {operation(), network, root, bytes, {}, ranks, lengths};
  inputs.parameter = parameter;
  inputs.parameter_0 = parameter_0;
  return inputs;
}

std::uint64_t Collective::source_bytes(const reference::Node& node) const {
  return BufferBytes(*this).source(node);
}

std::uint64_t Collective::target_bytes(const reference::Node& node) const {
  return BufferBytes(*this).target(node);
}

std::uint64_t BufferBytes::source(const reference::Node& node) const {
  const auto& own = collective_.own;
  return own && !own->by_rule ? collective_.bytes : reference::source_bytes(inputs_, node);
}

std::uint64_t BufferBytes::target(const reference::Node& node) const {
  const auto& own = collective_.own;
  return own && !own->by_rule ? own->target : reference::target_bytes(inputs_, node);
}

reg::Operation operation_code(reference::Operation operation) {
  constexpr std::array kCodes = {
      reg::Operation::kBroadcast, reg::Operation::kReduce,    reg::Operation::kGather,
      reg::Operation::kScatter,   reg::Operation::kAllGather, reg::Operation::kAllReduce,
      reg::Operation::kBarrier,   reg::Operation::kTranspose, reg::Operation::kAllToAll,
      reg::Operation::kScan,      reg::Operation::kExscan,    reg::Operation::kReduceScatter,
      reg::Operation::kShift,     reg::Operation::kSyncIn,    reg::Operation::kSyncOut};
  return kCodes[static_cast<std::size_t>(operation)];
}

namespace {

/// The reference's reading of docs/internals/microarchitecture.md, section 5.1. It does not ask the
/// model, which is checked against it.
std::array<std::size_t, 3> order_of_dimensions(systemc::RoutingKind routing) {
  switch (routing) {
    case systemc::RoutingKind::kXy:
      return {0, 1, 2};
    case systemc::RoutingKind::kYx:
      return {2, 1, 0};
  }
  throw std::logic_error("a routing function that the reference does not know");
}

}  // namespace

reference::Network reference_network(const systemc::NetworkConfig& n) {
  return {n.size[0],      n.size[1], n.size[2],
          n.router.torus, n.ideal,   order_of_dimensions(n.router.routing)};
}

reference::Node reference_node(Address a) { return {a.x, a.y, a.z}; }

Address node_address(const reference::Node& n) {
  return {static_cast<std::uint8_t>(n.x), static_cast<std::uint8_t>(n.y),
          static_cast<std::uint8_t>(n.z)};
}

std::string describe(const Collective& c, const systemc::NetworkConfig& network) {
  if (c.own) {
    const std::string root =
        c.own->rooted ? ", root " + node_text(network, node_address(c.root)) : "";
    return fmt::format("{} on the {}{}", c.own->name, describe_network(network), root);
  }
  std::string text = fmt::format("{} {}", c.algorithm_name(), name_of(c.operation()));
  if (c.reduces()) text += fmt::format(" by {} of {}", name_of(c.op), name_of(c.type));
  if (c.has_root()) {
    const bool to_root = c.operation() == Operation::kReduce ||
                         c.operation() == Operation::kGather || c.operation() == Operation::kSyncIn;
    text += fmt::format(" {} node {}", to_root ? "to" : "from",
                        node_text(network, node_address(c.root)));
  }
  std::string where = describe_network(network);
  if (const std::string ranks = describe_ranks(c); !ranks.empty()) where += ", " + ranks;
  for (const std::string& choice :
       {describe_hybrid(c), describe_radices(c), describe_shift(c), describe_modes(c)}) {
    if (!choice.empty()) where += ", " + choice;
  }
  return text + (c.has_root() ? " of " : " on ") + "the " + where;
}

std::string place_text(const systemc::NetworkConfig& network, const reference::Node& node) {
  return "(" + node_name(network.router, node_address(node)) + ")";
}

}  // namespace annelid::simulation
