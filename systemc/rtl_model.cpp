#include "systemc/rtl_model.hpp"

namespace {
struct RtlEntry {
  annelid::RouterConfig config;
  std::unique_ptr<annelid::RtlModel> (*make)(const annelid::RouterConfig&);
};
}  // namespace

#include "rtl/rtl_registry.inc"  // declares a maker per configuration, and kRtlEntries

namespace annelid {
namespace {

std::string shown(const RouterConfig& c) {
  return std::to_string(c.local_ports) + "/" + std::to_string(c.vcs) + "/" +
         std::to_string(c.local_vcs) + "/" + std::to_string(c.depth);
}

}  // namespace

const std::vector<RouterConfig>& rtl_configurations() {
  static const std::vector<RouterConfig> all = [] {
    std::vector<RouterConfig> configs;
    configs.reserve(kRtlEntries.size());
    for (const RtlEntry& entry : kRtlEntries) configs.push_back(entry.config);
    return configs;
  }();
  return all;
}

std::unique_ptr<RtlModel> make_rtl_model(const RouterConfig& config) {
  std::string known;
  for (const RtlEntry& entry : kRtlEntries) {
    if (entry.config == config) return entry.make(config);
    known += (known.empty() ? "" : ", ") + shown(entry.config);
  }
  throw ConfigError("rtl", "local_ports/vcs/local_vcs/depth " + shown(config),
                    "one of the Verilated configurations: " + known);
}

}  // namespace annelid
