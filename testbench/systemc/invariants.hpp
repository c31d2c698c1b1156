// What must hold at the start of every cycle (docs/microarchitecture.md, section 7), and that the
// blocked flits which the fabric reports are those that the registers imply.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "systemc/network.hpp"
#include "systemc/observer.hpp"

namespace annelid {

class Invariants final : public FabricObserver {
 public:
  explicit Invariants(Network& network) : network_(network) {}

  void cycle(Cycle cycle) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit&) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, BlockCause) override;

  [[nodiscard]] const std::vector<std::string>& violations() const { return violations_; }
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }
  /// How often each cause was seen, by BlockCause.
  [[nodiscard]] const std::vector<std::uint64_t>& causes() const { return causes_; }

 private:
  using Blocked = std::tuple<NodeId, Port, Vc, Port, BlockCause>;
  using Moved = std::tuple<NodeId, Port, Port, Vc>;  // node, output, input, input VC

  void fail(Cycle cycle, NodeId node, const std::string& what);
  void check_credits(Cycle cycle, NodeId node);
  void check_owners(Cycle cycle, NodeId node);
  void collect_expected(Cycle cycle, NodeId node);
  void compare_events(Cycle cycle);

  Network& network_;
  std::vector<RouterState> states_;
  std::set<Blocked> blocked_, expected_blocked_;
  std::set<Moved> moved_, expected_moved_;
  std::vector<std::uint64_t> causes_ = {0, 0, 0};
  std::vector<std::string> violations_;
  std::uint64_t cycles_ = 0;
};

}  // namespace annelid
