// All-reduce by combs: docs/internals/algorithms/combs.md. Pieces, packets and steps by hand; every
// contribution counted once and every result brought once to every node; loads of channels; the
// order of operands. State space: meshes of 1 to 256 nodes; 0 to 60,000 bytes; 1 to 5 packets.
#include "reference/combs/combs.hpp"

#include <bitset>
#include <map>
#include <tuple>

#include "reference/schedule/index.hpp"
#include "testbench/reference/all_ports/all_ports_networks.hpp"
#include "testbench/reference/combs/comb_networks.hpp"
#include "testbench/reference/schedule_checks.hpp"

namespace annelid::reference {
namespace {

std::vector<std::uint64_t> lengths_of(const Network& net, std::uint64_t bytes) {
  std::vector<std::uint64_t> lengths;
  for (const CombPiece& piece : comb_pieces(comb_trees(net), bytes)) {
    lengths.push_back(piece.bytes());
  }
  return lengths;
}

TEST(Combs, PiecesHaveTheirSharesAndTheFirstTreesWhatIsLeftOver) {
  using Lengths = std::vector<std::uint64_t>;
  // 3 x 2: 7 links. Three row combs of 1 / 7, two column combs of 2 / 7.
  EXPECT_EQ(lengths_of({3, 2}, 56), (Lengths{8, 8, 8, 16, 16}));
  // 10 words: 1, 1, 1, 2, 2 and three more.
  EXPECT_EQ(lengths_of({3, 2}, 80), (Lengths{16, 16, 16, 16, 16}));
  // 9 words, the last one of 4 bytes: 1, 1, 1, 2, 2 and two more.
  EXPECT_EQ(lengths_of({3, 2}, 68), (Lengths{16, 16, 8, 16, 12}));
  // Two words: the trees behind have none.
  EXPECT_EQ(lengths_of({3, 2}, 16), (Lengths{8, 8, 0, 0, 0}));
  EXPECT_EQ(lengths_of({3, 2}, 4), (Lengths{4, 0, 0, 0, 0}));
  EXPECT_EQ(lengths_of({3, 2}, 0), (Lengths{0, 0, 0, 0, 0}));
  EXPECT_EQ(lengths_of({1, 1}, 100), Lengths{100});
  EXPECT_EQ(lengths_of({8, 8}, 4 << 20), Lengths(16, 262'144));
}

TEST(Combs, PiecesCoverTheVectorAndAreWithinAWordOfTheirShares) {
  for (const Network& net : comb_networks()) {
    const std::vector<CombTree> trees = comb_trees(net);
    const std::uint64_t links = links_of(trees);
    for (const std::uint64_t bytes : {1U, 100U, 4'096U, 60'004U}) {
      const std::vector<CombPiece> pieces = comb_pieces(trees, bytes);
      ASSERT_EQ(pieces.size(), trees.size());
      std::uint64_t begin = 0;
      for (std::size_t t = 0; t < trees.size(); ++t) {
        ASSERT_EQ(pieces[t].begin, begin) << to_string(net);
        begin = pieces[t].end;
        const std::uint64_t share = (bytes + 7) / 8 * trees[t].weight / links;
        ASSERT_GE(pieces[t].words(), share) << to_string(net);
        ASSERT_LE(pieces[t].words(), share + 1) << to_string(net);
      }
      ASSERT_EQ(begin, bytes) << to_string(net);
    }
  }
}

TEST(Combs, PacketsHave256WordsOfTheLongestPieceOrAreAsManyAsAsked) {
  const auto packets = [](const Network& net, std::uint64_t bytes, std::uint32_t parameter = 0) {
    return comb_packets(comb_pieces(comb_trees(net), bytes), parameter);
  };
  EXPECT_EQ(packets({5, 1}, 0), 1u);
  EXPECT_EQ(packets({5, 1}, 2'048), 1u);
  EXPECT_EQ(packets({5, 1}, 2'049), 2u);
  EXPECT_EQ(packets({8, 8}, 4 << 20), 128u);
  EXPECT_EQ(packets({3, 2}, 7 * 2'048), 2u);  // the column combs' pieces have 512 words
  EXPECT_EQ(packets({5, 1}, 2'048, 77), 77u);
  EXPECT_EQ(packets({5, 1}, 2'048, 0x10003), 3u);
  EXPECT_EQ(packets({2, 1}, std::uint64_t{1} << 40), 65'535u);
}

TEST(Combs, ALineCombinesToItsMiddleAndSpreadsFromThere) {
  // One tree with its root at 1. Two packets of two words and of one.
  const Schedule schedule = combs_all_reduce({3, 1}, 20, 2);
  ASSERT_EQ(schedule.steps.size(), 3u);
  EXPECT_EQ(schedule.steps[0], (Step{{{0, 0}, {1, 0}, 16, 0, 1}, {{2, 0}, {1, 0}, 16, 0, 1}}));
  EXPECT_EQ(schedule.steps[1], (Step{{{0, 0}, {1, 0}, 4, 0, 1},
                                     {{1, 0}, {0, 0}, 16, 1},
                                     {{1, 0}, {2, 0}, 16, 1},
                                     {{2, 0}, {1, 0}, 4, 0, 1}}));
  EXPECT_EQ(schedule.steps[2], (Step{{{1, 0}, {0, 0}, 4, 1}, {{1, 0}, {2, 0}, 4, 1}}));
}

TEST(Combs, AStepIsASlotOfOneTree) {
  const Network net{4, 3};
  const std::size_t trees = comb_trees(net).size();
  const Schedule schedule = combs_all_reduce(net, 4'096, 3);
  // The deepest tree: row combs 0 and 3 have depth 4, column combs 4.
  ASSERT_EQ(schedule.steps.size(), (2 * 4 + 3 - 1) * trees);
  for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
    for (const Message& m : schedule.steps[i]) ASSERT_EQ(at(m.strand) / 2, i % trees);
  }
  // Tree 2 has its root at (2, 1) and depth 3, and 60 words. (1, 0) has depth 2.
  const auto slots = [&](const Message& m) {
    std::vector<std::size_t> found;
    for (std::size_t i = 2; i < schedule.steps.size(); i += trees) {
      const Step& step = schedule.steps[i];
      if (std::ranges::find(step, m) != step.end()) found.push_back(i / trees);
    }
    return found;
  };
  EXPECT_EQ(slots({{1, 0}, {2, 0}, 160, 4}), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(slots({{2, 0}, {1, 0}, 160, 5}), (std::vector<std::size_t>{4, 5, 6}));
}

TEST(Combs, ASenderHasItsMessagesInTheOrderOfTheirReceivers) {
  const Network net{4, 3};
  for (const Step& step : combs_all_reduce(net, 4'096, 3).steps) {
    ASSERT_TRUE(std::ranges::is_sorted(step, {}, [&](const Message& m) {
      return std::pair(index_of(net, m.from), index_of(net, m.to));
    }));
  }
}

using Contributions = std::bitset<256>;  // of which nodes

/// Follows the packets of a schedule: messages of a strand over an edge go in their order.
class Follower {
 public:
  explicit Follower(const Network& net) : net_(net) {}

  void play(const Schedule& schedule) {
    for (const Step& step : schedule.steps) {
      std::vector<std::pair<Message, Contributions>> sent;
      std::vector<Place> receivers;
      for (const Message& m : step) {
        ASSERT_GT(m.bytes, 0u) << to_string(net_);
        const std::uint64_t packet = sent_[{m.from, m.to, m.strand}]++;
        sent.emplace_back(m, partial({m.from, m.strand / 2, packet}));
        receivers.emplace_back(m.to, m.strand / 2, packet);
      }
      for (std::size_t i = 0; i < sent.size(); ++i) {
        take(partial(receivers[i]), sent[i].second, sent[i].first.strand % 2 != 0);
      }
    }
  }

  /// Whether a node has the result of a packet.
  bool has_result(Node node, int tree, std::uint64_t packet) {
    return partial({node, tree, packet}).count() == at(net_.nodes());
  }

 private:
  using Place = std::tuple<Node, int, std::uint64_t>;  // a packet of a tree, at a node

  Contributions& partial(const Place& place) {
    const auto [found, is_new] = partial_.try_emplace(place);
    if (is_new) found->second.set(at(index_of(net_, std::get<0>(place))));
    return found->second;
  }
  void take(Contributions& own, const Contributions& brought, bool is_result) {
    ASSERT_LT(own.count(), at(net_.nodes())) << to_string(net_) << ": a result twice";
    if (is_result) {
      ASSERT_EQ(brought.count(), at(net_.nodes())) << to_string(net_) << ": not final";
      own = brought;
      return;
    }
    ASSERT_TRUE((own & brought).none()) << to_string(net_) << ": a contribution twice";
    own |= brought;
  }

  const Network& net_;
  std::map<std::tuple<Node, Node, int>, std::uint64_t> sent_;
  std::map<Place, Contributions> partial_;
};

TEST(Combs, EveryContributionEntersOnceAndEveryNodeGetsEveryResult) {
  std::uint32_t packets = 0;
  for (const Network& net : comb_networks()) {
    packets = packets % 5 + 1;
    const std::uint64_t bytes = 996;
    Follower follower(net);
    follower.play(combs_all_reduce(net, bytes, packets));
    if (testing::Test::HasFatalFailure()) return;
    const std::vector<CombPiece> pieces = comb_pieces(comb_trees(net), bytes);
    for (const Node node : all_nodes(net)) {
      for (std::size_t t = 0; t < pieces.size(); ++t) {
        for (std::uint64_t p = 0; p < std::min<std::uint64_t>(packets, pieces[t].words()); ++p) {
          ASSERT_TRUE(follower.has_result(node, static_cast<int>(t), p)) << to_string(net);
        }
      }
    }
  }
}

/// The bytes over each channel.
std::map<std::pair<Node, Node>, std::uint64_t> volumes(const Schedule& schedule) {
  std::map<std::pair<Node, Node>, std::uint64_t> bytes;
  for (const Step& step : schedule.steps) {
    for (const Message& m : step) bytes[{m.from, m.to}] += m.bytes;
  }
  return bytes;
}

TEST(Combs, LongVectorsLoadAllChannelsAlikeWithinTwoPercent) {
  for (const Network& net : comb_networks()) {
    if (net.nodes() == 1) continue;
    const std::uint64_t bytes = std::uint64_t{8} << 20;
    const auto loads = volumes(combs_all_reduce(net, bytes, 1));
    std::uint64_t least = ~std::uint64_t{0}, most = 0, all = 0;
    for (const auto& [channel, load] : loads) {
      least = std::min(least, load);
      most = std::max(most, load);
      all += load;
    }
    ASSERT_EQ(loads.size(), 2 * links_of(comb_trees(net))) << to_string(net);
    ASSERT_EQ(all, 2 * (at(net.nodes()) - 1) * bytes) << to_string(net);
    ASSERT_LE(static_cast<double>(most), 1.02 * static_cast<double>(least)) << to_string(net);
  }
}

TEST(Combs, NoStepHasContention) {
  for (const Network& net : comb_networks()) {
    ASSERT_EQ(conflicts(net, combs_all_reduce(net, 4'096, 3)), 0u) << to_string(net);
  }
}

TEST(Combs, TwoNodesHaveMessagesOfOneStrandInAStep) {
  for (const Network& net : comb_networks()) {
    for (const Step& step : combs_all_reduce(net, 4'096, 3).steps) {
      std::map<std::pair<Node, Node>, int> strand;
      for (const Message& m : step) {
        ASSERT_TRUE(strand.try_emplace({m.from, m.to}, m.strand).second) << to_string(net);
      }
    }
  }
}

TEST(Combs, MessagesToTheRootAloneGoFromOneStrandToAnother) {
  const Network net{4, 3};
  const std::vector<CombTree> trees = comb_trees(net);
  for (const Step& step : combs_all_reduce(net, 4'096, 3).steps) {
    for (const Message& m : step) {
      const bool to_root = index_of(net, m.to) == trees[at(m.strand / 2)].root;
      ASSERT_EQ(m.receiving_strand(), to_root ? m.strand + 1 : m.strand);
      ASSERT_TRUE(!to_root || m.strand % 2 == 0) << "a result to the root";
    }
  }
}

TEST(Combs, TheResultIsTheSum) {
  for (const Network& net : comb_networks()) {
    const auto [blocks, sum] = blocks_and_sum(net, 212);
    ASSERT_EQ(combs_result(net, blocks, Operator::kSum, ElementType::kInt32), sum)
        << to_string(net);
  }
}

std::vector<std::byte> map_of(std::uint32_t a, std::uint32_t b) {
  std::vector<std::byte> bytes;
  for (const std::uint32_t word : {a, b}) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<std::byte>(word >> shift & 0xFFU));
    }
  }
  return bytes;
}

TEST(Combs, ANodeCombinesItsOwnThenItsChildrenByRank) {
  // Maps x -> a x + b, the left one first. One word: row comb 0 alone, with its root at (0, 1).
  const std::vector<std::vector<std::byte>> blocks = {map_of(2, 1), map_of(3, 0), map_of(1, 5),
                                                      map_of(2, 2)};
  const auto result = combs_result({2, 2}, blocks, Operator::kAffine, ElementType::kUint32);
  // Ranks 2, (0, 1), 3: x + 5, then 3 (2 x + 1), then 2 x + 2.
  EXPECT_EQ(result, map_of(12, 68));
}

TEST(Combs, EmptyVectorsHaveNoMessagesAndTooManyAreRefused) {
  EXPECT_EQ(combs_all_reduce({4, 4}, 0, 0).messages(), 0u);
  EXPECT_EQ(combs_all_reduce({1, 1}, 4'096, 0).messages(), 0u);
  EXPECT_THROW(combs_all_reduce({64, 64}, 1 << 30, 65'535), std::invalid_argument);
  EXPECT_THROW(combs_all_reduce({4, 4, 1, {true, true}}, 64, 0), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
