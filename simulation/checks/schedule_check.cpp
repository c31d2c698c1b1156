#include "simulation/checks/schedule_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "simulation/checks/message_text.hpp"
#include "simulation/checks/mode_messages.hpp"
#include "simulation/scenario/memory_layout.hpp"

namespace annelid::simulation {
namespace {

/// One message of a step. Places are in one word, because that is compared faster than three: z
/// before y before x, as nodes are numbered.
struct Sent {
  std::uint64_t from = 0, to = 0, bytes = 0;
  friend bool operator==(const Sent&, const Sent&) = default;
};

constexpr unsigned kCoordinateBits = 20;

std::uint64_t packed(const reference::Node& n) {
  const auto word = [](int coordinate) { return static_cast<std::uint64_t>(coordinate); };
  return (word(n.z) << kCoordinateBits | word(n.y)) << kCoordinateBits | word(n.x);
}

reference::Node unpacked(std::uint64_t place) {
  const auto coordinate = [place](unsigned bits) {
    return static_cast<int>(place >> bits & ((1U << kCoordinateBits) - 1));
  };
  return {coordinate(0), coordinate(kCoordinateBits), coordinate(2 * kCoordinateBits)};
}

/// By the numbers of the nodes: messages that a run records are in this order but for their bytes.
bool by_number(const Sent& a, const Sent& b) {
  if (a.from != b.from) return a.from < b.from;
  return a.to != b.to ? a.to < b.to : a.bytes < b.bytes;
}
/// By coordinates, x before y before z: the order in which differences are named.
bool by_coordinates(const Sent& a, const Sent& b) {
  if (a.from != b.from) return unpacked(a.from) < unpacked(b.from);
  return a.to != b.to ? unpacked(a.to) < unpacked(b.to) : a.bytes < b.bytes;
}

std::string shown(const systemc::NetworkConfig& network, std::size_t step, const Sent& m) {
  return fmt::format("step {}: {} -> {}, {} bytes", step, place_text(network, unpacked(m.from)),
                     place_text(network, unpacked(m.to)), m.bytes);
}

/// The messages of the steps of a call, as the reference and the run have them.
class StepComparison {
 public:
  StepComparison(const CheckedCall& checked) : checked_(checked) {
    const systemc::NetworkConfig& network = checked.scenario.network;
    places_.reserve(network.nodes());
    for (NodeId node = 0; node < network.nodes(); ++node) {
      places_.push_back(packed(reference_node(network.address(node))));
    }
  }

  /// The first difference in a step; "" if there is none.
  [[nodiscard]] std::string difference(std::size_t step,
                                       std::span<const reference::Message> expects,
                                       std::span<const std::uint32_t> finds) {
    expected_.clear();
    for (const reference::Message& m : expects) {
      expected_.push_back({packed(m.from), packed(m.to), m.bytes});
    }
    found_.clear();
    for (const std::uint32_t place : finds) {
      const nic::MessageInfo& m = checked_.messages.all[place].info;
      found_.push_back({places_[m.source], places_[m.destination], m.bytes});
    }
    if (expected_ == found_) return "";  // most algorithms send in the order of the nodes
    std::ranges::sort(expected_, by_number);
    std::ranges::sort(found_, by_number);
    return expected_ == found_ ? "" : first_difference(step);
  }

 private:
  [[nodiscard]] std::string first_difference(std::size_t step) {
    const systemc::NetworkConfig& network = checked_.scenario.network;
    std::ranges::sort(expected_, by_coordinates);
    std::ranges::sort(found_, by_coordinates);
    const auto [e, f] = std::ranges::mismatch(expected_, found_);
    if (e != expected_.end() && (f == found_.end() || by_coordinates(*e, *f))) {
      return "missing " + shown(network, step, *e);
    }
    return "not in the reference: " + shown(network, step, *f);
  }

