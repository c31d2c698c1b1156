#include "simulation/checks/memory_check.hpp"

#include <fmt/format.h>

#include <span>
#include <vector>

#include "reference/rings/ring_all_reduce.hpp"
#include "simulation/machine/fill_memory.hpp"
#include "simulation/scenario/count_keys.hpp"

namespace annelid::simulation {
namespace {

using reference::Bytes;

/// The memory of one node; keeps the first difference.
class NodeCheck {
 public:
  NodeCheck(const nic::NodeMemory& memory, Filler& filler) : memory_(memory), filler_(filler) {}

  void expect(const char* name, Buffer where, std::span<const std::byte> expected) {
    if (!difference_.empty()) return;
    const auto at = memory_.first_difference(where.offset, expected);
    if (at) return differs(name, *at - where.offset, *at, expected[*at - where.offset]);
    if (expected.size() == where.bytes) return;
    difference_ =
        fmt::format("{}: expected {} bytes, found {}", name, expected.size(), where.bytes);
  }
  /// Nobody has written there, not even the same bytes, or others that were restored later.
  void expect_unwritten(const char* name, Buffer where) {
    const auto at = memory_.watched_write({where.offset, where.bytes});
    if (!at || !difference_.empty()) return;
    difference_ = fmt::format("{}, byte {}: written, although it holds what it held before", name,
                              *at - where.offset);
  }
  /// The filler where it was put, and no page where there was none.
  void expect_untouched(const Untouched& part) {
    for (const Buffer& filled : part.filled) {
      if (!difference_.empty()) return;
      const auto at = filler_.first_difference(memory_, filled);
      if (at) differs(part.name, *at - part.where.offset, *at, Filler::at(*at));
    }
    if (!difference_.empty() || part.where.bytes == 0) return;
    if (const auto page = memory_.page_in(part.where.offset, part.where.bytes)) {
      difference_ = fmt::format("{}: written, somewhere in bytes {} to {}", part.name,
                                *page - part.where.offset,
                                *page - part.where.offset + nic::NodeMemory::kPageBytes - 1);
    }
    expect_unwritten(part.name, part.where);
  }

  [[nodiscard]] const std::string& difference() const { return difference_; }

 private:
  /// `place`: of the byte in what is named.
  void differs(const char* name, std::uint64_t place, std::uint64_t offset, std::byte expected) {
    difference_ = fmt::format("{}, byte {}: expected {:#04x}, found {:#04x}", name, place,
                              static_cast<int>(expected), memory_.load(offset, 1));
  }

  const nic::NodeMemory& memory_;
  Filler& filler_;
  std::string difference_;
};

/// The first difference that any process finds, in the order of the checks of one process. Each
/// process makes those of its own nodes, and counts those of the others.
class First {
 public:
  explicit First(Simulation& simulation)
      : exchange_(simulation.exchange()), network_(simulation.network().config()) {}

  void see(const reference::Node& node, const std::string& difference) {
    ++checks_;
    if (difference.empty() || !text_.empty()) return;
    text_ = fmt::format("node {}: {}", place_text(network_, node), difference);
    place_ = checks_;
  }
  /// The check of another process's node.
  void skip() { ++checks_; }

  /// Collective: the text; empty if there is no difference. Of several processes process 0 gets it.
  [[nodiscard]] std::string in_all() const {
    if (exchange_ == nullptr) return text_;
    std::uint64_t first = place_;
    exchange_->least({&first, 1});
    std::string found;
    for (const std::string& text : gathered_texts(*exchange_, first == place_ ? text_ : "")) {
      if (found.empty()) found = text;
    }
    return found;
  }

