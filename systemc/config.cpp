#include "systemc/config.hpp"

#include <string>

namespace annelid {
namespace {

void check_range(const char* key, int value, int low, int high) {
  if (value < low || value > high) {
    throw ConfigError(key, std::to_string(value),
                      std::to_string(low) + ".." + std::to_string(high));
  }
}

}  // namespace

void validate(const RouterConfig& config) {
  check_range("router.local_ports", config.local_ports, 1, kMaxLocalPorts);
  check_range("router.vcs", config.vcs, 1, kMaxVcs);
  check_range("router.local_vcs", config.local_vcs, 1, kMaxVcs);
  check_range("router.depth", config.depth, 1, kMaxDepth);
}

void validate(const NetworkConfig& config) {
  check_range("network.size_x", config.size_x, 1, 256);
  check_range("network.size_y", config.size_y, 1, 256);
  validate(config.router);
}

}  // namespace annelid
