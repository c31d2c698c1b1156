// What must hold at the start of every cycle (docs/internals/microarchitecture.md, section 7), and
// that the blocked flits which the fabric reports are those that the registers imply.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "systemc/modules/network.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::systemc {

class Invariants final : public FabricObserver {
 public:
  explicit Invariants(Network& network) : network_(network) {}

  void cycle(Cycle cycle) override;
  void allocated(Cycle, NodeId, Port in, Vc in_vc, Port out, Vc out_vc) override;
  void granted(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit&) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit&) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, BlockCause) override;

  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }
  /// Flits and credits that were seen in switch and link registers.
  [[nodiscard]] std::uint64_t under_way() const { return under_way_; }
  /// How often each cause was seen, by BlockCause.
  [[nodiscard]] const std::vector<std::uint64_t>& causes() const { return causes_; }

 private:
  using Blocked = std::tuple<NodeId, Port, Vc, Port, BlockCause>;
  using Passed = std::tuple<NodeId, Port, Port, Vc, int>;  // node, output, input, its VC, out VC
  struct Flight {  // a flit on its way to the next router, and the credit that goes with it
    Cycle granted;
    NodeId node;
    Port out;
    Grant grant;
  };

  void fail(Cycle cycle, NodeId node, const std::string& what);
  void note_flights(Cycle cycle);
  void check_credits(Cycle cycle, NodeId node);
  [[nodiscard]] std::size_t place(NodeId node, Port port, Vc vc) const {
    return (std::size_t{node} * kMaxPorts + port) * kMaxVcs + vc;
  }
  [[nodiscard]] Cycle delay(Port port) const;
  void check_owners(Cycle cycle, NodeId node);
  void collect_expected(Cycle cycle, NodeId node);
  void compare_events(Cycle cycle);

  Network& network_;
  std::vector<RouterState> states_;
  std::set<Blocked> blocked_, expected_blocked_;
  std::set<Passed> granted_, expected_granted_, allocated_, expected_allocated_;
  std::set<std::pair<Cycle, Passed>> moved_, expected_moved_;
  std::deque<Flight> flights_;
  std::vector<int> flits_under_way_, credits_under_way_;  // by sender's output, by receiver's input
  std::uint64_t under_way_ = 0;
  std::vector<std::uint64_t> causes_ = {0, 0, 0};
  std::vector<std::string> violations_;
  std::uint64_t cycles_ = 0;
};

}  // namespace annelid::systemc
