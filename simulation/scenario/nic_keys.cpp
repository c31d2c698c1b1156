#include "simulation/scenario/nic_keys.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;

// The limits are those of validate() in nic/nic.cpp.
constexpr std::array kNicKeys = {
    Key{"nic.eager_bytes", Kind::kInteger, "an integer, bytes", "--eager-bytes", "N",
        "Length of the longest message that is sent before its receive is known: 0 to 4096 bytes, "
        "a multiple of 8. With 0 every message waits for its receive.",
        "64"},
    Key{"nic.alpha", Kind::kInteger, "an integer, cycles", "--alpha", "N",
        "Start-up time of a send, 0 to 1048576 cycles. The sends of a node start up one after the "
        "other.",
        "0"},
    Key{"nic.gamma", Kind::kInteger, "an integer, cycles", "--gamma", "N",
        "Time to receive a message, 0 to 1048576 cycles.", "0"},
    Key{"nic.memory_flits", Kind::kInteger, "an integer, flits", "--memory-flits", "N",
        "Accesses that a node's engines make to its memory in a cycle, 1 to 64. 0 sets no limit.",
        "0"},
    Key{"nic.combine_lanes", Kind::kInteger, "an integer, flits", "--combine-lanes", "N",
        "Flits that a node starts to combine in a cycle, 1 to 8.",
        "the number of local ports, but at least 2"},
    Key{"nic.half_duplex", Kind::kBoolean, "true or false", "--half-duplex", "BOOL",
        "true stops a local port from injecting in a cycle in which it consumes a flit.", "false"},
};

}  // namespace

std::span<const Key> nic_keys() { return kNicKeys; }

nic::NicConfig read_nic(const Settings& s, const systemc::NetworkConfig& network) {
  nic::NicConfig nic;
  nic.network = network;
  const auto integer = [&s](const char* key, std::uint64_t otherwise, std::int64_t low,
                            std::int64_t high) {
    return static_cast<std::uint32_t>(
        s.integer(key, static_cast<std::int64_t>(otherwise), low, high));
  };
  constexpr std::int64_t kMostCycles = 1 << 20;
  nic.eager_bytes = integer("nic.eager_bytes", nic.eager_bytes, 0, 4096);
  nic.alpha = integer("nic.alpha", nic.alpha, 0, kMostCycles);
  nic.gamma = integer("nic.gamma", nic.gamma, 0, kMostCycles);
  nic.memory_flits = integer("nic.memory_flits", nic.memory_flits, 0, 64);
  nic.combine_lanes =
      integer("nic.combine_lanes", nic::default_combine_lanes(network.router.local_ports), 1, 8);
  nic.half_duplex = s.boolean("nic.half_duplex", nic.half_duplex);
  s.checked([&] { validate(nic); });
  return nic;
}

nlohmann::ordered_json nic_json(const nic::NicConfig& nic) {
  return {{"eager_bytes", nic.eager_bytes},
          {"alpha", nic.alpha},
          {"gamma", nic.gamma},
          {"memory_flits", nic.memory_flits},
          {"combine_lanes", nic.combine_lanes},
          {"half_duplex", nic.half_duplex}};
}

}  // namespace annelid::simulation
