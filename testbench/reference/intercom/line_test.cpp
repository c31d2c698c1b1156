// InterCom's building blocks on a line (Barnett and others 1994, Section 4): what each message
// holds, steps, ports, channels, volume. State space: lines of 1 to 64 members, every root.
#include "reference/intercom/line.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace annelid::reference::intercom {
namespace {

constexpr int kMost = 64;
using Sets = std::vector<std::set<int>>;

int log2_up(int n) {
  int log = 0;
  while ((1 << log) < n) ++log;
  return log;
}

/// Whether messages of a step use a channel of a linear array twice. Channels: (place, up).
bool conflicts(const std::vector<LineMessage>& step) {
  std::set<std::pair<int, bool>> used;
  for (const LineMessage& m : step) {
    for (int at = std::min(m.from, m.to); at < std::max(m.from, m.to); ++at) {
      if (!used.insert({at, m.from < m.to}).second) return true;
    }
  }
  return false;
}

std::string shown(Primitive primitive, int members, int root) {
  return std::string(1, letter(primitive)) + " of " + std::to_string(members) + " from " +
         std::to_string(root);
}

/// Calls check(steps, members, root) for all lines of the state space.
void for_all_lines(Primitive primitive,
                   const std::function<void(const LineSteps&, int, int)>& check) {
  const bool has_root = letter(primitive) != 'C' && letter(primitive) != 'D';
  for (int members = 1; members <= kMost; ++members) {
    for (int root = 0; root < (has_root ? members : 1); ++root) {
      check(line_steps(primitive, members, root), members, root);
      if (::testing::Test::HasFailure()) FAIL() << shown(primitive, members, root);
    }
  }
}

constexpr std::array kMst{Primitive::kMstBroadcast, Primitive::kMstCombineToOne,
                          Primitive::kMstScatter, Primitive::kMstGather};
constexpr std::array kBuckets{Primitive::kBucketCollect, Primitive::kDistributedCombine};

TEST(IntercomLine, MstAlgorithmsTakeCeilLog2StepsAndBucketsOneLessThanMembers) {
  for (Primitive p : kMst) {
    for_all_lines(p, [](const LineSteps& steps, int members, int) {
      ASSERT_EQ(static_cast<int>(steps.size()), log2_up(members));
    });
  }
  for (Primitive p : kBuckets) {
    for_all_lines(p, [](const LineSteps& steps, int members, int) {
      ASSERT_EQ(static_cast<int>(steps.size()), members - 1);
    });
  }
}

TEST(IntercomLine, NoMemberSendsOrReceivesTwiceInAStepAndNoChannelIsShared) {
  std::vector<Primitive> all(kMst.begin(), kMst.end());
  all.insert(all.end(), kBuckets.begin(), kBuckets.end());
  for (Primitive p : all) {
    for_all_lines(p, [](const LineSteps& steps, int, int) {
      for (const auto& step : steps) {
        ASSERT_FALSE(step.empty());
        std::set<int> senders, receivers;
        for (const LineMessage& m : step) {
          ASSERT_TRUE(senders.insert(m.from).second);
          ASSERT_TRUE(receivers.insert(m.to).second);
        }
        ASSERT_FALSE(conflicts(step));
      }
    });
  }
}

TEST(IntercomLine, MstBroadcastReachesEveryMemberOnceFromOneThatHasTheData) {
  for_all_lines(Primitive::kMstBroadcast, [](const LineSteps& steps, int members, int root) {
    std::set<int> has{root};
    for (const auto& step : steps) {
      const std::set<int> before = has;
      for (const LineMessage& m : step) {
        ASSERT_TRUE(before.contains(m.from));
        ASSERT_TRUE(has.insert(m.to).second);
        ASSERT_EQ(m.first, 0);
        ASSERT_EQ(m.end, members);
      }
    }
    ASSERT_EQ(static_cast<int>(has.size()), members);
  });
}

TEST(IntercomLine, MstScatterSendsEachPieceOnUntilItsMemberHasIt) {
  for_all_lines(Primitive::kMstScatter, [](const LineSteps& steps, int members, int root) {
    std::vector<int> holder(static_cast<std::size_t>(members), root);  // of each piece
    for (const auto& step : steps) {
      const std::vector<int> before = holder;
      for (const LineMessage& m : step) {
        for (int p = m.first; p < m.end; ++p) {
          ASSERT_EQ(before[static_cast<std::size_t>(p)], m.from);
          holder[static_cast<std::size_t>(p)] = m.to;
        }
      }
    }
    for (int p = 0; p < members; ++p) ASSERT_EQ(holder[static_cast<std::size_t>(p)], p);
  });
}

TEST(IntercomLine, MstScatterHasTheVolumeOfThePaperFromEveryRoot) {
  // (p - 1) / p of the vector: of each step, the longest message.
  for_all_lines(Primitive::kMstScatter, [](const LineSteps& steps, int members, int) {
    int volume = 0;
    for (const auto& step : steps) {
      int longest = 0;
      for (const LineMessage& m : step) longest = std::max(longest, m.end - m.first);
      volume += longest;
    }
    ASSERT_EQ(volume, members - 1);
  });
}

TEST(IntercomLine, MstGatherSendsEachPieceOnUntilTheRootHasIt) {
  for_all_lines(Primitive::kMstGather, [](const LineSteps& steps, int members, int root) {
    Sets has(static_cast<std::size_t>(members));
    for (int c = 0; c < members; ++c) has[static_cast<std::size_t>(c)] = {c};
    for (const auto& step : steps) {
      const Sets before = has;
      for (const LineMessage& m : step) {
        for (int p = m.first; p < m.end; ++p) {
          ASSERT_TRUE(before[static_cast<std::size_t>(m.from)].contains(p));
          ASSERT_TRUE(has[static_cast<std::size_t>(m.to)].insert(p).second);
        }
      }
    }
    ASSERT_EQ(static_cast<int>(has[static_cast<std::size_t>(root)].size()), members);
  });
}

TEST(IntercomLine, MstCombineToOneBringsEachContributionToTheRootOnce) {
  for_all_lines(Primitive::kMstCombineToOne, [](const LineSteps& steps, int members, int root) {
    Sets has(static_cast<std::size_t>(members));
    for (int c = 0; c < members; ++c) has[static_cast<std::size_t>(c)] = {c};
    for (const auto& step : steps) {
      for (const LineMessage& m : step) {
        ASSERT_EQ(m.end - m.first, members);
        for (int c : std::exchange(has[static_cast<std::size_t>(m.from)], {})) {
          ASSERT_TRUE(has[static_cast<std::size_t>(m.to)].insert(c).second);
        }
      }
    }
    ASSERT_EQ(static_cast<int>(has[static_cast<std::size_t>(root)].size()), members);
  });
}

TEST(IntercomLine, BucketCollectBringsEachPieceToEveryOtherMemberOnce) {
  for_all_lines(Primitive::kBucketCollect, [](const LineSteps& steps, int members, int) {
    Sets has(static_cast<std::size_t>(members));
    for (int c = 0; c < members; ++c) has[static_cast<std::size_t>(c)] = {c};
    for (const auto& step : steps) {
      const Sets before = has;
      for (const LineMessage& m : step) {
        ASSERT_EQ(m.end, m.first + 1);
        ASSERT_EQ(m.to, (m.from + 1) % members);
        ASSERT_TRUE(before[static_cast<std::size_t>(m.from)].contains(m.first));
        ASSERT_TRUE(has[static_cast<std::size_t>(m.to)].insert(m.first).second);
      }
    }
    for (const auto& pieces : has) ASSERT_EQ(static_cast<int>(pieces.size()), members);
  });
}

TEST(IntercomLine, DistributedCombineBringsEachContributionOfAPieceToItsMemberOnce) {
  for_all_lines(Primitive::kDistributedCombine, [](const LineSteps& steps, int members, int) {
    const auto size = static_cast<std::size_t>(members);
    std::vector<Sets> has(size, Sets(size));  // [member][piece]
    for (int c = 0; c < members; ++c) {
      for (auto& contributions : has[static_cast<std::size_t>(c)]) contributions = {c};
    }
    for (const auto& step : steps) {
      Sets sent;  // as it was before the step
      for (const LineMessage& m : step) {
        ASSERT_EQ(m.end, m.first + 1);
        ASSERT_EQ(m.from, (m.to + 1) % members);
        sent.push_back(has[static_cast<std::size_t>(m.from)][static_cast<std::size_t>(m.first)]);
      }
      for (std::size_t i = 0; i < step.size(); ++i) {
        for (int c : sent[i]) {
          auto& at = has[static_cast<std::size_t>(step[i].to)];
          ASSERT_TRUE(at[static_cast<std::size_t>(step[i].first)].insert(c).second);
        }
      }
    }
    for (std::size_t c = 0; c < size; ++c) ASSERT_EQ(has[c][c].size(), size);
  });
}

TEST(IntercomLine, BucketsIgnoreTheRoot) {
  EXPECT_EQ(line_steps(Primitive::kBucketCollect, 7, 0),
            line_steps(Primitive::kBucketCollect, 7, 3));
  EXPECT_EQ(line_steps(Primitive::kDistributedCombine, 7, 0),
            line_steps(Primitive::kDistributedCombine, 7, 6));
}

TEST(IntercomLine, OfFiveMembersHasTheMessagesOfTheDocument) {
  // docs/internals/algorithms/intercom.md, "Building blocks".
  const LineSteps scatter_1{{{1, 3, 3, 5}}, {{1, 2, 2, 3}, {3, 4, 4, 5}}, {{1, 0, 0, 1}}};
  EXPECT_EQ(line_steps(Primitive::kMstScatter, 5, 1), scatter_1);
  const LineSteps scatter_4{{{4, 1, 0, 2}}, {{1, 0, 0, 1}, {4, 2, 2, 3}}, {{4, 3, 3, 4}}};
  EXPECT_EQ(line_steps(Primitive::kMstScatter, 5, 4), scatter_4);
  const LineSteps gather_1{{{0, 1, 0, 1}}, {{2, 1, 2, 3}, {4, 3, 4, 5}}, {{3, 1, 3, 5}}};
  EXPECT_EQ(line_steps(Primitive::kMstGather, 5, 1), gather_1);
  const LineSteps combine_1{{{0, 1, 0, 5}}, {{2, 1, 0, 5}, {4, 3, 0, 5}}, {{3, 1, 0, 5}}};
  EXPECT_EQ(line_steps(Primitive::kMstCombineToOne, 5, 1), combine_1);
}

TEST(IntercomLine, OfThreeMembersHasTheBucketsOfTheDocument) {
  const LineSteps collect{{{0, 1, 0, 1}, {1, 2, 1, 2}, {2, 0, 2, 3}},
                          {{0, 1, 2, 3}, {1, 2, 0, 1}, {2, 0, 1, 2}}};
  EXPECT_EQ(line_steps(Primitive::kBucketCollect, 3, 0), collect);
  const LineSteps combine{{{0, 2, 1, 2}, {1, 0, 2, 3}, {2, 1, 0, 1}},
                          {{0, 2, 2, 3}, {1, 0, 0, 1}, {2, 1, 1, 2}}};
  EXPECT_EQ(line_steps(Primitive::kDistributedCombine, 3, 0), combine);
}

TEST(IntercomLine, RefusesLinesWithoutMembersAndRootsThatAreNone) {
  EXPECT_THROW(line_steps(Primitive::kMstScatter, 0, 0), std::invalid_argument);
  EXPECT_THROW(line_steps(Primitive::kMstScatter, 4, 4), std::invalid_argument);
  EXPECT_THROW(line_steps(Primitive::kMstScatter, 4, -1), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference::intercom
