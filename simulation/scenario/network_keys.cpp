#include "simulation/scenario/network_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/input_error.hpp"
#include "base/nearest.hpp"

namespace annelid::simulation {
namespace {

using Kind = Key::Kind;
using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> kTopologies = {"mesh", "torus"};
constexpr std::string_view kIdeal = "ideal";
constexpr std::array<std::string_view, 2> kRouterKinds = {"all-port", "one-port"};
constexpr std::array<std::string_view, 2> kArbiters = {"round-robin", "matrix"};
constexpr std::array<std::string_view, 2> kClasses = {"dateline", "plh"};

// The limits are those of validate() in systemc/network/config.cpp.
constexpr std::array kNetworkKeys = {
    Key{"network.size", Kind::kIntegers, "one to three integers, the nodes of each dimension",
        "--size", "NxM",
        "Number of nodes in each dimension, as in 16, 8x8 or 4x4x4. A dimension has 1 to 256 "
        "nodes.",
        "8x8"},
    Key{"network.topology", Kind::kTexts,
        "\"mesh\" or \"torus\", or one of them per dimension; or \"ideal\"", "--topology", "NAME",
        "mesh or torus, or one of them for each dimension, as in torus,mesh; or ideal. In an ideal "
        "network every node is one hop from every other node.",
        "mesh"},
    Key{"router.kind", Kind::kText, "\"all-port\" or \"one-port\"", "--router", "NAME",
        "Kind of router: all-port or one-port.", "all-port"},
    Key{"router.local_ports", Kind::kInteger, "an integer", "--local-ports", "N",
        "Number of injection ports and of ejection ports, from 1 to twice the number of "
        "dimensions. "
        "A one-port router has 1.",
        "twice the number of dimensions; 1 for a one-port router"},
    Key{"router.vcs", Kind::kInteger, "an integer", "--vcs", "N",
        "Virtual channels for data in each channel between routers, 1 to 8. A torus needs at least "
        "one for each class.",
        "1; in a torus one for each class"},
    Key{"router.local_vcs", Kind::kInteger, "an integer", "--local-vcs", "N",
        "Virtual channels for data in each injection and ejection channel, 1 to 8. With 2 or more "
        "and no control virtual channels, NICs send their control packets on the last one.",
        "1"},
    Key{"router.control_vc", Kind::kBoolean, "true or false", "--control-vc", "BOOL",
        "true adds virtual channels that only the NICs' control packets use: one for each class "
        "between routers, and one in each injection and ejection channel.",
        "true for nodes with NICs, false for traffic, sweep and cost"},
    Key{"router.depth", Kind::kInteger, "an integer, flits", "--depth", "N",
        "Flits that the buffer of a virtual channel holds, 1 to 64.",
        "4, or the length of the credit loop if that is more"},
    Key{"router.stages", Kind::kInteger, "an integer", "--stages", "N",
        "Pipeline stages of a router, 1 to 4.", "1"},
    Key{"router.link_registers", Kind::kInteger, "an integer", "--link-registers", "N",
        "Registers in each channel between routers, 0 to 4.", "0"},
    Key{"router.arbiters", Kind::kText, "\"round-robin\" or \"matrix\"", "--arbiters", "NAME",
        "Kind of arbiter: round-robin, or matrix, which serves the input that was served least "
        "recently.",
        "round-robin"},
    Key{"router.classes", Kind::kText, "\"dateline\" or \"plh\"", "--classes", "NAME",
        "Classes of virtual channels that keep a torus free of deadlock: dateline has 2, plh has "
        "3.",
        "dateline"},
    Key{"router.allow_deadlock", Kind::kBoolean, "true or false", "--allow-deadlock", "BOOL",
        "true accepts a network that can deadlock.", "false"},
};

void read_shape(const Settings& s, systemc::NetworkConfig& network) {
  systemc::RouterConfig& router = network.router;
  if (const auto sizes = s.integers("network.size"); !sizes.empty()) {
    if (sizes.size() > kMaxDims) s.refuse("network.size", "one to three integers");
    router.dims = static_cast<int>(sizes.size());
    network.size = {1, 1, 1};
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      // validate() refuses it; the clamp keeps it an int until then.
      network.size[d] =
          static_cast<int>(std::clamp<std::int64_t>(sizes[d], -1, systemc::kMaxNodes + 1));
    }
  }
  const auto topologies = s.texts("network.topology");
  const auto dims = static_cast<std::size_t>(router.dims);
  if (topologies.empty()) return;
  network.ideal = topologies.size() == 1 && topologies[0] == kIdeal;
  if (network.ideal) return;
  if (topologies.size() != 1 && topologies.size() != dims) {
    s.refuse("network.topology", fmt::format("one for all, or {}: one for each dimension", dims));
  }
  for (std::size_t d = 0; d < dims; ++d) {
    const std::string& name = topologies[topologies.size() == 1 ? 0 : d];
    if (name != kTopologies[0] && name != kTopologies[1]) {
      constexpr std::array kKnown = {kTopologies[0], kTopologies[1], kIdeal};
      s.refuse("network.topology",
               "\"mesh\" or \"torus\", for all or for each dimension, or "
               "\"ideal\" alone" +
                   (name == kIdeal ? "" : did_you_mean(name, kKnown)));
    }
    router.torus[d] = name == kTopologies[1];
  }
}

int integer(const Settings& s, const char* key, int otherwise) {
  return static_cast<int>(s.integer(key, otherwise));
}

/// What is between routers. In the ideal network it keeps its defaults.
void read_channels(const Settings& s, systemc::RouterConfig& router) {
  router.arbiters = static_cast<systemc::ArbiterKind>(s.choice("router.arbiters", kArbiters, 0));
  router.classes = static_cast<systemc::TorusClasses>(s.choice("router.classes", kClasses, 0));
  router.allow_deadlock = s.boolean("router.allow_deadlock", false);
  router.stages = integer(s, "router.stages", 1);
  router.link_registers = integer(s, "router.link_registers", 0);
  const int classes = router.classes == systemc::TorusClasses::kPlh ? 3 : 2;
  router.vcs = integer(s, "router.vcs", router.has_rings() ? classes : 1);
}

/// Values for what the network does not have. Those of a file are accepted if the command line
/// replaces its topology: so a scenario can be run on others.
void refuse_idle_network_keys(const Settings& s, const systemc::NetworkConfig& network) {
  if (network.ideal) {
    for (const char* key : {"router.vcs", "router.stages", "router.link_registers",
                            "router.arbiters", "router.classes", "router.allow_deadlock"}) {
      s.refuse_idle(key, "network.topology",
                    "a value for an ideal network, which has no channels between routers",
                    "a mesh or torus");
    }
  } else if (!network.router.has_rings()) {
    s.refuse_idle("router.classes", "network.topology",
                  fmt::format("a value for the {}, which has no rings", describe_network(network)),
                  "a torus, whose rings need classes");
  }
}

/// The options of the keys that have a value.
std::string options_text(const Json& values) {
  std::string text;
  for (const Key& key : kNetworkKeys) {
    std::string path = std::string("/") + key.name;
    std::ranges::replace(path, '.', '/');
    const Json::json_pointer place(path);
    if (!values.contains(place)) continue;  // of the ideal network few are left
    const Json& value = values.at(place);
    std::vector<std::string> items;
    for (const Json& item : value.is_array() ? value : Json::array({value})) {
      items.push_back(item.is_string() ? item.get<std::string>() : item.dump());
    }
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", key.option,
                        fmt::join(items, key.kind == Kind::kIntegers ? "x" : ","));
  }
  return text;
}