  const CheckedCall& checked_;
  std::vector<std::uint64_t> places_;  ///< by node
  std::vector<Sent> expected_, found_;
};

/// The injection port of the route to a node: the first output, modulo the ports
/// (docs/internals/algorithms/index.md).
int port_of_route(const reference::Network& net, int ports, const reference::Node& from,
                  const reference::Node& to) {
  const std::array<int, 3> size = net.size(), a = {from.x, from.y, from.z}, b = {to.x, to.y, to.z};
  for (const std::size_t d : net.order) {
    const int way = reference::steps_along(size[d], net.ring[d], a[d], b[d]);
    if (way != 0) return (2 * static_cast<int>(d) + (way < 0 ? 1 : 0)) % ports;
  }
  return 0;
}

/// The first message that has left by another injection port than its route's; "" if none has.
std::string other_port(const CheckedCall& checked) {
  const systemc::NetworkConfig& network = checked.scenario.network;
  const reference::Network& net = checked.collective().network;
  const int ports = network.router.local_ports;
  for (const nic::MessageRecord& m : checked.messages.all) {
    if (m.info.source == m.info.destination || m.started == kNever) continue;
    const auto place = [&](NodeId node) { return reference_node(network.address(node)); };
    const int port = port_of_route(net, ports, place(m.info.source), place(m.info.destination));
    if (m.local == port) continue;
    return fmt::format("{}: by injection port {}, expected {}, that of its route",
                       name_of(network, m), m.local, port);
  }
  return "";
}

/// The most blocks that a node may copy in a call by messages to itself
/// (docs/internals/algorithms/operations.md).
std::uint64_t most_copies(const Collective& c, std::uint64_t steps) {
  using enum reference::Operation;
  const std::string_view algorithm = c.algorithm->name;
  switch (c.operation()) {
    case kBroadcast:
    case kBarrier:
    case kSyncIn:
    case kSyncOut:
      return 0;
    case kAllReduce:
      return algorithm == "leaders" ? steps + 1 : 1;
    case kScan:
    case kExscan:
      return steps + 2;
    case kTranspose:
      return 2;
    case kGather:
    case kScatter:
    case kAllGather:
    case kReduceScatter:
      return blocks_of(c) + 1;
    case kAllToAll:
      return algorithm == "radix" ? (2 * steps + 1) * blocks_of(c) : 1;
    default:
      return 1;
  }
}

/// Whether each copy has whole blocks: scans copy packets.
bool copies_blocks(const Collective& c) {
  return c.lengths.empty() && c.bytes > 0 && c.operation() != reference::Operation::kScan &&
         c.operation() != reference::Operation::kExscan;
}

/// What is wrong with the messages of nodes to themselves: they must be copies of blocks; "" if
/// nothing is.
std::string other_copies(const CheckedCall& checked, std::uint64_t steps) {
  const Collective& c = checked.collective();
  const systemc::NetworkConfig& network = checked.scenario.network;
  const std::uint64_t most = most_copies(c, steps);
  const std::uint64_t most_messages = most == 0 ? 0 : most + steps + 1;
  const std::uint64_t block = c.lengths.empty() ? c.bytes : *std::ranges::max_element(c.lengths);
  const bool whole = copies_blocks(c);
  NodeId node = network.nodes();  // whose messages are counted; they lie side by side
  std::uint64_t count = 0, bytes = 0;
  for (const nic::MessageRecord& m : checked.messages.all) {
    if (m.info.source != m.info.destination) continue;
    if (m.info.source != node) count = bytes = 0;
    node = m.info.source;
    ++count;
    bytes += m.info.bytes;
    if (whole && m.info.bytes % block != 0) {
      return fmt::format("{}, expected a copy of whole blocks of {} bytes", name_of(network, m),
                         block);
    }
    if (count <= most_messages && bytes <= most * block) continue;
    return fmt::format("node {}: {} messages to itself with {} bytes, expected at most {} with {}",
                       node_name_of(network, node), count, bytes, most_messages, most * block);
  }
  return "";
}

}  // namespace

Check check_schedule(const CheckedCall& checked, const reference::Schedule& schedule) {
  const Scenario& s = checked.scenario;
  const auto differs = [](std::string difference) {
    return Check{"schedule", Verdict::kFailed, std::move(difference)};
  };
  for (const nic::MessageRecord& m : checked.messages.all) {
    if (m.received != kNever || m.info.source == m.info.destination) continue;
    const Sent sent{packed(reference_node(s.network.address(m.info.source))),
                    packed(reference_node(s.network.address(m.info.destination))), m.info.bytes};
    return differs(shown(s.network, m.info.step, sent) + " never arrived");
  }
  if (std::string found = other_port(checked); !found.empty()) return differs(std::move(found));
  if (std::string found = other_copies(checked, schedule.steps.size()); !found.empty()) {
    return differs(std::move(found));
  }
  const std::vector<reference::Message> of_modes = mode_messages(checked.collective());
  const std::vector<StepMessages>& steps = checked.messages.by_step.steps();
  StepComparison comparison(checked);
  std::size_t messages = 0;
  auto next = steps.begin();
  for (std::size_t step = 0; step <= schedule.steps.size() || next != steps.end(); ++step) {
    if (step > schedule.steps.size()) step = next->step;
    const bool any = next != steps.end() && next->step == step;
    const auto expected = step == 0 ? std::span<const reference::Message>(of_modes)
                          : step <= schedule.steps.size() ? schedule.steps[step - 1]
                                                          : std::span<const reference::Message>();
    const auto found = any ? next->places : std::span<const std::uint32_t>();
    std::string difference = comparison.difference(step, expected, found);
    if (!difference.empty()) return differs(std::move(difference));
    messages += found.size();
    if (any) ++next;
  }
  return {"schedule", Verdict::kHeld,
          fmt::format("{} messages in {} steps equal the reference's", messages,
                      schedule.steps.size())};
}

}  // namespace annelid::simulation
