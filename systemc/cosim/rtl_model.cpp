#include "systemc/cosim/rtl_model.hpp"

#include <algorithm>
#include <string_view>

#include "systemc/network/rtl_parameters.hpp"

namespace {

struct RtlEntry {
  annelid::systemc::RouterConfig config;
  bool ci;
  annelid::systemc::RtlMaker make;  // null: not Verilated
};

/// A row of rtl/configurations.txt.
RtlEntry row(const char* parameters, std::string_view set, annelid::systemc::RtlMaker make) {
  return {annelid::systemc::router_of_rtl(parameters), set == "ci", make};
}

}  // namespace

#include "cosim/rtl_registry.inc"  // declares a maker per Verilated row, and kRtlEntries

namespace annelid::systemc {
namespace {

/// What decides whether a compiled router serves `wanted`. Whether deadlock is allowed matters only
/// where there is something to allow, and the kind of classes only in rings.
bool serves(const RouterConfig& compiled, RouterConfig wanted) {
  if (!wanted.has_rings()) wanted.classes = compiled.classes;
  wanted.allow_deadlock = compiled.allow_deadlock;
  return compiled == wanted;
}

}  // namespace

std::string describe(const RouterConfig& c) {
  auto counted = [](int n, const char* what) {
    return ", " + std::to_string(n) + " " + what + (n == 1 ? "" : "s");
  };
  std::string text = name_of(c.kind);
  text += counted(c.dims, "dimension") + counted(c.local_ports, "local port") +
          counted(c.vcs, "VC") + counted(c.local_vcs, "local VC") +
          (c.control_vc ? ", control VCs" : "") + ", depth " + std::to_string(c.depth) +
          counted(c.stages, "stage") + counted(c.link_registers, "link register") + ", " +
          name_of(c.arbiters) + ", " + name_of(c.routing);
  if (c.allocator != RouterConfig{}.allocator) {
    text += std::string(", ") + name_of(c.allocator) + " allocator";
  }
  if (c.iterations != 1) text += counted(c.iterations, "iteration");
  if (c.vc_selection != RouterConfig{}.vc_selection) {
    text += std::string(", VC selection ") + name_of(c.vc_selection);
  }
  if (!c.has_rings()) return text + ", mesh";
  text += ", torus in ";
  for (int d = 0; d < kMaxDims; ++d) {
    if (c.torus[static_cast<std::size_t>(d)]) text += "xyz"[d];
  }
  return text + ", " + name_of(c.classes);
}

const std::vector<ListedRouter>& listed_rtl_configurations() {
  static const std::vector<ListedRouter> all = [] {
    std::vector<ListedRouter> routers;
    routers.reserve(kRtlEntries.size());
    for (const RtlEntry& e : kRtlEntries) routers.push_back({e.config, e.ci, e.make != nullptr});
    return routers;
  }();
  return all;
}

std::vector<RouterConfig> rtl_configurations() {
  std::vector<RouterConfig> verilated;
  for (const RtlEntry& entry : kRtlEntries) {
    if (entry.make != nullptr) verilated.push_back(entry.config);
  }
  return verilated;
}

namespace {

std::vector<RtlEntry>& added() {
  static std::vector<RtlEntry> entries;
  return entries;
}

/// The maker of such a router; null if there is none.
RtlMaker maker_of(const RouterConfig& config) {
  const auto fits = [&](const RtlEntry& entry) {
    return entry.make != nullptr && serves(entry.config, config);
  };
  if (const auto built = std::ranges::find_if(kRtlEntries, fits); built != kRtlEntries.end())
    return built->make;
  const auto later = std::ranges::find_if(added(), fits);
  return later == added().end() ? nullptr : later->make;
}

RtlMaker required_maker_of(const RouterConfig& config) {
  if (const RtlMaker make = maker_of(config)) return make;
  const auto verilated = std::ranges::count_if(
      kRtlEntries, [](const RtlEntry& entry) { return entry.make != nullptr; });
  if (verilated == 0) {
    throw ConfigError("rtl", "a build without Verilated routers",
                      "one configured with -DANNELID_RTL=ci, as scripts/test makes it");
  }
  throw ConfigError("rtl", describe(config),
                    "one of the " + std::to_string(verilated) +
                        " routers of rtl/configurations.txt that this build has Verilated");
}

}  // namespace

void add_rtl_model(const RouterConfig& config, RtlMaker make) {
  added().push_back({config, false, make});
}

bool has_rtl_model(const RouterConfig& config) { return maker_of(config) != nullptr; }

void require_rtl_model(const RouterConfig& config) { (void)required_maker_of(config); }

std::unique_ptr<RtlModel> make_rtl_model(const RouterConfig& config) {
  return required_maker_of(config)(config);
}

}  // namespace annelid::systemc
