// What `annelid check` simulates: for each algorithm the networks, and on each the calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/collective.hpp"
#include "cli/scenario.hpp"

namespace annelid::cli {

/// How much is simulated.
struct CheckScope {
  bool quick = false;      ///< up to 64 nodes, short payloads, sampled roots
  std::uint64_t seed = 1;  ///< of sampled roots, contents and skews
};

/// A network of one kind of router, firmware, and the calls that one process makes there, one
/// after the other.
struct CheckJob {
  const reference::Algorithm* algorithm = nullptr;
  NetworkConfig network;
  FirmwareChoice firmware;
  std::vector<Collective> calls;
};

/// Networks of every kind that algorithms are made for: meshes, tori, mixed, one to three
/// dimensions; squares, powers, odd sizes; the larger ones unless the scope is quick.
[[nodiscard]] std::vector<NetworkConfig> check_networks(const CheckScope& scope);

/// The calls of an algorithm on a network that it supports. Every root up to 64 nodes (quick: 16),
/// sampled ones beyond; each root with one of the payloads in turn, and two roots with each payload
/// (0, 1, 7, 8, 64, 1000, 65536 bytes; of reductions whole elements; quick: without the last). Of
/// reductions every operator and type in turn; every parameter of the algorithm; every third call
/// with processes that begin at different times. What would be too much for one call is left out.
[[nodiscard]] std::vector<Collective> check_calls(const reference::Algorithm& algorithm,
                                                  const NetworkConfig& network,
                                                  const CheckScope& scope);

/// The options of `annelid run` that make this call alone.
[[nodiscard]] std::string run_command(const CheckJob& job, const Collective& call);

/// "edn broadcast on 8x8 mesh, all-port, native".
[[nodiscard]] std::string describe(const CheckJob& job);

}  // namespace annelid::cli
