#include "simulation/scenario/network_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <vector>

#include "base/input_error.hpp"
#include "base/nearest.hpp"

namespace annelid::simulation {
namespace {

using systemc::Parameter;
using Kind = Key::Kind;
using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 2> kTopologies = {"mesh", "torus"};
constexpr std::string_view kIdeal = "ideal";
constexpr std::array kShapeKeys = {
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
};

constexpr bool has_option(const Parameter& parameter) { return parameter.option != nullptr; }

constexpr Key key_of(const Parameter& p) {
  const Kind kind = p.type == Parameter::Type::kInteger   ? Kind::kInteger
                    : p.type == Parameter::Type::kBoolean ? Kind::kBoolean
                                                          : Kind::kText;
  return {p.key, kind, p.shape, p.option, p.metavar, p.help, p.default_text};
}

/// The keys of the shape, and those of interface/router.toml.
constexpr auto kNetworkKeys = [] {
  constexpr auto kOptions = std::ranges::count_if(systemc::parameters::kAll, has_option);
  std::array<Key, kShapeKeys.size() + static_cast<std::size_t>(kOptions)> keys{};
  auto* next = std::ranges::copy(kShapeKeys, keys.begin()).out;
  for (const Parameter& parameter : systemc::parameters::kAll) {
    if (has_option(parameter)) *next++ = key_of(parameter);
  }
  return keys;
}();

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

void read_value(const Settings& s, const Parameter& parameter, int& value) {
  value = static_cast<int>(s.integer(parameter.key, value));
}
void read_value(const Settings& s, const Parameter& parameter, bool& value) {
  value = s.boolean(parameter.key, value);
}
template <typename Choice>
requires std::is_enum_v<Choice>
void read_value(const Settings& s, const Parameter& parameter, Choice& value) {
  std::vector<std::string_view> names;
  for (const systemc::ParameterValue& known : parameter.values) names.emplace_back(known.name);
  const auto now =
      std::ranges::find(parameter.values, static_cast<int>(value), &systemc::ParameterValue::code);
  const auto otherwise = static_cast<std::size_t>(now - parameter.values.begin());
  value = static_cast<Choice>(parameter.values[s.choice(parameter.key, names, otherwise)].code);
}
/// Rings are of the shape.
void read_value(const Settings&, const Parameter&, decltype(systemc::RouterConfig::torus)&) {}

/// In the ideal network, what is between routers keeps its default.
void read_parameters(const Settings& s, bool ideal, systemc::RouterConfig& router) {
  const auto read = [&](const Parameter& parameter, auto& value) {
    if (has_option(parameter) && (parameter.ideal || !ideal)) read_value(s, parameter, value);
  };
  for_each_parameter(router, read);
  // Where a default follows from other values, these are known now.
  for_each_derived_default(router, [&](const Parameter& parameter, auto& value, auto otherwise) {
    if (s.has(parameter.key) || (ideal && !parameter.ideal)) return;
    value = otherwise;
  });
}

/// Refuses values that the network has no use for: of routers in an ideal network, classes without
/// rings, and an order of dimensions where there is only one. Those of a file are accepted if the
/// command line gives the topology or size that decides this: so a scenario can be run on others.
void refuse_idle_network_keys(const Settings& s, const systemc::NetworkConfig& network) {
  if (network.ideal) {
    for (const Parameter& parameter : systemc::parameters::kAll) {
      if (parameter.ideal || !has_option(parameter)) continue;
      s.refuse_idle(parameter.key, "network.topology",
                    "a value for an ideal network, which has no channels between routers",
                    "a mesh or torus");
    }
    return;
  }
  if (!network.router.has_rings()) {
    s.refuse_idle(systemc::parameters::kClasses.key, "network.topology",
                  fmt::format("a value for the {}, which has no rings", describe_network(network)),
                  "a torus, whose rings need classes");
  }
  if (network.dims() == 1) {
    s.refuse_idle(
        systemc::parameters::kRouting.key, "network.size",
        fmt::format("a value for the {}, which has one dimension", describe_network(network)),
        "a network of two or three dimensions");
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
  router.control_vc = control_vc;
  read_parameters(s, network.ideal, router);
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
  std::string text = fmt::format("{}, {}, {}", name_of(r.kind), ports, vcs_text(r.vcs, r.depth));
  if (r.local_vcs != 1) text += fmt::format(", {} local VCs", r.local_vcs);
  text += control;
  if (r.stages != 1) text += fmt::format(", {} stages", r.stages);
  if (r.link_registers != 0) text += fmt::format(", {} link registers", r.link_registers);
  if (r.arbiters != systemc::RouterConfig{}.arbiters) {
    text += fmt::format(", {} arbiters", name_of(r.arbiters));
  }
  if (r.routing != systemc::RouterConfig{}.routing) {
    text += fmt::format(", {} routing", name_of(r.routing));
  }
  if (r.vc_selection != systemc::RouterConfig{}.vc_selection) {
    text += fmt::format(", VC selection {}", name_of(r.vc_selection));
  }
  if (r.has_rings()) {
    text +=
        r.ring_classes() == 1 ? ", no classes" : fmt::format(", {} classes", name_of(r.classes));
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
  Json json = Json::object();
  for_each_parameter(n.router, [&](const Parameter& parameter, const auto& value) {
    if (!has_option(parameter) || (n.ideal && !parameter.ideal)) return;
    if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>) {
      json[parameter.field] = name_of(value);
    } else {
      json[parameter.field] = value;
    }
  });
  return json;
}

std::string shape_options(const systemc::NetworkConfig& n) {
  return options_text({{"network", network_json(n)}});
}

std::string network_options(const systemc::NetworkConfig& n) {
  return options_text({{"network", network_json(n)}, {"router", router_json(n)}});
}

}  // namespace annelid::simulation
