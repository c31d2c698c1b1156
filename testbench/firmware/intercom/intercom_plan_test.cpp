// The parts of InterCom by themselves: the minimum spanning tree of a line, the logical mesh, the
// stages, the choice. Parameter space: size of a line, root, member; factorizations; operation and
// template; extents and length.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "firmware/collectives/intercom/choice.hpp"
#include "firmware/collectives/intercom/logical_mesh.hpp"
#include "firmware/collectives/intercom/minimum_spanning_tree.hpp"
#include "firmware/collectives/intercom/prices.hpp"
#include "firmware/collectives/intercom/stages.hpp"
#include "testbench/firmware/intercom/intercom_reference.hpp"

namespace annelid::firmware::intercom {
namespace {

std::string messages_of_line(std::uint32_t size, std::uint32_t root) {
  std::string text;
  const std::uint32_t steps = MinimumSpanningTree(size, root, 0).steps();
  for (std::uint32_t step = 1; step <= steps; ++step) {
    for (std::uint32_t own = 0; own < size; ++own) {
      MinimumSpanningTree tree(size, root, own);
      if (!tree.go_to(step) || tree.from() != own) continue;
      text += std::to_string(step) + ": " + std::to_string(own) + ">" + std::to_string(tree.to());
      for (std::uint32_t i = tree.part().first; i < tree.part().end; ++i) {
        text += " " + std::to_string(i);
      }
      text += "; ";
    }
  }
  return text;
}

TEST(IntercomTree, OfFiveMembersIsThePages) {
  EXPECT_EQ(messages_of_line(5, 1), "1: 1>3 3 4; 2: 1>2 2; 2: 3>4 4; 3: 1>0 0; ");
  EXPECT_EQ(messages_of_line(5, 4), "1: 4>1 0 1; 2: 1>0 0; 2: 4>2 2; 3: 4>3 3; ");
  EXPECT_EQ(messages_of_line(1, 0), "");
}

TEST(IntercomTree, BringsEveryPieceToItsMemberFromEveryRoot) {
  for (std::uint32_t size = 1; size <= 40; ++size) {
    for (std::uint32_t root = 0; root < size; ++root) {
      std::vector<std::set<std::uint32_t>> pieces(size);
      for (std::uint32_t i = 0; i < size; ++i) pieces[root].insert(i);
      const std::uint32_t steps = MinimumSpanningTree(size, root, 0).steps();
      std::uint32_t longest_of_all = 0;
      for (std::uint32_t step = 1; step <= steps; ++step) {
        std::uint32_t longest = 0;
        for (std::uint32_t own = 0; own < size; ++own) {
          MinimumSpanningTree tree(size, root, own);
          if (!tree.go_to(step) || tree.from() != own) continue;
          for (std::uint32_t i = tree.part().first; i < tree.part().end; ++i) {
            ASSERT_EQ(pieces[own].erase(i), 1U);
            pieces[tree.to()].insert(i);
          }
          longest = std::max(longest, tree.part().size());
        }
        longest_of_all += longest;
      }
      EXPECT_EQ(longest_of_all, size - 1);
      for (std::uint32_t own = 0; own < size; ++own) {
        EXPECT_EQ(pieces[own], std::set<std::uint32_t>{own}) << size << ", root " << root;
      }
    }
  }
}

TEST(IntercomTree, MayGoBackToAnEarlierStep) {
  for (std::uint32_t own = 0; own < 30; ++own) {
    MinimumSpanningTree back(30, 11, own);
    for (std::uint32_t step = back.steps(); step > 0; --step) {
      MinimumSpanningTree forth(30, 11, own);
      const bool takes_part = forth.go_to(step);
      ASSERT_EQ(back.go_to(step), takes_part) << "member " << own << ", step " << step;
      if (!takes_part) continue;
      EXPECT_EQ(back.from(), forth.from());
      EXPECT_EQ(back.to(), forth.to());
      EXPECT_EQ(back.part().first, forth.part().first);
      EXPECT_EQ(back.part().end, forth.part().end);
    }
  }
}

Call call_of(const TestHybrid& hybrid) {
  const TestWords words = words_of(hybrid);
  const TestCall call{.parameter = {0, words.parameter_1, 0}, .flags = words.flags};
  return {call.words(), 0};
}

TEST(IntercomMesh, CountsRanksAndPlacesAsThePageSays) {
  for (const std::uint32_t p : {1U, 7U, 12U, 16U, 30U}) {
    for (const TestHybrid& hybrid : hybrids_of(p)) {
      const Call call = call_of(hybrid);
      ASSERT_TRUE(LogicalMesh::fits(call, p, false)) << text_of(hybrid);
      const std::size_t k = hybrid.sizes.size();
      std::set<std::uint32_t> places;
      const LogicalMesh all(call, p, 0, 0, false);
      PlacesOfRanks of_ranks(all);  // with near dimensions first
      for (std::uint32_t rank = 0; rank < p; ++rank) {
        const LogicalMesh mesh(call, p, rank, p / 2, false);
        ASSERT_EQ(mesh.dimensions(), k);
        std::uint32_t place = 0, stride = 1;
        std::vector<std::uint32_t> strides(k);
        for (std::size_t n = 0; n < k; ++n) {
          const std::size_t i = hybrid.far_first ? k - 1 - n : n;
          strides[i] = stride;
          stride *= hybrid.sizes[i];
        }
        for (std::uint32_t i = 0; i < k; ++i) {
          const std::uint32_t coordinate = rank / strides[i] % hybrid.sizes[i];
          EXPECT_EQ(mesh[i].size, hybrid.sizes[i]);
          EXPECT_EQ(mesh[i].stride, strides[i]);
          EXPECT_EQ(mesh[i].coordinate, coordinate);
          EXPECT_EQ(mesh[i].root, p / 2 / strides[i] % hybrid.sizes[i]);
          place = place * hybrid.sizes[i] + coordinate;
        }
        EXPECT_EQ(mesh.place(), place) << text_of(hybrid) << ", rank " << rank;
        EXPECT_TRUE(places.insert(place).second);
        if (!hybrid.far_first) {
          EXPECT_EQ(of_ranks.place(), place);
        }
        if (!mesh.permutes()) {
          EXPECT_EQ(place, rank);
        }
        of_ranks.next();
      }
    }
  }
}

std::string letters(reg::Operation operation, std::uint32_t dimensions, bool is_short) {
  const Stages stages(operation, dimensions, is_short);
  std::string text;
  for (std::uint32_t i = 0; i < stages.count(); ++i) {
    const Stage stage = stages[i];
    text += "?SMGRCD"[static_cast<std::size_t>(stage.block)];
    text += std::to_string(stage.dimension + 1);
  }
  return text;
}

TEST(IntercomStages, AreThoseOfFigureThree) {
  using enum reg::Operation;
  EXPECT_EQ(letters(kBroadcast, 2, false), "S1S2C2C1");
  EXPECT_EQ(letters(kBroadcast, 2, true), "S1M2C1");
  EXPECT_EQ(letters(kScatter, 2, false), "S1S2");
  EXPECT_EQ(letters(kScatter, 2, true), "S1S2");
  EXPECT_EQ(letters(kGather, 2, false), "G2G1");
  EXPECT_EQ(letters(kGather, 2, true), "G2G1");
  EXPECT_EQ(letters(kAllGather, 2, false), "C2C1");
  EXPECT_EQ(letters(kAllGather, 2, true), "G2M2C1");
  EXPECT_EQ(letters(kReduce, 2, false), "D1D2G2G1");
  EXPECT_EQ(letters(kReduce, 2, true), "D1R2G1");
  EXPECT_EQ(letters(kAllReduce, 2, false), "D1D2C2C1");
  EXPECT_EQ(letters(kAllReduce, 2, true), "D1R2M2C1");
  EXPECT_EQ(letters(kReduceScatter, 2, false), "D1D2");
  EXPECT_EQ(letters(kReduceScatter, 2, true), "D1R2S2");
  EXPECT_EQ(letters(kAllReduce, 1, true), "R1M1");
  EXPECT_EQ(letters(kBroadcast, 4, true), "S1S2S3M4C3C2C1");
}

constexpr reg::Operation kChoosing[] = {reg::Operation::kBroadcast,    reg::Operation::kScatter,
                                        reg::Operation::kGather,       reg::Operation::kAllGather,
                                        reg::Operation::kAllReduce,    reg::Operation::kReduce,
                                        reg::Operation::kReduceScatter};

using Three = std::array<std::uint32_t, 3>;

/// The words of the reference's choice. The last size is in no word.
template <typename FirmwareTimes>
void expect_choice_by(const reference::intercom::Times& times, const Three& sizes,
                      std::uint32_t bytes, bool in_order) {
  std::vector<int> extents;
  for (const std::uint32_t size : sizes) {
    if (size > 1) extents.push_back(static_cast<int>(size));
  }
  for (const reg::Operation operation : kChoosing) {
    const HybridWords chosen =
        choose_hybrid<FirmwareTimes>(operation, Extents(sizes), bytes, in_order);
    const TestHybrid expected = reference_choice(operation, extents, bytes, in_order, times);
    const TestWords words = words_of(expected);
    EXPECT_EQ(chosen.sizes, words.parameter_1)
        << "operation " << static_cast<int>(operation) << " on " << sizes[0] << "x" << sizes[1]
        << "x" << sizes[2] << ", " << bytes << " bytes, expected " << text_of(expected);
    EXPECT_EQ(chosen.flags, words.flags) << text_of(expected);
  }
}

void expect_reference_choice(const Three& sizes, std::uint32_t bytes, bool in_order) {
  expect_choice_by<CoreTimes>(reference::intercom::kCoreTimes, sizes, bytes, in_order);
  expect_choice_by<HostTimes>(reference::intercom::kHostTimes, sizes, bytes, in_order);
}

TEST(IntercomChoice, IsTheReferencesOnLines) {
  for (std::uint32_t p = 1; p <= 130; ++p) {
    for (std::uint32_t bytes = 8; bytes * p <= reg::kMaxMessageBytes; bytes *= 4) {
      expect_reference_choice({p, 1, 1}, bytes - 1, false);
      if (HasFailure()) return;
    }
  }
  for (const std::uint32_t p : {720U, 840U, 1021U, 1024U, 1025U, 1536U, 65'536U}) {
    for (const std::uint32_t bytes : {0U, 8U, 200U})
      expect_reference_choice({p, 1, 1}, bytes, false);
  }
}

TEST(IntercomChoice, IsTheReferencesOnMeshesInEveryLength) {
  for (const Three& sizes :
       {Three{8, 8, 1}, Three{16, 16, 1}, Three{5, 7, 1}, Three{7, 5, 1}, Three{16, 32, 1},
        Three{6, 1, 5}, Three{4, 4, 4}, Three{24, 18, 12}, Three{240, 1, 180}, Three{1, 30, 1},
        Three{25, 5, 1}, Three{50, 5, 1}, Three{32, 8, 1}, Three{64, 2, 2}, Three{64, 4, 2}}) {
    const std::uint32_t p = sizes[0] * sizes[1] * sizes[2];
    for (std::uint32_t bytes = 0; std::uint64_t{bytes} * p <= reg::kMaxMessageBytes;
         bytes += bytes / 3 + 40) {
      expect_reference_choice(sizes, bytes, false);
      if (HasFailure()) return;
    }
  }
}

TEST(IntercomChoice, KeepsTheOrderByOneTree) {
  for (const std::uint32_t bytes : {8U, 8000U, 200'000U}) {
    expect_reference_choice({8, 8, 1}, bytes, true);
    for (const reg::Operation operation :
         {reg::Operation::kReduce, reg::Operation::kAllReduce, reg::Operation::kReduceScatter}) {
      EXPECT_EQ(choose_hybrid<CoreTimes>(operation, Extents({8, 8, 1}), bytes, true).flags, kNamed);
    }
  }
}

/// As text, to see what it is: no rule, but what this machine measures as fast.
template <typename Times = CoreTimes>
std::string choice_on(const Three& sizes, reg::Operation operation, std::uint32_t bytes) {
  const HybridWords words = choose_hybrid<Times>(operation, Extents(sizes), bytes, false);
  TestCall call{.parameter = {0, words.sizes, 0}, .flags = words.flags};
  const Call asked{call.words(), 0};
  const std::uint32_t p = sizes[0] * sizes[1] * sizes[2];
  EXPECT_TRUE(LogicalMesh::fits(asked, p, false));
  const LogicalMesh mesh(asked, p, 0, 0, false);
  std::string text;
  for (std::uint32_t i = 0; i < mesh.dimensions(); ++i) {
    text += (i == 0 ? "" : "x") + std::to_string(mesh[i].size);
  }
  return text + (is_short(asked) ? " short" : " long") + (is_far_first(asked) ? " far" : " near");
}

TEST(IntercomChoice, GoesFromOneTreeToRowsAndColumns) {
  using enum reg::Operation;
  EXPECT_EQ(choice_on({8, 8, 1}, kBroadcast, 8), "64 short near");
  EXPECT_EQ(choice_on({8, 8, 1}, kBroadcast, 16 << 10), "2x32 short near");
  EXPECT_EQ(choice_on({8, 8, 1}, kBroadcast, 1 << 20), "8x8 long near");
  EXPECT_EQ(choice_on({8, 8, 1}, kAllGather, 8), "2x2x2x2x2x2 long far");
  EXPECT_EQ(choice_on({8, 8, 1}, kAllGather, 16 << 10), "8x8 long far");
  EXPECT_EQ(choice_on({30, 1, 1}, kBroadcast, 64 << 10), "15x2 short far");
  EXPECT_EQ(choice_on({30, 1, 1}, kBroadcast, 32 << 10), "30 short far");
  EXPECT_EQ(choice_on({24, 1, 1}, kAllReduce, 32 << 10), "4x6 long near");
  EXPECT_EQ(choice_on({24, 1, 1}, kAllReduce, 64 << 10), "12x2 long far");
  EXPECT_EQ(choice_on({31, 1, 1}, kBroadcast, 8), "31 short near");
  EXPECT_EQ(choice_on({31, 1, 1}, kBroadcast, 1 << 20), "31 long far");
  EXPECT_EQ(choice_on({31, 1, 1}, kReduceScatter, 0), "31 short far");
  EXPECT_EQ(choice_on({31, 1, 1}, kReduceScatter, 64 << 10), "31 long far");
  EXPECT_EQ(choice_on({8, 8, 1}, kScatter, 1 << 16), "64 short near");
}

TEST(IntercomChoice, GathersInTwoDimensionsWithoutMoreSteps) {
  using enum reg::Operation;
  EXPECT_EQ(choice_on({8, 8, 1}, kGather, 8), "2x32 long far");
  EXPECT_EQ(choice_on({5, 7, 1}, kGather, 1 << 16), "5x7 long far");
  EXPECT_EQ(choice_on({9, 1, 1}, kGather, 8), "3x3 long far");
  EXPECT_EQ(choice_on({15, 1, 1}, kGather, 8), "15 short near");
  EXPECT_EQ(choice_on({2, 1, 1}, kGather, 8), "2 short near");
  EXPECT_EQ(choice_on({127, 1, 71}, kGather, 8), "71x127 long far");
}

}  // namespace
}  // namespace annelid::firmware::intercom
