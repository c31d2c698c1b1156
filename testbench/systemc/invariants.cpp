#include "testbench/systemc/invariants.hpp"

#include <fmt/format.h>

#include "systemc/route.hpp"

namespace annelid {
namespace {

/// Collects the blocked events of report_blocked().
class Collector final : public FabricObserver {
 public:
  explicit Collector(std::set<std::tuple<NodeId, Port, Vc, Port, BlockCause>>& set) : set_(set) {}
  void blocked(Cycle, NodeId node, Port in, Vc vc, Port out, BlockCause cause) override {
    set_.emplace(node, in, vc, out, cause);
  }

 private:
  std::set<std::tuple<NodeId, Port, Vc, Port, BlockCause>>& set_;
};

}  // namespace

void Invariants::fail(Cycle cycle, NodeId node, const std::string& what) {
  if (violations_.size() < 10) {
    violations_.push_back(fmt::format("cycle {}, node {}: {}", cycle, node, what));
  }
}

void Invariants::cycle(Cycle cycle) {
  compare_events(cycle);
  ++cycles_;
  states_ = network_.states();
  for (NodeId n = 0; n < states_.size(); ++n) {
    check_credits(cycle, n);
    check_owners(cycle, n);
    collect_expected(cycle, n);
  }
}

void Invariants::check_credits(Cycle cycle, NodeId node) {
  const NetworkConfig& config = network_.config();
  for (Port o = 0; o < config.router.external_ports(); ++o) {
    const Neighbour next = neighbour(config, config.address(node), o);
    if (!next.exists) continue;
    const RouterState& receiver = states_[config.id(next.address)];
    for (std::size_t w = 0; w < static_cast<std::size_t>(config.router.vcs); ++w) {
      const int sum = states_[node].output[o][w].credits + receiver.input[opposite(o)][w].count;
      if (sum != config.router.depth) {
        fail(cycle, node, fmt::format("output {} vc {}: credits + count = {}", o, w, sum));
      }
    }
  }
}

void Invariants::check_owners(Cycle cycle, NodeId node) {
  std::array<std::array<int, kMaxVcs>, kMaxPorts> owners{};
  for (const auto& port : states_[node].input) {
    for (const InputVcState& input : port) {
      if (input.active) ++owners[input.out_port][input.out_vc];
      if (!input.active && input.count > 0 && !input.front.head) {
        fail(cycle, node, "the front flit of an inactive VC is not a head");
      }
    }
  }
  for (std::size_t o = 0; o < kMaxPorts; ++o) {
    for (std::size_t w = 0; w < kMaxVcs; ++w) {
      if (owners[o][w] != int{states_[node].output[o][w].owned}) {
        fail(cycle, node, fmt::format("output {} vc {} has {} owners", o, w, owners[o][w]));
      }
    }
  }
}

void Invariants::collect_expected(Cycle cycle, NodeId node) {
  const RouterSite site{network_.fabric(), network_.config(), network_.config().address(node),
                        node};
  Collector collector(expected_blocked_);
  report_blocked(states_[node], site, cycle, collector);
  for (Port o = 0; o < kMaxPorts; ++o) {
    const Grant& grant = states_[node].grant[o];
    if (grant.valid) expected_moved_.emplace(node, o, grant.in_port, grant.in_vc);
  }
}

void Invariants::compare_events(Cycle cycle) {
  if (blocked_ != expected_blocked_) {
    fail(cycle, 0,
         fmt::format("{} blocked events before this cycle, the registers imply {}", blocked_.size(),
                     expected_blocked_.size()));
  }
  if (moved_ != expected_moved_) {
    fail(cycle, 0,
         fmt::format("{} flits moved before this cycle, the registers imply {}", moved_.size(),
                     expected_moved_.size()));
  }
  blocked_.clear();
  expected_blocked_.clear();
  moved_.clear();
  expected_moved_.clear();
}

void Invariants::moved(Cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit&) {
  moved_.emplace(node, out, in, in_vc);
}

void Invariants::blocked(Cycle, NodeId node, Port in, Vc in_vc, Port out, BlockCause cause) {
  blocked_.emplace(node, in, in_vc, out, cause);
  ++causes_[static_cast<std::size_t>(cause)];
}

}  // namespace annelid
