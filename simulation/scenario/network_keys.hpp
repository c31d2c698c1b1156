// The network of every command: its keys and options, and its names in results.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "simulation/scenario/settings.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

[[nodiscard]] std::span<const Key> network_keys();

/// Whether networks with NICs have control VCs unless the settings say otherwise.
inline constexpr bool kControlVcWithNics = true;

/// Reads the network that the settings describe, and resolves defaults that depend on other keys.
/// `control_vc` is the default of router.control_vc. Throws InputError for a value out of range;
/// the error names the file and line, or the option. So for a value that this network has no use
/// for.
[[nodiscard]] systemc::NetworkConfig read_network(const Settings& settings,
                                                  bool control_vc = false);
/// Reads a network from settings that give every value, of use or not, as a flit log does.
[[nodiscard]] systemc::NetworkConfig read_whole_network(const Settings& settings,
                                                        bool control_vc = false);

/// "8x8": the nodes of each dimension, as --size takes them.
[[nodiscard]] std::string size_text(const systemc::NetworkConfig& network);
/// "8x8 mesh", "16-node line", "16-node ring", "4x4x2 torus", "8x4 mesh x torus", "8x8 ideal
/// network".
[[nodiscard]] std::string describe_network(const systemc::NetworkConfig& network);
/// "all-port, 4 local ports, 1 VC of 4 flits", followed by what differs from the default, and with
/// rings by their classes. For the ideal network "none; 4 local ports, 1 VC of 4 flits", and
/// whether there are control VCs.
[[nodiscard]] std::string describe_router(const systemc::NetworkConfig& network);

/// The options of `annelid run` that give the network's shape: "--size 8x8 --topology mesh".
[[nodiscard]] std::string shape_options(const systemc::NetworkConfig& network);
/// Returns these options and those of the routers: "--size 8x8 --topology mesh --router all-port
/// ...".
[[nodiscard]] std::string network_options(const systemc::NetworkConfig& network);

/// Return the objects "network" and "router" of result.json.
[[nodiscard]] nlohmann::ordered_json network_json(const systemc::NetworkConfig& network);
[[nodiscard]] nlohmann::ordered_json router_json(const systemc::NetworkConfig& network);

}  // namespace annelid::simulation
