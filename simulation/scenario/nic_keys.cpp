#include "simulation/scenario/nic_keys.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;

// The limits are those of validate() in nic/nic.cpp.
constexpr std::array kNicKeys = {
    Key{"nic.eager_bytes", Kind::kInteger, "an integer, bytes", "--eager-bytes", "N",
        "Longest message that need not wait for its receive, 0 to 4096, a multiple of 8"},
    Key{"nic.alpha", Kind::kInteger, "an integer, cycles", "--alpha", "N",
        "Start-up of a send, one after the other in a node"},
    Key{"nic.gamma", Kind::kInteger, "an integer, cycles", "--gamma", "N",
        "Reception of a message"},
    Key{"nic.memory_flits", Kind::kInteger, "an integer, flits", "--memory-flits", "N",
        "Accesses of a node's engines to its memory per cycle, 1 to 64; 0: no limit"},
    Key{"nic.combine_lanes", Kind::kInteger, "an integer, flits", "--combine-lanes", "N",
        "Flits that a node starts to combine per cycle, 1 to 8"},
    Key{"nic.half_duplex", Kind::kBoolean, "true or false", "--half-duplex", "BOOL",
        "A local port does not inject while it consumes: true or false"},
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
      integer("nic.combine_lanes", static_cast<std::uint64_t>(network.router.local_ports), 1, 8);
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
