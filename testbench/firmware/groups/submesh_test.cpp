// Which listed groups are submeshes, against a search through all submeshes. Parameter space:
// network, corner, sizes, order of the dimensions, holes, swapped and repeated members.
#include "firmware/communication/submesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "testbench/firmware/support/fake_node.hpp"

namespace annelid::firmware {
namespace {

using Three = std::array<std::uint32_t, 3>;
using List = std::vector<std::uint32_t>;
using SubmeshList = std::vector<std::uint32_t>;
constexpr std::array<Three, 6> kOrders = {
    {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};

/// The processes of a submesh; the dimension order[0] is the fastest.
List processes(const Three& network, const Three& corner, const Three& sizes, const Three& order) {
  List list;
  Three at{};
  for (at[2] = 0; at[2] < sizes[order[2]]; ++at[2]) {
    for (at[1] = 0; at[1] < sizes[order[1]]; ++at[1]) {
      for (at[0] = 0; at[0] < sizes[order[0]]; ++at[0]) {
        Three c = corner;
        for (std::size_t i = 0; i < 3; ++i) c[order[i]] += at[i];
        list.push_back((c[2] * network[1] + c[1]) * network[0] + c[0]);
      }
    }
  }
  return list;
}

/// The definition: the sizes of the submesh whose list this is, without those of 1.
SubmeshList searched(const Three& network, const List& list) {
  const Three corner = {list[0] % network[0], list[0] / network[0] % network[1],
                        list[0] / network[0] / network[1]};
  Three sizes{};
  for (sizes[0] = 1; corner[0] + sizes[0] <= network[0]; ++sizes[0]) {
    for (sizes[1] = 1; corner[1] + sizes[1] <= network[1]; ++sizes[1]) {
      for (sizes[2] = 1; corner[2] + sizes[2] <= network[2]; ++sizes[2]) {
        if (sizes[0] * sizes[1] * sizes[2] != list.size()) continue;
        for (const Three& order : kOrders) {
          if (processes(network, corner, sizes, order) != list) continue;
          SubmeshList found;
          for (const std::uint32_t d : order) {
            if (sizes[d] > 1) found.push_back(sizes[d]);
          }
          return found;
        }
      }
    }
  }
  return {};
}

class Finder {
 public:
  explicit Finder(const Three& network)
      : network_(Address{}, {static_cast<int>(network[0]), static_cast<int>(network[1]),
                             static_cast<int>(network[2])}) {}
  SubmeshList find(const List& list) {
    constexpr std::uint32_t kList = 0x100;
    fake_.bus.put(kList, list.data(), 4 * list.size());
    const SubmeshSizes found =
        find_submesh(network_, fake_.node.memory(), kList, static_cast<std::uint32_t>(list.size()));
    SubmeshList sizes;
    for (std::uint32_t i = 0; i < found.count(); ++i) sizes.push_back(found[i]);
    return sizes;
  }

 private:
  Topology network_;
  FakeNode fake_;
};

TEST(Submesh, IsFoundInEveryOrderAndNowhereElse) {
  std::mt19937 random(1);
  const auto draw = [&](std::uint32_t from, std::uint32_t to) {
    return from + random() % (to - from + 1);
  };
  std::array<int, 4> found_sizes{};
  for (const Three& network :
       {Three{8, 8, 1}, Three{7, 1, 1}, Three{1, 9, 1}, Three{1, 1, 6}, Three{5, 4, 3},
        Three{4, 1, 5}, Three{1, 4, 4}, Three{2, 2, 2}, Three{3, 2, 4}, Three{1, 1, 1}}) {
    Finder finder(network);
    for (int i = 0; i < 800; ++i) {
      Three corner{}, sizes{};
      for (std::size_t d = 0; d < 3; ++d) {
        corner[d] = draw(0, network[d] - 1);
        sizes[d] = draw(1, network[d] - corner[d]);
      }
      List list = processes(network, corner, sizes, kOrders[draw(0, 5)]);
      const auto some = [&] { return random() % list.size(); };
      switch (draw(0, 6)) {
        case 0:
          std::swap(list[some()], list[some()]);
          break;
        case 1:  // a hole
          if (list.size() > 1) list.erase(list.begin() + static_cast<std::ptrdiff_t>(some()));
          break;
        case 2:
          list[some()] = draw(0, network[0] * network[1] * network[2] - 1);
          break;
        case 3:
          std::shuffle(list.begin(), list.end(), random);
          break;
        case 4:  // over the edge
          for (std::uint32_t& pid : list) pid = (pid + 1) % (network[0] * network[1] * network[2]);
          break;
        default:
          break;
      }
      const SubmeshList expected = searched(network, list);
      ASSERT_EQ(finder.find(list), expected)
          << "network " << network[0] << "x" << network[1] << "x" << network[2] << ", members "
          << ::testing::PrintToString(list);
      ++found_sizes[expected.size()];
    }
  }
  for (const int count : found_sizes) EXPECT_GT(count, 40);
}

TEST(Submesh, MayBeAsWideAsTheWidestNetwork) {
  const Three network{256, 256, 1};
  Finder finder(network);
  EXPECT_EQ(finder.find(processes(network, {0, 7, 0}, {256, 3, 1}, kOrders[0])),
            (SubmeshList{256, 3}));
  EXPECT_EQ(finder.find(processes(network, {3, 0, 0}, {2, 256, 1}, kOrders[2])),
            (SubmeshList{256, 2}));
  List over_the_edge;  // the last half of a row and the first half of the next one
  for (std::uint32_t pid = 128; pid < 384; ++pid) over_the_edge.push_back(pid);
  EXPECT_EQ(finder.find(over_the_edge), SubmeshList{});
}

}  // namespace
}  // namespace annelid::firmware
