#include "simulation/checks/memory_check.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "reference/all_reduce.hpp"
#include "simulation/machine/memory_layout.hpp"

namespace annelid::simulation {
namespace {

using reference::Bytes;

/// The memory of one node; keeps the first difference.
class NodeCheck {
 public:
  explicit NodeCheck(const nic::NodeMemory& memory) : memory_(memory) {}

  void expect(const char* name, Buffer where, std::span<const std::byte> expected) {
    if (!difference_.empty()) return;
    found_.resize(where.bytes);
    memory_.read(where.offset, found_);
    const auto [e, f] = std::ranges::mismatch(expected, found_);
    if (e == expected.end() && f == found_.end()) return;
    const auto place = static_cast<std::size_t>(f - found_.begin());
    difference_ = fmt::format("{}, byte {}: expected {:#04x}, found {:#04x}", name, place,
                              static_cast<int>(*e), static_cast<int>(*f));
  }
  void expect_untouched(const char* name, Buffer where) {
    Bytes expected(where.bytes);
    for (std::uint64_t i = 0; i < where.bytes; ++i) expected[i] = filler(where.offset + i);
    expect(name, where, expected);
  }

  [[nodiscard]] const std::string& difference() const { return difference_; }

 private:
  const nic::NodeMemory& memory_;
  Bytes found_;
  std::string difference_;
};

std::string compared(const Collective& c) {
  std::string block = fmt::format("{} bytes", c.bytes);
  switch (c.operation()) {
    case reference::Operation::kBroadcast:
      return block;
    case reference::Operation::kBarrier:
      return "guards";
    default:
      return "blocks of " + block;
  }
}

/// What each process's blocks are combined to. A reduction in pieces has an order for each.
std::vector<Bytes> reduce(const Collective& c, const reference::Inputs& inputs,
                          const reference::Schedule& schedule) {
  if (c.algorithm->data_flow != nullptr) {
    return reference::combined(inputs, c.algorithm->data_flow(c.request()), c.op, c.type);
  }
  const bool by_pieces =
      c.operation() == reference::Operation::kAllReduce && c.algorithm->name == "ring";
  if (!by_pieces) return reference::combined(inputs, schedule, c.op, c.type);
  const auto result = reference::ring_all_reduce_result(
      c.network, inputs.source,
      [&](auto partial, auto message) { reference::combine(c.op, c.type, partial, message); });
  return {inputs.source.size(), result};
}

}  // namespace

MemoryVerdict check_memory(Simulation& simulation, const Collective& c,
                           const reference::Inputs& inputs, const reference::Schedule& schedule) {
  const MemoryLayout layout = layout_of(c);
  const bool broadcast = c.operation() == reference::Operation::kBroadcast;
  std::vector<Bytes> reduced;
  if (c.reduces()) reduced = reduce(c, inputs, schedule);

  MemoryVerdict verdict;
  const int nodes = c.network.nodes();
  for (int n = 0; n < nodes; ++n) {
    const reference::Node node = reference::node_at(c.network, n);
    const auto rank = static_cast<std::size_t>(n);
    NodeCheck check(simulation.nic(static_cast<NodeId>(n)).memory());
    if (reference::target_bytes(inputs, node) > 0) {
      check.expect("TARGET", layout.target, reference::target_after(inputs, reduced, node));
    } else {
      check.expect_untouched("TARGET, which is not written here",
                             MemoryLayout::witness(layout.target));
    }
    if (broadcast && !reference::takes_part(inputs, node)) {
      check.expect_untouched("SOURCE, of a node that takes no part", layout.source);
    } else if (broadcast) {
      check.expect("SOURCE", layout.source, reference::after_broadcast(inputs));
    } else {
      check.expect("SOURCE", {layout.source.offset, inputs.source[rank].size()},
                   inputs.source[rank]);
    }
    constexpr std::array kGuards = {"the bytes before SOURCE", "the bytes behind SOURCE",
                                    "the bytes behind TARGET", "the bytes behind SCRATCH"};
    const auto guards = layout.guards();
    for (std::size_t g = 0; g < guards.size(); ++g) check.expect_untouched(kGuards[g], guards[g]);
    if (check.difference().empty()) {
      ++verdict.nodes_verified;
    } else if (verdict.difference.empty()) {
      verdict.difference = fmt::format(
          "node {}: {}", place_text(simulation.network().config(), node), check.difference());
    }
  }
  verdict.detail = fmt::format("{} at {} of {} nodes equal the reference's", compared(c),
                               verdict.nodes_verified, nodes);
  return verdict;
}

}  // namespace annelid::simulation
