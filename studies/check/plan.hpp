// What `annelid check` simulates: for each algorithm the networks, and on each the calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulation/scenario/scenario.hpp"
#include "studies/check/calls.hpp"
#include "studies/check/numbers.hpp"

namespace annelid::studies {

/// A network of one kind of router, firmware, and the calls that one process makes there, one
/// after the other.
struct CheckJob {
  const reference::Algorithm* algorithm = nullptr;
  systemc::NetworkConfig network;
  simulation::FirmwareChoice firmware;
  std::vector<simulation::Collective> calls;
  double seconds = 0;  ///< of one core, estimated

  /// Couples are made for NICs that do not send and receive at once (2Tree, Section 5.2): they have
  /// them on one-port routers.
  [[nodiscard]] bool half_duplex() const {
    return algorithm->name == "two-tree-couples" && network.router.one_port();
  }
};

/// What is to be checked.
struct CheckRequest {
  std::vector<const reference::Algorithm*> algorithms;
  std::vector<systemc::NetworkConfig> networks;  ///< the kind of their routers does not matter
  std::vector<RankNumbers> ranks;  ///< in place of networks: --ranks, algorithms by rank alone
  std::vector<systemc::RouterKind> routers;
  std::vector<simulation::FirmwareChoice> firmwares;
  CheckScope scope;
  bool every = false;  ///< every call on every router and firmware, whatever that costs
};

/// A call that is not made.
struct LeftOut {
  enum class Why : std::uint8_t {
    kSampled,   ///< long, and made on other networks or with another root
    kTooDear,   ///< too long to simulate at all
    kTooLarge,  ///< the buffers of all nodes are
    kTooLong,   ///< a message would be
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

/// Networks of every kind that algorithms are made for: meshes, tori, mixed, one to three
/// dimensions; squares, powers, odd sizes; the larger ones unless the scope is quick.
[[nodiscard]] std::vector<systemc::NetworkConfig> check_networks(const CheckScope& scope);

/// The jobs of all algorithms on the networks that they support. A call that takes no time is made
/// in every combination of firmware and router; a longer one on each firmware, with the routers in
/// turn; one that takes long once, with the combinations in turn: so each algorithm has all pairs
/// of payload, firmware and router, and of network, firmware and router. With `ranks` no call is
/// left out for being long, unless it is too long to simulate at all.
[[nodiscard]] CheckPlan plan_check(const CheckRequest& request);

/// The options of `annelid run` that make this call alone.
[[nodiscard]] std::string run_command(const CheckJob& job, const simulation::Collective& call);

/// "edn broadcast on 8x8 mesh, all-port, native".
[[nodiscard]] std::string describe(const CheckJob& job);

}  // namespace annelid::studies
