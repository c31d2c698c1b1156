// The catalogue's algorithms by rank, through the requests that a user makes: schedules fit what
// their messages hold, results are the operation's, on every embedding and number of ranks, and
// operands keep their order where that is promised. State space: four networks, three embeddings,
// all, one, two and some of the ranks, three roots, PARAMETER_1 for the default, for three packets,
// and for the extra root; blocks of 0 to 200 bytes.
#include <cstring>
#include <random>

#include "reference/operations.hpp"
#include "reference/rank_algorithms.hpp"
#include "testbench/reference/flow_checks.hpp"

namespace annelid::reference {
namespace {

template <typename Visit>
void each_request(const Algorithm& algorithm, std::uint64_t bytes, Visit visit) {
  for (const Network& net : {Network{1, 1}, Network{5, 3}, Network{4, 4}, Network{3, 4, 5}}) {
    for (std::size_t e = 0; e < kEmbeddings; ++e) {
      for (const int ranks : {0, 1, 2, net.nodes() / 2 + 1}) {
        if (ranks > net.nodes()) continue;
        const Ranks group{static_cast<Embedding>(e), ranks};
        const std::vector<Node> nodes = members(net, group);
        const bool takes = algorithm.takes_ranks == nullptr ||
                           algorithm.takes_ranks(static_cast<int>(nodes.size()));
        if (!takes) continue;
        for (const Node root : {nodes.front(), nodes[nodes.size() / 2], nodes.back()}) {
          for (const std::uint32_t parameter : {0U, 3U, 0x10002U}) {
            SCOPED_TRACE(testing::Message() << name_of(algorithm.operation) << " " << algorithm.name
                                            << " on " << to_string(net) << ", " << nodes.size()
                                            << " ranks in " << name_of(group.embedding) << ", root "
                                            << to_string(root) << ", parameter " << parameter);
            visit(Request{net, root, bytes, parameter, group});
            if (testing::Test::HasFatalFailure()) return;
          }
        }
      }
    }
  }
}

bool combines(Operation operation) {
  return operation == Operation::kReduce || operation == Operation::kAllReduce ||
         operation == Operation::kScan || operation == Operation::kExscan;
}

TEST(RankCatalogue, EveryRowIsByRankWithItsDataFlow) {
  ASSERT_EQ(rank_algorithms().size(), 42u);
  for (const Algorithm& a : rank_algorithms()) {
    EXPECT_TRUE(a.by_rank && a.data_flow != nullptr) << a.name;
    EXPECT_EQ(find_algorithm(a.operation, a.name)->code, a.code);
    EXPECT_TRUE(combines(a.operation) || a.keeps_order == nullptr) << a.name;
  }
}

TEST(RankCatalogue, SchedulesAreTheirDataFlowsOnTheNodesOfTheRanks) {
  for (const Algorithm& a : rank_algorithms()) {
    each_request(a, 100, [&](const Request& r) {
      const DataFlow flow = a.data_flow(r);
      expect_no_violation(flow);
      const Schedule schedule = a.schedule(r);
      ASSERT_EQ(schedule.steps.size(), flow.steps.size());
      const Parts parts(r.bytes, flow.parts);
      for (std::size_t s = 0; s < flow.steps.size(); ++s) {
        ASSERT_EQ(schedule.steps[s].size(), flow.steps[s].size());
        for (std::size_t m = 0; m < flow.steps[s].size(); ++m) {
          const FlowMessage& held = flow.steps[s][m];
          const Message& sent = schedule.steps[s][m];
          ASSERT_EQ(rank_of(r.network, r.ranks, sent.from), held.from);
          ASSERT_EQ(rank_of(r.network, r.ranks, sent.to), held.to);
          ASSERT_EQ(sent.bytes, parts.bytes(held.first, held.end));
        }
      }
    });
  }
}

TEST(RankCatalogue, BroadcastsBringTheRootsBlock) {
  for (const Algorithm& a : rank_algorithms()) {
    if (a.operation != Operation::kBroadcast) continue;
    each_request(a, 100, [&](const Request& r) {
      const int root = rank_of(r.network, r.ranks, r.root);
      for (const auto& word : spelled(a.data_flow(r))) ASSERT_EQ(word, std::vector<int>{root});
    });
  }
}

Inputs random_inputs(Operation operation, const Request& r) {
  std::mt19937 random(7);
  Inputs in{operation, r.network, r.root, r.bytes, {}, r.ranks};
  for (int i = 0; i < r.network.nodes(); ++i) {
    Bytes& source = in.source.emplace_back(source_bytes(in, node_at(r.network, i)));
    for (std::byte& b : source) b = static_cast<std::byte>(random());
  }
  return in;
}

/// The blocks of the ranks first .. end - 1, one after the other.
Bytes folded(const Inputs& in, int end, Operator op, ElementType type) {
  const std::vector<Node> nodes = members(in.network, in.ranks);
  const auto block = [&](int rank) {
    const Node node = nodes[static_cast<std::size_t>(rank)];
    return in.source[static_cast<std::size_t>(index_of(in.network, node))];
  };
  Bytes result = block(0);
  for (int rank = 1; rank < end; ++rank) combine(op, type, result, block(rank));
  return result;
}

void expect_results(const Algorithm& a, const Request& r, Operator op, ElementType type) {
  const Inputs in = random_inputs(a.operation, r);
  const std::vector<Bytes> reduced = combined(in, a.data_flow(r), op, type);
  const int ranks = rank_count(r.network, r.ranks);
  const bool scans = a.operation == Operation::kScan || a.operation == Operation::kExscan;
  for (int i = 0; i < r.network.nodes(); ++i) {
    const Node node = node_at(r.network, i);
    const Bytes found = target_after(in, reduced, node);
    ASSERT_EQ(found.size(), target_bytes(in, node));
    if (found.empty()) continue;
    const int rank = rank_of(r.network, r.ranks, node);
    const int before = a.operation == Operation::kExscan ? rank : rank + 1;
    ASSERT_EQ(found, folded(in, scans ? before : ranks, op, type)) << to_string(node);
  }
}

TEST(RankCatalogue, ReductionsAndScansAreThoseOfTheBlocksOneAfterTheOther) {
  // Integers: any grouping has the same bytes.
  constexpr std::array kTypes = {ElementType::kInt32, ElementType::kUint32, ElementType::kInt64};
  std::size_t n = 0;
  for (const Algorithm& a : rank_algorithms()) {
    if (!combines(a.operation)) continue;
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{200}}) {
      each_request(a, bytes, [&](const Request& r) {
        expect_results(a, r, static_cast<Operator>(n % kOperators), kTypes[n % kTypes.size()]);
        ++n;
      });
    }
  }
  EXPECT_GT(n, 1000u);
}

