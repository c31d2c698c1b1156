#include "systemc/cosim/rtl_model.hpp"

#include <algorithm>
#include <string_view>

namespace {

struct RtlEntry {
  annelid::systemc::RouterConfig config;
  bool ci;
  annelid::systemc::RtlMaker make;  // null: not Verilated
};

/// A row of rtl/configurations.txt, in its order.
RtlEntry row(int one_port, int dims, int local_ports, int vcs, int local_vcs, int control_vc,
             int depth, int stages, int link_registers, int matrix, unsigned rings, int classes,
             int allow_deadlock, std::string_view set, annelid::systemc::RtlMaker make) {
  using namespace annelid;
  using namespace annelid::systemc;
  systemc::RouterConfig c;
  c.kind = one_port != 0 ? RouterKind::kOnePort : RouterKind::kAllPort;
  c.dims = dims;
  c.local_ports = local_ports;
  c.vcs = vcs;
  c.local_vcs = local_vcs;
  c.control_vc = control_vc != 0;
  c.depth = depth;
  c.stages = stages;
  c.link_registers = link_registers;
  c.arbiters = matrix != 0 ? ArbiterKind::kMatrix : ArbiterKind::kRoundRobin;
  for (std::size_t d = 0; d < kMaxDims; ++d) c.torus[d] = (rings >> d & 1) != 0;
  c.classes = classes == 3 ? TorusClasses::kPlh : TorusClasses::kDateline;
  c.allow_deadlock = allow_deadlock != 0;
  return {c, set == "ci", make};
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
  std::string text = c.one_port() ? "one-port" : "all-port";
  text += counted(c.dims, "dimension") + counted(c.local_ports, "local port") +
          counted(c.vcs, "VC") + counted(c.local_vcs, "local VC") +
          (c.control_vc ? ", control VCs" : "") + ", depth " + std::to_string(c.depth) +
          counted(c.stages, "stage") + counted(c.link_registers, "link register") +
          (c.arbiters == ArbiterKind::kMatrix ? ", matrix" : ", round-robin");
  if (!c.has_rings()) return text + ", mesh";
  text += ", torus in ";
  for (int d = 0; d < kMaxDims; ++d) {
    if (c.torus[static_cast<std::size_t>(d)]) text += "xyz"[d];
  }
  return text + (c.classes == TorusClasses::kPlh ? ", p/l/h" : ", dateline");
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
