#include "testbench/systemc/invariants.hpp"

#include <fmt/format.h>

#include "systemc/network/route.hpp"

namespace annelid::systemc {
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
  note_flights(cycle);
  for (NodeId n = 0; n < states_.size(); ++n) {
    check_credits(cycle, n);
    check_owners(cycle, n);
    collect_expected(cycle, n);
  }
}

/// Cycles that a flit (credit) spends in switch and link registers.
Cycle Invariants::delay(Port port) const {
  const RouterConfig& router = network_.config().router;
  return static_cast<Cycle>((router.stages > 1 ? 1 : 0) +
                            (port < 2 * router.dims ? router.link_registers : 0));
}

/// What was granted in t is in the next router at the start of t + 1 + delay.
void Invariants::note_flights(Cycle cycle) {
  flits_under_way_.assign(states_.size() * kMaxPorts * kMaxVcs, 0);
  credits_under_way_ = flits_under_way_;
  while (!flights_.empty() && flights_.front().granted + 1 + kMaxLinkRegisters < cycle) {
    flights_.pop_front();
  }
  for (const Flight& flight : flights_) {
    const Grant& grant = flight.grant;
    if (cycle <= flight.granted + delay(flight.out)) {
      ++flits_under_way_[place(flight.node, flight.out, grant.out_vc)];
      ++under_way_;
    }
    if (cycle <= flight.granted + delay(grant.in_port)) {
      ++credits_under_way_[place(flight.node, grant.in_port, grant.in_vc)];
      ++under_way_;
    }
  }
  for (NodeId n = 0; n < states_.size(); ++n) {
    for (Port o = 0; o < kMaxPorts; ++o) {
      if (states_[n].grant[o].valid) flights_.push_back({cycle, n, o, states_[n].grant[o]});
    }
  }
}

void Invariants::check_credits(Cycle cycle, NodeId node) {
  const NetworkConfig& config = network_.config();
  for (Port o = 0; o < config.router.ports(); ++o) {
    const auto next = receiver_of(config, config.address(node), o);
    if (!next) continue;
    const NodeId there = config.id(next->address);
    for (Vc w = 0; w < config.router.output_vcs(o); ++w) {
      const int sum = states_[node].output[o][w].credits + flits_under_way_[place(node, o, w)] +
                      states_[there].input[next->port][w].count +
                      credits_under_way_[place(there, next->port, w)];
      if (sum != config.router.depth) {
        fail(cycle, node, fmt::format("output {} vc {}: credits and flits are {}", o, w, sum));
      }
    }
  }
}

void Invariants::check_owners(Cycle cycle, NodeId node) {
  std::array<std::array<int, kMaxVcs>, kMaxPorts> owners{};
  const RouterConfig& router = network_.config().router;
  for (Port i = 0; i < kMaxPorts; ++i) {
    for (Vc v = 0; v < kMaxVcs; ++v) {
      const InputVcState& input = states_[node].input[i][v];
      if (input.active) {
        ++owners[input.out_port][input.out_vc];
        const bool control = input.out_vc >= router.output_data_vcs(input.out_port);
        if (control != router.is_control(i, v)) {
          fail(cycle, node, fmt::format("input {} vc {} holds a VC of the other kind", i, v));
        }
      }
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
  const Cycle sent = cycle + (network_.config().router.stages > 1 ? 1 : 0);
  for (Port o = 0; o < kMaxPorts; ++o) {
    if (const Grant& grant = states_[node].grant[o]; grant.valid) {
      const Passed passed{node, o, grant.in_port, grant.in_vc, grant.out_vc};
      if (sent != cycle) expected_granted_.insert(passed);
      expected_moved_.emplace(sent, passed);
    }
    const VaGrant& va = states_[node].va_grant[o];
    if (va.valid) expected_allocated_.emplace(node, o, va.in_port, va.in_vc, va.out_vc);
  }
}

void Invariants::compare_events(Cycle cycle) {
  const auto compare = [&](const char* what, auto& seen, auto& expected) {
    if (seen != expected) {
      fail(cycle, 0,
           fmt::format("{}: {} before this cycle, the registers imply {}", what, seen.size(),
                       expected.size()));
    }
    seen.clear();
    expected.clear();
  };
  compare("blocked", blocked_, expected_blocked_);
  compare("granted", granted_, expected_granted_);
  compare("allocated", allocated_, expected_allocated_);
  std::set<std::pair<Cycle, Passed>> due;
  while (!expected_moved_.empty() && expected_moved_.begin()->first < cycle) {
    due.insert(expected_moved_.extract(expected_moved_.begin()));
  }
  compare("moved", moved_, due);
}

void Invariants::allocated(Cycle, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) {
  allocated_.emplace(node, out, in, in_vc, out_vc);
}

void Invariants::granted(Cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  granted_.emplace(node, out, in, in_vc, flit.vc);
}

void Invariants::moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) {
  moved_.emplace(cycle, Passed{node, out, in, in_vc, flit.vc});
}

void Invariants::blocked(Cycle, NodeId node, Port in, Vc in_vc, Port out, BlockCause cause) {
  blocked_.emplace(node, in, in_vc, out, cause);
  ++causes_[static_cast<std::size_t>(cause)];
}

}  // namespace annelid::systemc