TEST(RankCatalogue, AffineMapsAreCombinedInOrderWhereThatIsPromisedAndRefusedWhereTheyWouldNotBe) {
  int in_order = 0, refused = 0;
  for (const Algorithm& a : rank_algorithms()) {
    if (!combines(a.operation)) continue;
    each_request(a, 64, [&](const Request& r) {
      if (a.keeps_order != nullptr && a.keeps_order(r)) {
        expect_results(a, r, Operator::kAffine, ElementType::kUint32);
        ++in_order;
        return;
      }
      const DataFlow flow = a.data_flow(r);  // few ranks may be in order by chance
      const bool by_chance = std::ranges::all_of(flow.results, [&](const FlowResult& result) {
        return flow.values.in_order(result.value).has_value();
      });
      if (by_chance) return;
      EXPECT_THROW(
          combined(random_inputs(a.operation, r), flow, Operator::kAffine, ElementType::kUint32),
          std::invalid_argument);
      ++refused;
    });
  }
  EXPECT_GT(in_order, 1000);
  EXPECT_GT(refused, 100);
}

TEST(RankCatalogue, TheOrderIsPromisedToTheRootsThatTheDocumentSays) {
  // The first of seven ranks, one between, the last.
  const auto promised = [](std::string_view name) {
    const Algorithm* a = find_algorithm(Operation::kReduce, name);
    std::string roots;
    for (const int root : {0, 3, 6}) {
      const Request request{{7, 1}, {root, 0}, 8};
      if (a->keeps_order != nullptr && a->keeps_order(request)) roots += std::to_string(root);
    }
    return roots;
  };
  for (const char* name : {"two-tree", "two-tree-shifted", "linear-pipeline", "binary-tree"}) {
    EXPECT_EQ(promised(name), "06") << name;
  }
  for (const char* name : {"butterfly", "rabenseifner", "elimination-butterfly"}) {
    EXPECT_EQ(promised(name), "036") << name;
  }
  EXPECT_EQ(promised("binomial"), "0");
  EXPECT_EQ(promised("two-tree-couples"), "");
}

