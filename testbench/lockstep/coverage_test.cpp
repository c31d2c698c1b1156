// Rationale: lockstep shows equality only for the routers that are Verilated, so those must bring
// together every two parameter values that could meet badly. This counts the pairs of
// rtl/configurations.txt without the program that wrote it.
#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <set>
#include <utility>

#include "systemc/cosim/rtl_model.hpp"

namespace annelid::lockstep {
namespace {

struct Level {
  std::string parameter, name;
  std::function<bool(const systemc::RouterConfig&)> has;
};

/// Every named level of every parameter. A router has at most one level of a parameter.
std::vector<Level> named_levels() {
  using C = const systemc::RouterConfig&;
  std::vector<Level> levels;
  auto numbers = [&](const char* what, std::initializer_list<int> values,
                     int systemc::RouterConfig::*member) {
    for (int n : values) {
      levels.push_back({what, std::to_string(n), [=](C c) { return c.*member == n; }});
    }
  };
  numbers("dimensions", {1, 2, 3}, &systemc::RouterConfig::dims);
  numbers("VCs", {1, 2, 3, 5, 8}, &systemc::RouterConfig::vcs);
  numbers("depth", {1, 2, 4, 64}, &systemc::RouterConfig::depth);
  numbers("stages", {1, 2, 3, 4}, &systemc::RouterConfig::stages);
  numbers("link registers", {0, 1, 4}, &systemc::RouterConfig::link_registers);
  auto torus = [](systemc::TorusClasses classes) {
    return [=](C c) { return c.has_rings() && c.classes == classes; };
  };
  levels.insert(levels.end(),
                {{"kind", "all-port", [](C c) { return !c.one_port(); }},
                 {"kind", "one-port", [](C c) { return c.one_port(); }},
                 {"local ports", "1", [](C c) { return c.local_ports == 1; }},
                 {"local ports", "n", [](C c) { return c.local_ports == c.dims && c.dims > 1; }},
                 {"local ports", "2n", [](C c) { return c.local_ports == 2 * c.dims; }},
                 {"control VCs", "none", [](C c) { return !c.control_vc; }},
                 {"control VCs", "one per class", [](C c) { return c.control_vc; }},
                 {"topology", "mesh", [](C c) { return !c.has_rings(); }},
                 {"topology", "torus, dateline", torus(systemc::TorusClasses::kDateline)},
                 {"topology", "torus, plh", torus(systemc::TorusClasses::kPlh)}});
  for (const systemc::ParameterValue& value : systemc::parameters::kArbiters.values) {
    const auto kind = static_cast<systemc::ArbiterKind>(value.code);
    levels.push_back({"arbiters", value.name, [kind](C c) { return c.arbiters == kind; }});
  }
  for (const systemc::ParameterValue& value : systemc::parameters::kRouting.values) {
    const auto kind = static_cast<systemc::RoutingKind>(value.code);
    levels.push_back({"routing", value.name, [kind](C c) { return c.routing == kind; }});
  }
  for (const systemc::ParameterValue& value : systemc::parameters::kVcSelection.values) {
    const auto kind = static_cast<systemc::VcSelectionKind>(value.code);
    levels.push_back({"VC selection", value.name, [kind](C c) { return c.vc_selection == kind; }});
  }
  return levels;
}

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;  ///< of indices of named_levels()

void add_pairs(Pairs& pairs, const systemc::RouterConfig& config,
               const std::vector<Level>& levels) {
  std::vector<std::size_t> has;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (levels[k].has(config)) has.push_back(k);
  }
  for (std::size_t a = 0; a < has.size(); ++a) {
    for (std::size_t b = a + 1; b < has.size(); ++b) pairs.emplace(has[a], has[b]);
  }
}

bool is_valid(const systemc::RouterConfig& config) {
  try {
    validate(config);
    return true;
  } catch (const systemc::ConfigError&) {
    return false;
  }
}

/// No channel has more than 8 VCs.
bool channels_fit(const systemc::RouterConfig& c) {
  const int classes = c.has_rings() && c.vcs >= c.wanted_classes() ? c.wanted_classes() : 1;
  return !c.control_vc || (c.vcs + classes <= 8 && c.local_vcs + 1 <= 8);
}

/// Calls `use` for every combination of kind, routing, dimensions, local ports and topology that a
/// router can have. They alone exclude one another, but for many VCs and control VCs: with deadlock
/// allowed any torus can have few VCs.
void for_each_body(const std::function<void(systemc::RouterConfig)>& use) {
  for (systemc::RouterKind kind : {systemc::RouterKind::kAllPort, systemc::RouterKind::kOnePort}) {
    for (int dims = 1; dims <= kMaxDims; ++dims) {
      for (int local = 1; local <= kMaxLocalPorts; ++local) {
        for (bool ring : {false, true}) {
          for (systemc::TorusClasses classes :
               {systemc::TorusClasses::kDateline, systemc::TorusClasses::kPlh}) {
            systemc::RouterConfig c{
                .local_ports = local, .dims = dims, .kind = kind, .classes = classes};
            c.torus[0] = ring;
            c.allow_deadlock = true;
            for (const systemc::ParameterValue& value : systemc::parameters::kRouting.values) {
              c.routing = static_cast<systemc::RoutingKind>(value.code);
              if (is_valid(c)) use(c);
            }
          }
        }
      }
    }
  }
}

/// The pairs that some valid router has.
Pairs possible_pairs(const std::vector<Level>& levels) {
  Pairs pairs;
  std::vector<int> arbiters, selections;
  for (const systemc::ParameterValue& value : systemc::parameters::kArbiters.values) {
    arbiters.push_back(value.code);
  }
  for (const systemc::ParameterValue& value : systemc::parameters::kVcSelection.values) {
    selections.push_back(value.code);
  }
  const int combinations =
      5 * 2 * 4 * 4 * 3 * static_cast<int>(arbiters.size()) * static_cast<int>(selections.size());
  for_each_body([&](systemc::RouterConfig c) {
    for (int combination = 0; combination < combinations; ++combination) {
      int rest = combination;
      auto next = [&rest](const std::vector<int>& values) {
        const auto n = static_cast<int>(values.size());
        return values[static_cast<std::size_t>(std::exchange(rest, rest / n) % n)];
      };
      c.vcs = next({1, 2, 3, 5, 8});
      c.control_vc = next({0, 1}) == 1;
      c.depth = next({1, 2, 4, 64});
      c.stages = next({1, 2, 3, 4});
      c.link_registers = next({0, 1, 4});
      c.arbiters = static_cast<systemc::ArbiterKind>(next(arbiters));
      c.vc_selection = static_cast<systemc::VcSelectionKind>(next(selections));
      ASSERT_EQ(is_valid(c), channels_fit(c)) << describe(c);
      if (channels_fit(c)) add_pairs(pairs, c, levels);
    }
  });
  return pairs;
}

TEST(Coverage, TheListHasEveryPossiblePairOfLevels) {
  const std::vector<Level> levels = named_levels();
  const Pairs possible = possible_pairs(levels);
  Pairs listed, ci;
  std::size_t ci_routers = 0;
  for (const systemc::ListedRouter& router : systemc::listed_rtl_configurations()) {
    ASSERT_TRUE(is_valid(router.config)) << describe(router.config);
    add_pairs(listed, router.config, levels);
    if (router.ci) add_pairs(ci, router.config, levels);
    ci_routers += router.ci;
  }
  const std::size_t routers = systemc::listed_rtl_configurations().size();
  std::cout << "pairs covered " << listed.size() << " of " << possible.size() << " by " << routers
            << " routers; by the " << ci_routers << " of CI " << ci.size() << "\n";

  auto shown = [&](const std::pair<std::size_t, std::size_t>& pair) {
    const Level &a = levels[pair.first], &b = levels[pair.second];
    return a.parameter + " " + a.name + " with " + b.parameter + " " + b.name;
  };
  std::size_t impossible = 0;
  for (std::size_t a = 0; a < levels.size(); ++a) {
    for (std::size_t b = a + 1; b < levels.size(); ++b) {
      if (levels[a].parameter == levels[b].parameter || possible.contains({a, b})) continue;
      std::cout << "impossible: " << shown({a, b}) << "\n";
      ++impossible;
    }
  }
  EXPECT_EQ(impossible, 5u) << "one-port with n and with 2n local ports and with yx, 1 dimension "
                               "with n > 1, 8 VCs with control VCs";
  for (const auto& pair : possible) EXPECT_TRUE(listed.contains(pair)) << shown(pair);
  for (const auto& pair : listed) EXPECT_TRUE(possible.contains(pair)) << shown(pair);
  // As docs/internals/verification.md says.
  EXPECT_EQ(routers, 27u);
  EXPECT_EQ(ci_routers, 7u);
  EXPECT_EQ(possible.size(), 618u);
  EXPECT_EQ(ci.size(), 321u);
}

TEST(Coverage, CiVerilatesBothRoutersAndEveryPipeline) {
  std::set<int> stages, dims;
  std::set<bool> one_port, rings;
  for (const systemc::RouterConfig& c : systemc::rtl_configurations()) {
    stages.insert(c.stages);
    dims.insert(c.dims);
    one_port.insert(c.one_port());
    rings.insert(c.has_rings());
  }
  EXPECT_EQ(stages.size(), 4u);
  EXPECT_EQ(dims.size(), 3u);
  EXPECT_EQ(one_port.size(), 2u);
  EXPECT_EQ(rings.size(), 2u);
  const std::vector<systemc::RouterConfig> routers = systemc::rtl_configurations();
  systemc::RouterConfig usual;
  EXPECT_TRUE(routers.at(0) == usual) << "the program's default for synthetic traffic";
  usual.control_vc = true;
  EXPECT_TRUE(routers.at(1) == usual) << "the program's default for collectives";
}

}  // namespace
}  // namespace annelid::lockstep
