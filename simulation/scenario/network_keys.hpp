// The network of every command: its keys and options, and how a result names it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "simulation/scenario/settings.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

[[nodiscard]] std::span<const Key> network_keys();

/// Whether networks with NICs have control VCs unless the settings say otherwise.
inline constexpr bool kControlVcWithNics = false;

/// The network that the settings describe; defaults that depend on other keys are resolved.
/// `control_vc` is that of router.control_vc. Throws InputError with the file and line, or the
/// option, of what is out of range.
[[nodiscard]] systemc::NetworkConfig read_network(const Settings& settings,
                                                  bool control_vc = false);

/// "8x8": the nodes of each dimension, as --size takes them.
[[nodiscard]] std::string size_text(const systemc::NetworkConfig& network);
/// "8x8 mesh", "16-node line", "16-node ring", "4x4x2 torus", "8x4 mesh x torus", "8x8 ideal
/// network".
[[nodiscard]] std::string describe_network(const systemc::NetworkConfig& network);
/// "all-port, 4 local ports, 1 VC of 4 flits", and what is not the default; of the ideal network
/// the local ports alone.
[[nodiscard]] std::string describe_router(const systemc::NetworkConfig& network);

/// The options of `annelid run` that give the network's shape: "--size 8x8 --topology mesh".
[[nodiscard]] std::string shape_options(const systemc::NetworkConfig& network);
/// Those, and the ones of its routers: "--size 8x8 --topology mesh --router all-port ...".
[[nodiscard]] std::string network_options(const systemc::NetworkConfig& network);

/// The objects "network" and "router" of result.json.
[[nodiscard]] nlohmann::ordered_json network_json(const systemc::NetworkConfig& network);
[[nodiscard]] nlohmann::ordered_json router_json(const systemc::NetworkConfig& network);

}  // namespace annelid::simulation