TEST(RankCatalogue, PacketsAreTheNearestBelowTheOptimum) {
  // 8,192 words, 16 ranks: floor(sqrt(8192 c / 200)), c as docs/internals/algorithms/by-rank.md
  // says of each. Of two trees h / 2 with h = ceil(log2(q + 2)), 5 for 15 and 16 processes and 4
  // for 7 couples.
  const Request request{{16, 1}, {}, 65'536};
  const auto parts = [&](Operation operation, std::string_view name) {
    return find_algorithm(operation, name)->data_flow(request).parts;
  };
  for (const char* name : {"two-tree", "two-tree-shifted"}) {
    EXPECT_EQ(parts(Operation::kBroadcast, name), 2 * 10U);  // sqrt(102.4)
    EXPECT_EQ(parts(Operation::kScan, name), 2 * 10U);
  }
  EXPECT_EQ(parts(Operation::kReduce, "two-tree-couples"), 2 * 9U);  // sqrt(81.9)
  EXPECT_EQ(parts(Operation::kBroadcast, "linear-pipeline"), 25U);   // sqrt(655.4)
  EXPECT_EQ(parts(Operation::kExscan, "linear-pipeline"), 25U);
  EXPECT_EQ(parts(Operation::kBroadcast, "binary-tree"), 12U);  // sqrt(163.8)
  EXPECT_EQ(parts(Operation::kBroadcast, "circulant"), 11U);    // sqrt(122.9)
  EXPECT_EQ(parts(Operation::kScan, "doubly-pipelined"), 14U);  // sqrt(218.5)
}

TEST(RankCatalogue, TheSecondTreeIsMirroredOrShifted) {
  // The root of four processes is 1 by mirroring, 3 by shifting: its first packet comes in step 2.
  const Request request{{5, 1}, {}, 16, 1};
  for (const auto& [name, root] : {std::pair("two-tree", 1), std::pair("two-tree-shifted", 3)}) {
    const DataFlow flow = find_algorithm(Operation::kBroadcast, name)->data_flow(request);
    int to = 0;
    for (const FlowMessage& m : flow.steps[1]) to = m.from == 0 ? m.to : to;
    EXPECT_EQ(to, root) << name;
  }
}

TEST(RankCatalogue, TheLastOfAnOddNumberIsTheRootIfBit16SaysSo) {
  // Seven processes: below the source the first tree's root, 4, or the common one, 7.
  const Algorithm* a = find_algorithm(Operation::kBroadcast, "two-tree");
  for (const auto& [bit, top] : {std::pair(0U, 4), std::pair(0x10000U, 7)}) {
    const DataFlow flow = a->data_flow({{8, 1}, {}, 16, bit | 1});
    ASSERT_EQ(flow.steps[0].size(), 1U);
    EXPECT_EQ(flow.steps[0][0].to, top);
  }
}

TEST(RankCatalogue, FloatsAreCombinedInTheGroupingOfTheMessages) {
  // 2^24 + 1 is no float32. Doubling combines (0 1)(2 3); a pipeline to rank 0 has 0 (1 (2 3)).
  const std::array<float, 4> values = {1, 16777216, 1, 1};
  Inputs in{Operation::kReduce, {4, 1}, {}, 4, {}};
  for (const float f : values) std::memcpy(in.source.emplace_back(4).data(), &f, 4);
  const auto result = [&](std::string_view name) {
    const Algorithm* a = find_algorithm(Operation::kReduce, name);
    const Bytes bytes =
        combined(in, a->data_flow({in.network, {}, 4}), Operator::kSum, ElementType::kFloat32)[0];
    float f = 0;
    std::memcpy(&f, bytes.data(), 4);
    return f;
  };
  EXPECT_EQ(result("butterfly"), 16777218.0F);        // (2^24) + 2
  EXPECT_EQ(result("linear-pipeline"), 16777220.0F);  // 1 + (2^24 + 2)
}

TEST(RankCatalogueErrors, RootsAndRanksThatAreNotThereAreRefused) {
  for (const Algorithm& a : rank_algorithms()) {
    EXPECT_THROW(a.schedule({{3, 3}, {}, 8, 0, {Embedding::kRows, 10}}), std::invalid_argument);
    const bool has_root = a.operation == Operation::kBroadcast || a.operation == Operation::kReduce;
    if (!has_root) continue;
    EXPECT_THROW(a.schedule({{3, 3}, {2, 2}, 8, 0, {Embedding::kRows, 8}}), std::invalid_argument);
  }
}

TEST(RankCatalogueErrors, NumbersOfRanksThatAnAlgorithmDoesNotTakeAreRefused) {
  int refusing = 0;
  for (const Algorithm& a : rank_algorithms()) {
    if (a.takes_ranks == nullptr) continue;
    ++refusing;
    EXPECT_TRUE(a.takes_ranks(8)) << a.name;
    EXPECT_NO_THROW(a.schedule({{3, 3}, {}, 8, 0, {Embedding::kRows, 8}})) << a.name;
    EXPECT_FALSE(a.takes_ranks(9)) << a.name;
    EXPECT_THROW(a.schedule({{3, 3}, {}, 8, 0}), std::invalid_argument) << a.name;
  }
  EXPECT_EQ(refusing, 2);
}

TEST(RankCatalogueErrors, SchedulesThatTakeNoReasonableMemoryAreRefused) {
  const Algorithm* line = find_algorithm(Operation::kBroadcast, "linear-pipeline");
  try {
    (void)line->schedule({{256, 256}, {}, 1 << 20, 0xFFFF});
    FAIL() << "not refused";
  } catch (const std::invalid_argument& refusal) {  // before any message is made
    EXPECT_EQ(std::string(refusal.what()).find("65535 packets to 65536 ranks"), 0U)
        << refusal.what();
  }
}

TEST(Combined, RefusesAFlowThatLeavesABlockOutOrHasOneTwice) {
  const Inputs in{Operation::kReduce, {3, 1}, {}, 8, std::vector<Bytes>(3, Bytes(8))};
  const auto of = [&](auto build) {
    DataFlow flow(3, 1);
    flow.results.push_back({0, 1, 0, 1, build(flow.values)});
    return combined(in, flow, Operator::kSum, ElementType::kInt32);
  };
  EXPECT_NO_THROW(of([](auto& v) { return v.combine(v.combine(2, 0), 1); }));
  EXPECT_THROW(of([](auto& v) { return v.combine(0, 1); }), std::invalid_argument);
  EXPECT_THROW(of([](auto& v) { return v.combine(v.combine(0, 1), 1); }), std::invalid_argument);
}

}  // namespace
}  // namespace annelid::reference