 private:
  Exchange* const exchange_;
  const systemc::NetworkConfig& network_;
  std::uint64_t checks_ = 0, place_ = ~std::uint64_t{0};
  std::string text_;
};

std::string compared(const Collective& c) {
  std::string block = block_text(c);
  if (c.own && !c.own->by_rule) return fmt::format("{} bytes of TARGET", c.own->target);
  switch (c.operation()) {
    case reference::Operation::kBroadcast:
      return block;
    case reference::Operation::kBarrier:
    case reference::Operation::kSyncIn:
    case reference::Operation::kSyncOut:
      return "guards";
    default:
      return "blocks of " + block;
  }
}

/// What each process's blocks are combined to. A reduction in pieces has an order for each.
std::vector<Bytes> reduce(const Collective& c, const reference::Inputs& inputs,
                          const reference::Schedule& schedule) {
  if (c.algorithm->results != nullptr) {
    return c.algorithm->results(inputs, c.request(), c.op, c.type);
  }
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

/// What nodes must have in TARGET.
class ExpectedTargets {
 public:
  /// All must outlive this.
  ExpectedTargets(const Collective& c, const reference::Inputs& inputs,
                  const std::vector<Bytes>& reduced)
      : collective_(c), by_rule_(inputs, reduced) {}

  /// A node by its number; until the next call.
  [[nodiscard]] std::span<const std::byte> at(int number) {
    const auto& own = collective_.own;
    if (!own || own->by_rule) {
      return by_rule_.at(reference::node_at(collective_.network, number));
    }
    const std::span<const std::byte> all = own->expected;
    const bool same = all.size() == own->target;
    return all.subspan(same ? 0 : own->target * static_cast<std::uint64_t>(number), own->target);
  }

 private:
  const Collective& collective_;
  reference::Targets by_rule_;
};

}  // namespace

MemoryVerdict check_memory(Simulation& simulation, const Scenario& scenario, const MemoryPlan& plan,
                           std::size_t call, const reference::Inputs& inputs,
                           const reference::Schedule& schedule) {
  const Collective& c = scenario.calls[call].collective;
  const MemoryLayout& layout = plan.calls[call];
  const bool broadcast = c.operation() == reference::Operation::kBroadcast;
  std::vector<Bytes> reduced;
  if (c.reduces()) reduced = reduce(c, inputs, schedule);

  const systemc::Slab own = simulation.slab();
  ExpectedTargets targets(c, inputs, reduced);
  const std::uint64_t bytes_of_memory = simulation.nic(own.first).memory().size();  // of every node
  UntouchedMemory untouched(layout, c, end_of_call(plan, call, bytes_of_memory));
  const BufferBytes& buffers = untouched.buffers();
  MemoryVerdict verdict;
  First first(simulation);
  int nodes = 0;
  for (int n = 0; n < c.network.nodes(); ++n) {
    const reference::Node node = reference::node_at(c.network, n);
    if (!scenario.concerns(call, node)) continue;
    ++nodes;
    if (!own.has(static_cast<NodeId>(n))) {
      first.skip();
      continue;
    }
    const auto rank = static_cast<std::size_t>(n);
    NodeCheck check(simulation.nic(static_cast<NodeId>(n)).memory(), simulation.filler());
    if (const std::uint64_t bytes = buffers.target(node); bytes > 0) {
      check.expect("TARGET", {layout.target.offset, bytes}, targets.at(n));
    }
    if (broadcast && reference::takes_part(inputs, node)) {
      check.expect("SOURCE", layout.source, reference::after_broadcast(inputs));
    } else {
      check.expect("SOURCE", {layout.source.offset, inputs.source[rank].size()},
                   inputs.source[rank]);
    }
    check.expect_unwritten("SOURCE", {layout.source.offset, inputs.source[rank].size()});
    if (!c.lengths.empty() && c.calls(node)) {
      check.expect("the list of lengths", layout.lengths, length_words(c, node));
      check.expect_unwritten("the list of lengths", layout.lengths);
    }
    for (const Untouched& part : untouched.at(node)) check.expect_untouched(part);
    verdict.nodes_verified += check.difference().empty();
    first.see(node, check.difference());
  }
  if (simulation.exchange() != nullptr) simulation.exchange()->sum({&verdict.nodes_verified, 1});
  verdict.difference = first.in_all();
  verdict.detail =
      fmt::format("{} at {} of {} nodes equal {}", compared(c), verdict.nodes_verified, nodes,
                  c.own && !c.own->by_rule ? c.own->file.string() : "the reference's");
  return verdict;
}

MemoryVerdict check_groups(Simulation& simulation, const Scenario& scenario,
                           const MemoryPlan& plan) {
  const reference::Network network = reference_network(scenario.network);
  Filler& filler = simulation.filler();
  const systemc::Slab own = simulation.slab();
  First first(simulation);
  std::size_t groups = 0, lists = 0;
  for (std::size_t i = 0; i < scenario.groups.size(); ++i) {
    const GroupSet& set = scenario.groups[i];
    for (const ProcessGroup& group : set.groups) {
      ++groups;
      const std::vector<std::byte> list = list_bytes(group, network);
      const std::string name = fmt::format("the list of the group \"{}\"", group.name);
      for (const reference::Node& node : group.nodes->nodes()) {
        const auto number = static_cast<NodeId>(reference::index_of(network, node));
        ++lists;
        if (!own.has(number)) {
          first.skip();
          continue;
        }
        NodeCheck check(simulation.nic(number).memory(), filler);
        check.expect(name.c_str(), plan.groups[i].list_of(set, group, network), list);
        first.see(node, check.difference());
      }
    }
  }
  const std::vector<Untouched> around =
      untouched_behind_calls(plan, simulation.nic(own.first).memory().size());
  for (NodeId n = 0; n < simulation.network().config().nodes(); ++n) {
    if (!own.has(n)) {
      first.skip();
      continue;
    }
    NodeCheck check(simulation.nic(n).memory(), filler);
    for (const Untouched& part : around) check.expect_untouched(part);
    for (const Buffer& buffer : kept_buffers(plan)) {
      check.expect_unwritten("what a call was prepared with", buffer);
    }
    first.see(reference::node_at(network, static_cast<int>(n)), check.difference());
  }
  MemoryVerdict verdict;
  verdict.difference = first.in_all();
  if (scenario.groups.empty()) {
    verdict.detail = "nothing has written to the lists of prepared calls, nor around them";
    return verdict;
  }
  verdict.detail = fmt::format("{} group{} made, {} lists of members as expected at the end",
                               groups, groups == 1 ? "" : "s", lists);
  return verdict;
}

}  // namespace annelid::simulation