std::string vcs_text(int vcs, int depth) {
  return fmt::format("{} VC{} of {} flit{}", vcs, vcs == 1 ? "" : "s", depth,
                     depth == 1 ? "" : "s");
}

}  // namespace

std::span<const Key> network_keys() { return kNetworkKeys; }

systemc::NetworkConfig read_whole_network(const Settings& s, bool control_vc) {
  systemc::NetworkConfig network;
  systemc::RouterConfig& router = network.router;
  read_shape(s, network);
  router.kind = static_cast<systemc::RouterKind>(s.choice("router.kind", kRouterKinds, 0));
  router.local_ports = integer(s, "router.local_ports", router.one_port() ? 1 : 2 * router.dims);
  router.local_vcs = integer(s, "router.local_vcs", 1);
  router.control_vc = s.boolean("router.control_vc", control_vc);
  if (!network.ideal) read_channels(s, router);
  router.depth = integer(s, "router.depth", router.default_depth());
  s.checked([&] { validate(network); });
  return network;
}

systemc::NetworkConfig read_network(const Settings& s, bool control_vc) {
  const systemc::NetworkConfig network = read_whole_network(s, control_vc);
  refuse_idle_network_keys(s, network);
  return network;
}

std::string size_text(const systemc::NetworkConfig& n) {
  return fmt::format("{}", fmt::join(n.size.begin(), n.size.begin() + n.dims(), "x"));
}

