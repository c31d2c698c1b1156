// Matrix transposition: Tsai 3.6. State space: all meshes of 1, 2, 4 ... 256 nodes a side.
#include "reference/all_to_all/transpose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "reference/checks/contention.hpp"

namespace annelid::reference {
namespace {

std::vector<Conflict> conflicts_of(const Network& mesh, const Step& step) {
  Schedule schedule;
  schedule.steps.push_back(step);
  return contention(mesh, schedule).front().conflicts;
}

/// Messages that share a channel with another one of their step.
std::size_t messages_in_contention(const Network& mesh, const Step& step) {
  std::set<Message> contending;
  for (const Conflict& c : conflicts_of(mesh, step)) {
    contending.insert(c.first);
    contending.insert(c.second);
  }
  return contending.size();
}

void expect_transposed(const Network& mesh, const BlockSchedule& schedule) {
  std::vector<std::vector<int>> own(static_cast<std::size_t>(mesh.nodes()));
  for (int i = 0; i < mesh.nodes(); ++i) own[static_cast<std::size_t>(i)] = {i};
  // In the EDN algorithm a node may see a block again that it has passed on: only what arrives last
  // counts, so each node's hands are emptied as it sends.
  for (const auto& step : schedule) {
    auto after = own;
    for (const BlockMessage& m : step) {
      auto& from = after[static_cast<std::size_t>(index_of(mesh, m.from))];
      for (int block : m.blocks) {
        const auto found = std::ranges::find(from, block);
        ASSERT_NE(found, from.end()) << to_string(m.from) << " sends block " << block;
        from.erase(found);
      }
    }
    for (const BlockMessage& m : step) {
      auto& to = after[static_cast<std::size_t>(index_of(mesh, m.to))];
      to.insert(to.end(), m.blocks.begin(), m.blocks.end());
    }
    own = after;
  }
  for (int i = 0; i < mesh.nodes(); ++i) {
    const Node n = node_at(mesh, i);
    ASSERT_EQ(own[static_cast<std::size_t>(i)], std::vector<int>{index_of(mesh, {n.y, n.x})})
        << to_string(n);
  }
}

TEST(EdnTranspose, BringsEveryBlockToItsPlaceInKStepsWithoutContention) {
  for (int k = 0; k <= 8; ++k) {
    const Network mesh{1 << k, 1 << k};
    const BlockSchedule schedule = edn_transpose(mesh);
    EXPECT_EQ(schedule.size(), static_cast<std::size_t>(k));
    expect_transposed(mesh, schedule);
    for (const Step& step : schedule_of(schedule, 8).steps) {
      EXPECT_EQ(messages_in_contention(mesh, step), 0u) << to_string(mesh);
    }
  }
}

TEST(EdnTranspose, MessagesHoldTheOwnBlocksFirstThenThoseReceivedByAscendingYX) {
  const BlockSchedule schedule = edn_transpose({16, 16});
  // (5,1) is on the diagonal of block (1,0); it receives from (5,0), (4,1), (6,1) and (5,2) there.
  const auto message = *std::ranges::find_if(schedule[1], [](const BlockMessage& m) {
    return m.from == Node{5, 1};
  });
  EXPECT_EQ(message.to, (Node{5, 5}));  // f{1,0} = 1
  EXPECT_EQ(message.blocks, (std::vector<int>{21, 5, 20, 22, 37}));
  const auto back = *std::ranges::find_if(schedule[2], [](const BlockMessage& m) {
    return m.to == Node{1, 5};
  });
  EXPECT_EQ(back.from, (Node{5, 5}));
  EXPECT_EQ(back.blocks, message.blocks);
}

TEST(DirectTranspose, AllMessagesButTwoContend) {
  for (int n : {4, 8, 16, 32}) {
    const Network mesh{n, n};
    const BlockSchedule schedule = direct_transpose(mesh);
    expect_transposed(mesh, schedule);
    ASSERT_EQ(schedule.size(), 1u);
    const auto all = static_cast<std::size_t>(n * n - n);
    EXPECT_EQ(schedule[0].size(), all);
    EXPECT_EQ(messages_in_contention(mesh, schedule_of(schedule, 8).steps[0]), all - 2);
  }
}

TEST(EdnTranspose, ForOddKThreeQuartersOfNMessagesContendIfTheDiagonalBlocksScatterEarly) {
  // Section 3.6. Of the middle step's messages, between the two blocks off the diagonal; those of
  // the next step within the diagonal's blocks start with them.
  for (int n : {8, 32, 128}) {
    const Network mesh{n, n};
    const auto middle = static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(n)) - 1) / 2;
    const std::vector<Step> steps = schedule_of(edn_transpose(mesh), 8).steps;
    Step together = steps[middle];
    for (const Message& m : steps[middle + 1]) {
      if (m.from.x / (n / 2) == m.from.y / (n / 2)) together.push_back(m);
    }
    std::set<Message> contending;
    for (const Conflict& c : conflicts_of(mesh, together)) {
      for (const Message& m : {c.first, c.second}) {
        if (std::ranges::count(steps[middle], m) > 0) contending.insert(m);
      }
    }
    EXPECT_EQ(steps[middle].size(), static_cast<std::size_t>(n));
    EXPECT_EQ(contending.size(), static_cast<std::size_t>(3 * n / 4));
  }
}

TEST(Transpose, OtherNetworksAreRefused) {
  for (const Network net :
       {Network{4, 8}, Network{4, 4, 4}, Network{4, 4, 1, {true, true, false}}}) {
    EXPECT_THROW(direct_transpose(net), std::invalid_argument);
    EXPECT_THROW(edn_transpose(net), std::invalid_argument);
  }
  EXPECT_THROW(edn_transpose({6, 6}), std::invalid_argument);
  EXPECT_EQ(direct_transpose({6, 6})[0].size(), 30u);
}

}  // namespace
}  // namespace annelid::reference
