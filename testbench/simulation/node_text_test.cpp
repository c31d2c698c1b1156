// Addresses as text. State space: one, two and three dimensions; a node whose z is 0; messages,
// logs, names of modules.
#include "systemc/network/node_text.hpp"

#include <gtest/gtest.h>

#include "simulation/scenario/collective.hpp"
#include "systemc/network/route.hpp"

namespace annelid {
namespace {

systemc::NetworkConfig network(std::vector<int> size) {
  systemc::NetworkConfig config;
  config.router.dims = static_cast<int>(size.size());
  for (std::size_t d = 0; d < size.size(); ++d) config.size[d] = size[d];
  return config;
}

TEST(NodeText, HasAsManyCoordinatesAsTheNetworkHasDimensions) {
  EXPECT_EQ(node_text(network({9}), {3, 0, 0}), "3");
  EXPECT_EQ(node_text(network({9, 9}), {3, 1, 0}), "3,1");
  EXPECT_EQ(node_text(network({9, 9, 9}), {3, 1, 0}), "3,1,0");
  EXPECT_EQ(systemc::node_text({3, 1, 2}, 3, '_'), "3_1_2");
}

TEST(NodeName, HasAtLeastTwoCoordinates) {
  EXPECT_EQ(systemc::node_name({.dims = 1}, {3, 0, 0}), "3,0");
  EXPECT_EQ(systemc::node_name({.dims = 2}, {3, 1, 0}), "3,1");
  EXPECT_EQ(systemc::node_name({.dims = 3}, {3, 1, 0}), "3,1,0");
}

TEST(PlaceText, ShowsZAlsoWhereItIs0) {
  EXPECT_EQ(simulation::place_text(network({9, 9}), {3, 1, 0}), "(3,1)");
  EXPECT_EQ(simulation::place_text(network({9, 9, 9}), {3, 1, 0}), "(3,1,0)");
}

}  // namespace
}  // namespace annelid