std::string describe_network(const systemc::NetworkConfig& n) {
  if (n.dims() == 1) {
    const char* const kind = n.ideal ? "ideal network" : n.is_ring(0) ? "ring" : "line";
    return fmt::format("{}-node {}", n.size_of(0), kind);
  }
  const std::string size = size_text(n);
  std::string kinds;
  bool mixed = false;
  for (int d = 0; d < n.dims(); ++d) {
    kinds += fmt::format("{}{}", d == 0 ? "" : " x ", n.is_ring(d) ? "torus" : "mesh");
    mixed |= n.is_ring(d) != n.is_ring(0);
  }
  if (n.ideal) return size + " ideal network";
  if (mixed) return size + " " + kinds;
  return size + (n.is_ring(0) ? " torus" : " mesh");
}

std::string describe_router(const systemc::NetworkConfig& n) {
  const systemc::RouterConfig& r = n.router;
  const std::string ports =
      fmt::format("{} local port{}", r.local_ports, r.local_ports == 1 ? "" : "s");
  const char* const control = r.control_vc ? ", control VCs" : "";
  if (n.ideal) return fmt::format("none; {}, {}{}", ports, vcs_text(r.local_vcs, r.depth), control);
  std::string text = fmt::format("{}, {}, {}", kRouterKinds[static_cast<int>(r.kind)], ports,
                                 vcs_text(r.vcs, r.depth));
  if (r.local_vcs != 1) text += fmt::format(", {} local VCs", r.local_vcs);
  text += control;
  if (r.stages != 1) text += fmt::format(", {} stages", r.stages);
  if (r.link_registers != 0) text += fmt::format(", {} link registers", r.link_registers);
  if (r.arbiters != systemc::ArbiterKind::kRoundRobin) text += ", matrix arbiters";
  if (r.has_rings()) {
    text += r.ring_classes() == 1
                ? ", no classes"
                : fmt::format(", {} classes", kClasses[static_cast<int>(r.classes)]);
  }
  return text;
}

Json network_json(const systemc::NetworkConfig& n) {
  Json topology = Json::array(), size = Json::array();
  bool mixed = false;
  for (int d = 0; d < n.dims(); ++d) {
    topology.push_back(kTopologies[n.is_ring(d) ? 1 : 0]);
    size.push_back(n.size_of(d));
    mixed |= n.is_ring(d) != n.is_ring(0);
  }
  if (n.ideal) return {{"topology", kIdeal}, {"size", size}};
  return {{"topology", mixed ? topology : topology[0]}, {"size", size}};
}

Json router_json(const systemc::NetworkConfig& n) {
  const systemc::RouterConfig& r = n.router;
  Json json = {{"kind", kRouterKinds[static_cast<int>(r.kind)]}, {"local_ports", r.local_ports}};
  if (!n.ideal) json["vcs"] = r.vcs;
  json["local_vcs"] = r.local_vcs;
  json["control_vc"] = r.control_vc;
  json["depth"] = r.depth;
  if (n.ideal) return json;
  json["stages"] = r.stages;
  json["link_registers"] = r.link_registers;
  json["arbiters"] = kArbiters[static_cast<int>(r.arbiters)];
  json["classes"] = kClasses[static_cast<int>(r.classes)];
  json["allow_deadlock"] = r.allow_deadlock;
  return json;
}

std::string shape_options(const systemc::NetworkConfig& n) {
  return options_text({{"network", network_json(n)}});
}

std::string network_options(const systemc::NetworkConfig& n) {
  return options_text({{"network", network_json(n)}, {"router", router_json(n)}});
}

}  // namespace annelid::simulation
