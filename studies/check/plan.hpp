// The plan of `annelid check`: the networks for each algorithm, and the calls on each network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulation/scenario/scenario.hpp"
#include "studies/check/calls.hpp"
#include "studies/check/numbers.hpp"

namespace annelid::studies {

/// How often a prepared call is started.
inline constexpr int kStarts = 3;

/// A network with one kind of router, its firmware, and the calls that one process simulates there,
/// one after the other.
struct CheckJob {
  const reference::Algorithm* algorithm = nullptr;
  systemc::NetworkConfig network;
  simulation::FirmwareChoice firmware;
  std::vector<simulation::Collective> calls;
  double seconds = 0;                                        ///< of one core, estimated
  std::uint32_t eager_bytes = nic::NicConfig{}.eager_bytes;  ///< of the NICs

  /// Couples are made for NICs that do not send and receive at once (2Tree, Section 5.2): this is
  /// how NICs behave on one-port routers.
  [[nodiscard]] bool half_duplex() const {
    return algorithm->name == "two-tree-couples" && network.router.one_port();
  }
};

/// What to check.
struct CheckRequest {
  std::vector<const reference::Algorithm*> algorithms;
  std::vector<systemc::NetworkConfig> networks;  ///< their kind of router is ignored
  std::vector<RankNumbers> ranks;  ///< in place of networks: --ranks, algorithms by rank alone
  std::vector<systemc::RouterKind> routers;
  std::vector<simulation::FirmwareChoice> firmwares;
  CheckScope scope;
  std::uint32_t eager_bytes = nic::NicConfig{}.eager_bytes;  ///< of the NICs
  bool every = false;  ///< make every call on every router and firmware, whatever that costs
};

/// A call that is not made.
struct LeftOut {
  enum class Why : std::uint8_t {
    kSampled,   ///< long, and made on other networks or with another root
    kTooDear,   ///< too long to simulate at all
    kTooLarge,  ///< the buffers of all nodes together are too large
    kTooLong,   ///< a message would be too long
  };
  const reference::Algorithm* algorithm = nullptr;
  std::uint64_t bytes = 0;
  int nodes = 0;
  Why why = Why::kSampled;
};

struct CheckPlan {
  std::vector<CheckJob> jobs;  ///< by algorithm and network
  std::vector<LeftOut> left_out;
};

/// Returns networks of every kind that algorithms support: meshes, tori, mixed, one to three
/// dimensions; squares, powers, odd sizes; the larger ones unless the scope is quick.
[[nodiscard]] std::vector<systemc::NetworkConfig> check_networks(const CheckScope& scope);

/// Returns the jobs of all algorithms on the networks that they support. A call of negligible time
/// is made in every combination of firmware and router. A longer call is made on each firmware,
/// with the routers in turn. A long call is made once, with the combinations in turn. So each
/// algorithm covers all pairs of payload, firmware and router, and of network, firmware and router.
/// With `ranks`, a long call is left out only if it is too long to simulate at all.
[[nodiscard]] CheckPlan plan_check(const CheckRequest& request);

/// Returns the options of `annelid run` that make this call alone, as often as the check does.
[[nodiscard]] std::string run_command(const CheckJob& job, const simulation::Collective& call);

/// "edn broadcast on 8x8 mesh, all-port, native".
[[nodiscard]] std::string describe(const CheckJob& job);

}  // namespace annelid::studies
