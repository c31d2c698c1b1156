// Configurations that the hardware cannot have, and the constant geometry of a mesh.
#include "systemc/config.hpp"

#include <gmock/gmock.h>

#include "systemc/route.hpp"

namespace annelid {
namespace {

std::string rejected_key(const NetworkConfig& config) {
  try {
    validate(config);
  } catch (const ConfigError& error) {
    return error.key() + " " + error.found() + " not in " + error.expected();
  }
  return "accepted";
}

TEST(Config, EveryParameterIsAcceptedAtItsEndsAndRejectedBeyondThemByName) {
  struct Case {
    std::string key;
    int NetworkConfig::*network;
    int RouterConfig::*router;
    int low, high;
  };
  for (const Case& c : {Case{"network.size_x", &NetworkConfig::size_x, nullptr, 1, 256},
                        Case{"network.size_y", &NetworkConfig::size_y, nullptr, 1, 256},
                        Case{"router.local_ports", nullptr, &RouterConfig::local_ports, 1, 4},
                        Case{"router.vcs", nullptr, &RouterConfig::vcs, 1, 8},
                        Case{"router.local_vcs", nullptr, &RouterConfig::local_vcs, 1, 8},
                        Case{"router.depth", nullptr, &RouterConfig::depth, 1, 64}}) {
    const auto with = [&c](int value) {
      NetworkConfig config;
      (c.network != nullptr ? config.*c.network : config.router.*c.router) = value;
      return rejected_key(config);
    };
    const auto range = std::to_string(c.low) + ".." + std::to_string(c.high);
    EXPECT_EQ(with(c.low), "accepted");
    EXPECT_EQ(with(c.high), "accepted");
    for (int bad : {c.low - 1, c.high + 1, -1000}) {
      EXPECT_EQ(with(bad), c.key + " " + std::to_string(bad) + " not in " + range);
    }
  }
}

TEST(Route, FollowsXBeforeYAndEjectsAtTheInputModuloL) {
  const Address here{3, 3, 0};
  EXPECT_EQ(route(here, {4, 0, 0}, kFirstLocal, 4), kPlusX);
  EXPECT_EQ(route(here, {0, 9, 0}, kFirstLocal, 4), kMinusX);
  EXPECT_EQ(route(here, {3, 4, 0}, kPlusX, 4), kPlusY);
  EXPECT_EQ(route(here, {3, 0, 0}, kPlusX, 4), kMinusY);
  for (Port in = 0; in < 4; ++in) {
    for (int l = 1; l <= 4; ++l) EXPECT_EQ(route(here, here, in, l), 4 + in % l);
  }
  EXPECT_EQ(route(here, here, 5, 3), 5);
}

TEST(Route, OppositePortsAreThoseOfTheNeighboursTowardsEachOther) {
  int neighbours = 0;
  for (std::uint8_t x = 0; x < 5; ++x) {
    for (std::uint8_t y = 0; y < 3; ++y) {
      for (Port p = 0; p < 4; ++p) {
        const Neighbour there = neighbour({x, y, 0}, p, 5, 3);
        if (!there.exists) continue;
        const Neighbour back = neighbour(there.address, opposite(p), 5, 3);
        EXPECT_TRUE(back.exists && back.address == (Address{x, y, 0}));
        EXPECT_EQ(first_output({x, y, 0}, there.address), p);
        EXPECT_EQ(hops({x, y, 0}, there.address), 1);
        ++neighbours;
      }
    }
  }
  EXPECT_EQ(neighbours, 2 * (4 * 3 + 5 * 2));
}

}  // namespace
}  // namespace annelid
