// Rationale: a Verilated router stands in a network where a native one could, and nobody around it
// can tell. So the same traffic over native routers, over RTL alone, and over a mixture must leave
// the same flit log, byte for byte, and the same report of every grant and every blocked flit.
// State space: all channels of the network. Parameter space: every Verilated configuration, among
// them an all-port torus with 2 VCs, a one-port mesh, and three dimensions with four stages and
// link registers; the first of their rings have an even and an odd number of nodes.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "systemc/analysis/flit_log.hpp"
#include "systemc/analysis/observer_tee.hpp"
#include "systemc/cosim/rtl_router.hpp"
#include "systemc/modules/network.hpp"
#include "testbench/lockstep/configuration_name.hpp"
#include "testbench/systemc/traffic_node.hpp"

namespace annelid::lockstep {
namespace {

/// What routers report beside the flits that move, as text, in an order that does not depend on
/// who is stepped first.
class Reports final : public systemc::FabricObserver {
 public:
  void allocated(Cycle t, NodeId node, Port in, Vc in_vc, Port out, Vc out_vc) override {
    add(t, node, "allocated", in, in_vc, out, out_vc);
  }
  void granted(Cycle t, NodeId node, Port in, Vc in_vc, Port out,
               const systemc::Flit& flit) override {
    add(t, node, "granted", in, in_vc, out, flit.vc);
  }
  void moved(Cycle t, NodeId node, Port in, Vc in_vc, Port out,
             const systemc::Flit& flit) override {
    add(t, node, "moved", in, in_vc, out, flit.vc);
  }
  void blocked(Cycle t, NodeId node, Port in, Vc in_vc, Port out,
               systemc::BlockCause cause) override {
    add(t, node, "blocked", in, in_vc, out, static_cast<int>(cause));
  }
  void write(std::ostream& out) {
    std::stable_sort(lines_.begin(), lines_.end());
    for (const auto& [cycle, line] : lines_) out << cycle << " " << line << "\n";
  }

 private:
  void add(Cycle t, NodeId node, const char* what, int in, int in_vc, int out, int last) {
    std::ostringstream line;
    line << node << " " << what << " " << in << " " << in_vc << " " << out << " " << last;
    lines_.emplace_back(t, line.str());
  }
  std::vector<std::pair<Cycle, std::string>> lines_;
};

constexpr Cycle kLimit = 20'000;

/// The run itself, in a process of its own: a second elaboration in one process fails.
void simulate(const systemc::NetworkConfig& config, const std::set<NodeId>& rtl,
              std::ostream& out) {
  systemc::Fabric fabric("fabric");
  systemc::Network network("network", fabric, config, systemc::make_rtl_routers(rtl));
  systemc::Traffic traffic(
      "traffic", network,
      {.load = 0.8, .packet_flits = 6, .sink_stall = 0.3, .packets = 60, .seed = 7});
  std::ostringstream text;
  Reports reports;
  {
    systemc::FlitLog log(text, config);
    systemc::ObserverTee tee({&log, &reports});
    fabric.set_observer(&tee);
    const systemc::RunStatus status = fabric.run_until(kLimit);
    fabric.set_observer(nullptr);
    log.flush();
    out << to_string(status) << " " << fabric.flits_moved() << " flits moved, "
        << fabric.flits_in_flight() << " in flight\n";
  }
  out << text.str();
  reports.write(out);
}

std::string run(const systemc::NetworkConfig& config, const std::set<NodeId>& rtl) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("annelid-lockstep-" + std::to_string(getpid()));
  const pid_t child = fork();
  if (child == 0) {
    std::ofstream out(file);
    simulate(config, rtl, out);
    out.close();
    _exit(out.good() ? 0 : 1);
  }
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::filesystem::remove(file);
  return text.str();
}

/// The first line that differs, or "".
std::string first_difference(const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  for (std::string l, r; left || right;) {
    if (!std::getline(left, l)) l = "(end)";
    if (!std::getline(right, r)) r = "(end)";
    if (l != r) return "native: " + l + "\nother:  " + r;
  }
  return {};
}

systemc::NetworkConfig network_of(const systemc::RouterConfig& router) {
  systemc::NetworkConfig network{.size = {7, 1, 1}, .router = router};
  if (router.dims == 2) network.size = {4, 3, 1};
  if (router.dims == 3) network.size = {4, 3, 2};
  return network;
}

class NetworkLockstep : public ::testing::TestWithParam<systemc::RouterConfig> {};

TEST_P(NetworkLockstep, NativeAndRtlAndMixedNetworksLeaveTheSameLog) {
  const systemc::NetworkConfig config = network_of(GetParam());
  std::set<NodeId> all, some;
  for (NodeId n = 0; n < config.nodes(); ++n) {
    all.insert(n);
    if (n * 5 % 7 < 3) some.insert(n);
  }
  ASSERT_FALSE(some.empty());
  ASSERT_LT(some.size(), all.size());

  const std::string native = run(config, {});
  const std::string rtl = run(config, all);
  const std::string mixed = run(config, some);
  EXPECT_TRUE(native == rtl) << describe(config.router) << "\n" << first_difference(native, rtl);
  EXPECT_TRUE(native == mixed) << describe(config.router)
                               << "\nmixed: " << first_difference(native, mixed);

  const auto lines = [&](const std::string& word) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = native.find(word, at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const std::size_t flits = 60u * 6u * config.nodes();
  if (!config.router.allow_deadlock) {
    EXPECT_GT(lines(" moved "), flits) << "every flit crosses a switch at least twice, or ejects";
    EXPECT_EQ(native.substr(0, native.find(' ')), to_string(systemc::RunStatus::kQuiet));
  }
  // With one stage the grant is the move.
  EXPECT_GE(lines(" granted "), config.router.stages > 1 ? 1000u : 0u);
  EXPECT_GT(lines(" blocked "), 1000u);
  EXPECT_EQ(lines(" allocated ") > 0, config.router.stages == 4);
}

INSTANTIATE_TEST_SUITE_P(Verilated, NetworkLockstep,
                         ::testing::ValuesIn(systemc::rtl_configurations()),
                         [](const auto& test) { return configuration_name(test.param); });

}  // namespace
}  // namespace annelid::lockstep
