// The choice among two permitted outputs, cycle by cycle: what routers do against room.hpp, which
// reads their registers from outside.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "systemc/modules/network.hpp"
#include "systemc/network/room.hpp"
#include "testbench/systemc/names.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::systemc {
namespace {

using ::testing::IsEmpty;

/// With one and two stages, every head that moves or waits is compared with the registers of its
/// cycle; with more, what RC stores with the registers of the cycle before.
class RoomObserver final : public FabricObserver {
 public:
  explicit RoomObserver(Network& network)
      : network_(network),
        config_(network.config()),
        states_(config_.nodes()),
        before_(config_.nodes()) {}

  void cycle(Cycle cycle) override {
    std::swap(states_, before_);
    const bool next = cycle == cycle_ + 1;
    cycle_ = cycle;
    for (NodeId n = 0; n < config_.nodes(); ++n) {
      network_.state(n, states_[n]);
      if (next && config_.router.stages >= 3) compare_routed(n);
    }
  }
  void granted(Cycle, NodeId node, Port in, Vc vc, Port out, const Flit& flit) override {
    if (flit.head && config_.router.stages == 2) compare(node, in, vc, out);
  }
  void moved(Cycle, NodeId node, Port in, Vc vc, Port out, const Flit& flit) override {
    if (flit.head && config_.router.stages == 1) compare(node, in, vc, out);
  }
  void blocked(Cycle, NodeId node, Port in, Vc vc, Port out, BlockCause cause) override {
    if (states_[node].input[in][vc].active) return;
    compare(node, in, vc, out);
    const HeadFields head = head_of(states_[node], in, vc);
    const VcRange open = open_vcs(config_.router, config_.router.is_control(in, vc), out,
                                  config_.address(node), head);
    bool all_owned = true;
    for (int w = open.first; w < open.first + open.count; ++w) {
      all_owned &= states_[node].output[out][static_cast<std::size_t>(w)].owned;
    }
    if (all_owned != (cause == BlockCause::kNoVc)) ++wrong_causes_;
  }

  [[nodiscard]] std::uint64_t compared() const { return compared_; }
  /// Where both outputs were permitted, and those at which the output of y was taken.
  [[nodiscard]] std::uint64_t choices() const { return choices_; }
  [[nodiscard]] std::uint64_t by_y() const { return by_y_; }
  /// Heads whose output was another one than in the cycle before, as they waited.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  [[nodiscard]] std::uint64_t wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t wrong_causes() const { return wrong_causes_; }

 private:
  static HeadFields head_of(const RouterState& state, Port in, Vc vc) {
    return unpack_head(state.input[in][vc].front.data);
  }
  void compare(NodeId node, Port in, Vc vc, Port out) { compare(states_[node], node, in, vc, out); }
  void compare(const RouterState& state, NodeId node, Port in, Vc vc, Port out) {
    const HeadFields head = head_of(state, in, vc);
    const Address here = config_.address(node);
    ++compared_;
    wrong_ += output_of_head(config_, here, head, state, in, vc) == out ? 0 : 1;
    const unsigned outputs = permitted_outputs(config_, here, head, in);
    if ((outputs & (outputs - 1)) == 0) return;
    ++choices_;
    by_y_ += out >= kPlusY ? 1 : 0;
    const auto [entry, first] = last_.try_emplace({node, in, vc, pack(head)}, out);
    if (!first && entry->second != out) ++changes_;
    entry->second = out;
  }
  void compare_routed(NodeId node) {
    for (Port in = 0; in < config_.router.ports(); ++in) {
      for (Vc vc = 0; vc < config_.router.input_vcs(in); ++vc) {
        const InputVcState& now = states_[node].input[in][vc];
        const InputVcState& was = before_[node].input[in][vc];
        if (!now.routed || was.routed || was.active || was.count == 0) continue;
        compare(before_[node], node, in, vc, now.out_port);
      }
    }
  }

  Network& network_;
  NetworkConfig config_;
  std::vector<RouterState> states_, before_;
  Cycle cycle_ = kNever - 1;
  std::map<std::tuple<NodeId, Port, Vc, std::uint64_t>, Port> last_;
  std::uint64_t compared_ = 0, choices_ = 0, by_y_ = 0, changes_ = 0, wrong_ = 0, wrong_causes_ = 0;
};

class TurnModelRouters : public ::testing::TestWithParam<NetworkConfig> {};

TEST_P(TurnModelRouters, TakeThePermittedOutputWithMoreRoomInEveryCycle) {
  const NetworkConfig& config = GetParam();
  Fabric fabric("fabric");
  Network network("network", fabric, config);
  Traffic traffic("traffic", network,
                  {.load = 0.8, .packet_flits = 4, .sink_stall = 0.1, .packets = 60, .seed = 3});
  RoomObserver observer(network);
  fabric.set_observer(&observer);
  ASSERT_EQ(fabric.run_until(100000), RunStatus::kQuiet);
  EXPECT_GT(observer.compared(), 5000u);
  EXPECT_GT(observer.choices(), 500u);
  EXPECT_GT(observer.by_y(), 100u);
  EXPECT_LT(observer.by_y(), observer.choices());
  EXPECT_EQ(observer.wrong(), 0u);
  EXPECT_EQ(observer.wrong_causes(), 0u);
  if (config.router.stages <= 2) {
    EXPECT_GT(observer.changes(), 10u) << "heads that wait change their minds";
  } else {
    EXPECT_EQ(observer.changes(), 0u) << "what RC has said holds";
  }
}

constexpr RouterConfig routed(RoutingKind routing, int vcs, int stages, bool control = false) {
  RouterConfig router{.local_ports = 4, .vcs = vcs, .depth = 4, .stages = stages};
  router.control_vc = control;
  router.routing = routing;
  return router;
}

INSTANTIATE_TEST_SUITE_P(
    EachPipeline, TurnModelRouters,
    ::testing::Values(NetworkConfig{{6, 5, 1}, routed(RoutingKind::kWestFirst, 1, 1)},
                      NetworkConfig{{6, 5, 1}, routed(RoutingKind::kNorthLast, 3, 1, true)},
                      NetworkConfig{{6, 5, 1}, routed(RoutingKind::kNegativeFirst, 2, 2)},
                      NetworkConfig{{6, 5, 1}, routed(RoutingKind::kOddEven, 1, 2)},
                      NetworkConfig{{6, 5, 1}, routed(RoutingKind::kOddEven, 2, 3)},
                      NetworkConfig{{6, 5, 1}, routed(RoutingKind::kWestFirst, 1, 3)},
                      NetworkConfig{{6, 5, 1}, routed(RoutingKind::kNegativeFirst, 3, 4, true)},
                      NetworkConfig{{6, 5, 1}, routed(RoutingKind::kNorthLast, 4, 4)}),
    ::testing::PrintToStringParamName());

}  // namespace
}  // namespace annelid::systemc
