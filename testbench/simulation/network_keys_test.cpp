// What --help says is the default of a network's key is what a scenario without that key gets.
#include "simulation/scenario/network_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::simulation {
namespace {

const Key& key_named(const std::string& name) {
  for (const Key& key : network_keys()) {
    if (key.name == name) return key;
  }
  throw std::out_of_range(name);
}

/// The value of a network's key, as an option takes it.
std::string value_of(const std::vector<Override>& overrides, const std::string& key,
                     bool control_vc = false) {
  const Settings settings({network_keys().begin(), network_keys().end()}, {}, overrides);
  const auto router = router_json(read_network(settings, control_vc));
  const auto& value = router.at(key.substr(std::string("router.").size()));
  return value.is_string() ? value.get<std::string>() : value.dump();
}

TEST(NetworkKeys, HelpSaysTheDefault) {
  const std::vector<std::string> words = {"router.local_ports", "router.control_vc"};
  int compared = 0;
  for (const systemc::Parameter& p : systemc::parameters::kAll) {
    if (p.option == nullptr) continue;
    const Key& key = key_named(p.key);
    EXPECT_STREQ(key.otherwise, p.default_text);
    EXPECT_STREQ(key.option, p.option);
    if (std::ranges::find(words, p.key) != words.end()) continue;
    // "4, or the length of ..." begins with the value.
    const std::string text = key.otherwise;
    EXPECT_EQ(text.substr(0, text.find_first_of(",;")), value_of({}, p.key)) << p.key;
    ++compared;
  }
  EXPECT_EQ(compared, 11);
}

TEST(NetworkKeys, DefaultsFollowFromOtherKeysAsHelpSays) {
  EXPECT_STREQ(key_named("router.local_ports").otherwise,
               "twice the number of dimensions; 1 for a one-port router");
  EXPECT_EQ(value_of({{"network.size", "--size", "4x4x4"}}, "router.local_ports"), "6");
  EXPECT_EQ(value_of({{"router.kind", "--router", "one-port"}}, "router.local_ports"), "1");

  EXPECT_STREQ(key_named("router.vcs").otherwise, "1; in a torus one for each class");
  const Override torus{"network.topology", "--topology", "torus"};
  EXPECT_EQ(value_of({torus}, "router.vcs"), "2");
  EXPECT_EQ(value_of({torus, {"router.classes", "--classes", "plh"}}, "router.vcs"), "3");

  EXPECT_STREQ(key_named("router.depth").otherwise,
               "4, or the length of the credit loop if that is more");
  EXPECT_EQ(value_of({{"router.link_registers", "--link-registers", "1"}}, "router.depth"), "4");
  EXPECT_EQ(value_of({{"router.stages", "--stages", "2"},
                      {"router.link_registers", "--link-registers", "3"}},
                     "router.depth"),
            "10");

  EXPECT_STREQ(key_named("router.control_vc").otherwise,
               "true for nodes with NICs, false for traffic, sweep and cost");
  EXPECT_EQ(value_of({}, "router.control_vc", true), "true");
  EXPECT_EQ(value_of({}, "router.control_vc", false), "false");
}

}  // namespace
}  // namespace annelid::simulation
