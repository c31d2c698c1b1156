#include "systemc/network/config.hpp"

#include <string>

#include "systemc/network/channel_dependencies.hpp"
#include "systemc/network/routing.hpp"

namespace annelid::systemc {
namespace {

void check_range(const char* key, int value, int low, int high) {
  if (value < low || value > high) {
    throw ConfigError(key, std::to_string(value),
                      std::to_string(low) + ".." + std::to_string(high));
  }
}

void check_ranges(const RouterConfig& config) {
  for_each_range(config, [](const Parameter& parameter, int value, int low, int high) {
    check_range(parameter.key, value, low, high);
  });
  for (int d = config.dims; d < kMaxDims; ++d) {
    if (config.torus[static_cast<std::size_t>(d)]) {
      throw ConfigError(parameters::kTorus.key, "a ring in dimension " + std::to_string(d),
                        "rings in the " + std::to_string(config.dims) + " dimensions only");
    }
  }
  check_routing(config);
}

bool lacks_classes(const RouterConfig& config) {
  return config.has_rings() && config.ring_classes() == 1 && !config.allow_deadlock;
}

[[noreturn]] void refuse_vcs(const RouterConfig& config, const std::string& why) {
  throw ConfigError("router.vcs", std::to_string(config.vcs),
                    "at least " + std::to_string(config.wanted_classes()) +
                        " for the classes of a torus, or router.allow_deadlock = true" + why);
}

/// Data and control VCs of a channel.
void check_sum(const char* key, int data, int control) {
  if (data + control <= kMaxVcs) return;
  const std::string one = std::to_string(control) + (control == 1 ? " control VC" : " control VCs");
  throw ConfigError(key, std::to_string(data),
                    "at most " + std::to_string(kMaxVcs - control) + ", as " +
                        std::to_string(data) + " data VCs and " + one + " make " +
                        std::to_string(data + control) + " of at most " + std::to_string(kMaxVcs) +
                        ", or router.control_vc = false");
}

void check_sums(const RouterConfig& config) {
  if (!config.control_vc) return;
  check_sum("router.vcs", config.vcs, config.most_control_vcs());
  check_sum("router.local_vcs", config.local_vcs, 1);
}

}  // namespace

void validate(const RouterConfig& config) {
  check_ranges(config);
  if (lacks_classes(config)) refuse_vcs(config, "");
  check_sums(config);
}

void validate(const NetworkConfig& config) {
  static constexpr const char* kSizes[] = {"network.size[0]", "network.size[1]", "network.size[2]"};
  check_ranges(config.router);
  for (int d = 0; d < kMaxDims; ++d) {
    check_range(kSizes[d], config.size_of(d), 1, d < config.dims() ? kMaxSize : 1);
  }
  if (config.ideal && config.router.has_rings()) {
    throw ConfigError("network.topology", "an ideal network with rings", "one without");
  }
  if (lacks_classes(config.router)) {
    const auto cycle = find_cycle(config);
    refuse_vcs(config.router,
               cycle ? "; without them packets can wait on each other: " + cycle->text : "");
  }
  check_sums(config.router);
}

}  // namespace annelid::systemc
