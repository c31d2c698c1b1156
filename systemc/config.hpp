// The shape of a network and of its routers (docs/microarchitecture.md, section 2).
#pragma once

#include <stdexcept>
#include <string>

#include "systemc/types.hpp"

namespace annelid {

/// A value that the hardware cannot have. `key()` is its name in a scenario, e.g. "router.depth".
class ConfigError : public std::invalid_argument {
 public:
  ConfigError(std::string key, const std::string& found, const std::string& expected)
      : std::invalid_argument(key + ": found " + found + ", expected " + expected),
        key_(std::move(key)),
        found_(found),
        expected_(expected) {}
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& found() const { return found_; }
  [[nodiscard]] const std::string& expected() const { return expected_; }

 private:
  std::string key_, found_, expected_;
};

struct RouterConfig {
  int local_ports = 4;  ///< L, 1..4
  int vcs = 1;          ///< V, virtual channels per external channel, 1..8
  int local_vcs = 1;    ///< VL, virtual channels per local channel, 1..8
  int depth = 4;        ///< D, flits per virtual channel, 1..64

  [[nodiscard]] int ports() const { return kExternalPorts + local_ports; }
  [[nodiscard]] int vcs_of(int port) const { return port < kExternalPorts ? vcs : local_vcs; }
  friend bool operator==(const RouterConfig&, const RouterConfig&) = default;
};

struct NetworkConfig {
  int size_x = 8, size_y = 8;  ///< nodes, 1..256 each
  RouterConfig router = {};

  [[nodiscard]] NodeId nodes() const { return static_cast<NodeId>(size_x * size_y); }
  [[nodiscard]] Address address(NodeId n) const {
    const auto width = static_cast<NodeId>(size_x);
    return {static_cast<std::uint8_t>(n % width), static_cast<std::uint8_t>(n / width), 0};
  }
  [[nodiscard]] NodeId id(Address a) const {
    return static_cast<NodeId>(a.y) * static_cast<NodeId>(size_x) + a.x;
  }
};

/// Throws ConfigError for the first value that is out of range.
void validate(const RouterConfig& config);
void validate(const NetworkConfig& config);

}  // namespace annelid
