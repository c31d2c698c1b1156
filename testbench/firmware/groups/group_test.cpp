// Process groups as the host makes and asks for them, against an oracle that knows only what CCL
// says (Bala and others, Section 2): who is together, in which order, under which label.
// State space: 1..50 processes, random values, keys and member lists, groups of groups, several at
// a time, any order of events.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "firmware/collectives/collective.hpp"
#include "testbench/firmware/support/fake_network.hpp"

namespace annelid::firmware {
namespace {

using reg::Operation;

constexpr std::uint32_t kQuery = 0x10000;  // where answers go in node memory

/// What QUERY_GROUP tells.
struct View {
  std::pair<std::uint32_t, std::uint32_t> pgid;
  std::uint32_t size = 0, rank = 0, label = 0;
  std::vector<std::uint32_t> members;
};

View query(FakeNetwork& network, std::size_t node, std::uint32_t place) {
  FakeBus& bus = network.bus(node);
  const std::uint32_t ticket = bus.call(
      {.operation = Operation::kQueryGroup, .group = place, .target = kQuery, .count = 1000});
  network.run();
  EXPECT_EQ(network.result(node, ticket), CallResult::kSuccess);
  const auto word = [&](std::uint32_t i) { return bus.get<std::uint32_t>(kQuery + 4 * i); };
  View view{{word(0), word(1)}, word(2), word(3), word(4), {}};
  for (std::uint32_t i = 0; i < view.size; ++i) view.members.push_back(word(5 + i));
  return view;
}

/// What a group must be at each of its members.
struct Expected {
  std::uint32_t label = 0;
  std::vector<std::uint32_t> members;  // by rank
};

/// Every member sees the group as expected. Gives its identifier.
std::pair<std::uint32_t, std::uint32_t> expect_group(FakeNetwork& network, std::uint32_t place,
                                                     const Expected& expected) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> ids;
  for (std::uint32_t rank = 0; rank < expected.members.size(); ++rank) {
    const View view = query(network, expected.members[rank], place);
    EXPECT_EQ(view.members, expected.members);
    EXPECT_EQ(view.rank, rank);
    EXPECT_EQ(view.label, expected.label);
    ids.insert(view.pgid);
  }
  EXPECT_EQ(ids.size(), 1U) << "members name the group differently";
  EXPECT_EQ(ids.begin()->second, expected.members[0]) << "not the process of rank 0";
  return *ids.begin();
}

/// The oracle of partition(): the groups, by value.
std::map<std::uint32_t, Expected> partitioned(const std::vector<std::uint32_t>& parent,
                                              const std::vector<std::uint32_t>& value,
                                              const std::vector<std::int32_t>& key) {
  std::map<std::uint32_t, std::vector<std::size_t>> ranks;
  for (std::size_t rank = 0; rank < parent.size(); ++rank) ranks[value[rank]].push_back(rank);
  std::map<std::uint32_t, Expected> groups;
  for (auto& [v, of] : ranks) {
    std::stable_sort(of.begin(), of.end(),
                     [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
    groups[v].label = v;
    for (const std::size_t rank : of) groups[v].members.push_back(parent[rank]);
  }
  return groups;
}

/// List and scratch memory of the k-th set-up of a test.
std::uint32_t list_of(std::uint32_t k) { return 0x20000 + k * 0x2000; }
std::uint32_t scratch_of(std::uint32_t k) { return list_of(k) + 0x1000; }

TestCall partition_call(std::uint32_t parent, std::uint32_t place, std::uint32_t value,
                        std::int32_t key, std::uint32_t k) {
  return {.operation = Operation::kPartition,
          .group = parent,
          .target = list_of(k),
          .tag = 100 + k,
          .scratch = scratch_of(k),
          .parameter = {place, value, static_cast<std::uint32_t>(key)}};
}

TestCall group_call(FakeBus& bus, const std::vector<std::uint32_t>& members, std::uint32_t place,
                    std::uint32_t label, std::uint32_t k) {
  bus.put(list_of(k), members.data(), 4 * members.size());
  return {.operation = Operation::kGroup,
          .source = list_of(k),
          .count = static_cast<std::uint32_t>(members.size()),
          .tag = 100 + k,
          .scratch = scratch_of(k),
          .parameter = {place, label}};
}

Size size_of(std::uint32_t nodes) {
  for (const int x : {7, 5, 3, 2}) {
    if (nodes % static_cast<std::uint32_t>(x) == 0) return {x, static_cast<int>(nodes) / x, 1};
  }
  return {static_cast<int>(nodes), 1, 1};
}

std::vector<std::uint32_t> first_numbers(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

TEST(Groups, AllIsThereFromTheStartAndIsEveryProcessByItsNumber) {
  for (const Size size : {Size{1, 1, 1}, Size{5, 3, 1}, Size{2, 3, 4}}) {
    FakeNetwork network(size);
    const auto members = first_numbers(network.nodes());
    for (std::size_t i = 0; i < network.nodes(); ++i) {
      const View view = query(network, i, 0);
      EXPECT_EQ(view.members, members);
      EXPECT_EQ(view.rank, i);
    }
  }
}

TEST(Groups, PartitionMakesOneGroupPerValueOrderedByKeyThenRank) {
  std::mt19937 random(1995);
  int groups_seen = 0, unordered = 0;
  for (std::uint32_t n = 1; n <= 50; ++n) {
    FakeNetwork network(size_of(n), n % 4 == 0 ? 0 : n);
    const std::uint32_t values = 1 + static_cast<std::uint32_t>(random() % 6);
    std::vector<std::uint32_t> value(n);
    std::vector<std::int32_t> key(n);
    for (auto& v : value) v = static_cast<std::uint32_t>(random() % values) * 0x40000001U;
    for (auto& k : key) k = static_cast<std::int32_t>(random() % 9) - 4;  // ties, and both signs
    if (n % 7 == 0) std::fill(key.begin(), key.end(), 3);
    const long before = static_cast<long>(network.records.size());
    network.call_all([&](std::size_t i) { return partition_call(0, 3, value[i], key[i], 0); });
    int steps = 0;
    while ((1U << steps) < n) ++steps;
    EXPECT_EQ(static_cast<long>(network.records.size()) - before, steps * static_cast<long>(n));
    std::uint32_t bytes = 0;
    for (const FakeNetwork::Record& r : network.records) bytes += r.bytes;
    EXPECT_EQ(bytes, n * (n - 1) * 12) << "nothing is sent twice to anybody";
    std::set<std::pair<std::uint32_t, std::uint32_t>> ids;
    const auto groups = partitioned(first_numbers(n), value, key);
    for (const auto& [v, expected] : groups) {
      ids.insert(expect_group(network, 3, expected));
      ++groups_seen;
      unordered += std::is_sorted(expected.members.begin(), expected.members.end()) ? 0 : 1;
    }
    EXPECT_EQ(ids.size(), groups.size()) << "two groups have one identifier";
    if (HasFailure()) break;
  }
  EXPECT_GT(groups_seen, 100);
  EXPECT_GT(unordered, 50);
}

TEST(Groups, PartitionHasNoMemberReturnBeforeAllHaveCalled) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    FakeNetwork network({5, 2, 1}, seed);
    const std::uint32_t late = seed % 10;
    for (std::uint32_t i = 0; i < 10; ++i) {
      if (i != late) network.bus(i).call(partition_call(0, 1, 0, 0, 0));
    }
    network.run();
    for (std::uint32_t i = 0; i < 10; ++i) EXPECT_TRUE(network.bus(i).results.empty());
    network.bus(late).call(partition_call(0, 1, 0, 0, 0));
    network.run();
    for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(network.result(i, 0), CallResult::kSuccess);
  }
}

TEST(Groups, AListedGroupHasTheOrderOfItsList) {
  std::mt19937 random(7);
  for (std::uint32_t n = 1; n <= 50; n += 3) {
    FakeNetwork network(size_of(n), n % 2);
    for (std::uint32_t round = 0; round < 3; ++round) {
      auto members = first_numbers(n);
      std::shuffle(members.begin(), members.end(), random);
      members.resize(1 + random() % n);
      const std::size_t before = network.records.size();
      for (const std::uint32_t m : members) {
        network.bus(m).call(group_call(network.bus(m), members, 1 + round, 1000 + round, round));
      }
      network.run();
      EXPECT_EQ(network.records.size() - before, members.size() - 1);
      expect_group(network, 1 + round, {1000 + round, members});
    }
    if (HasFailure()) break;
  }
}

TEST(Groups, OverlappingOnesMadeAtTheSameTimeInAnyOrderHaveDifferentIdentifiers) {
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    FakeNetwork network({6, 4, 1}, seed);
    std::mt19937 random(seed);
    constexpr std::uint32_t kGroups = 6;  // at once
    std::vector<std::vector<std::uint32_t>> value(kGroups, std::vector<std::uint32_t>(24));
    std::vector<std::vector<std::int32_t>> key(kGroups, std::vector<std::int32_t>(24));
    for (std::uint32_t i = 0; i < 24; ++i) {
      std::vector<std::uint32_t> order = first_numbers(kGroups);
      std::shuffle(order.begin(), order.end(),
                   random);  // each process calls in an order of its own
      for (const std::uint32_t g : order) {
        value[g][i] = static_cast<std::uint32_t>(random() % 3);
        key[g][i] = static_cast<std::int32_t>(random() % 5);
        network.bus(i).call(partition_call(0, 1 + g, value[g][i], key[g][i], g));
      }
    }
    network.run();
    std::set<std::pair<std::uint32_t, std::uint32_t>> ids{query(network, 0, 0).pgid};
    std::size_t groups = 1;
    for (std::uint32_t g = 0; g < kGroups; ++g) {
      for (const auto& [v, expected] : partitioned(first_numbers(24), value[g], key[g])) {
        ids.insert(expect_group(network, 1 + g, expected));
        ++groups;
      }
    }
    EXPECT_EQ(ids.size(), groups);
    if (HasFailure()) break;
  }
}

TEST(Groups, APartOfAPartIsOrderedByItsParentsRanks) {
  FakeNetwork network({6, 5, 1}, 3);
  std::vector<std::uint32_t> value(30);
  std::vector<std::int32_t> key(30);
  for (std::uint32_t i = 0; i < 30; ++i) {
    value[i] = i % 2;
    key[i] = -static_cast<std::int32_t>(i);  // reverses
  }
  network.call_all([&](std::size_t i) { return partition_call(0, 1, value[i], key[i], 0); });
  const auto parents = partitioned(first_numbers(30), value, key);
  network.call_all(
      [&](std::size_t i) { return partition_call(1, 2, static_cast<std::uint32_t>(i) % 3, 0, 1); });
  for (const auto& [v, parent] : parents) {
    std::vector<std::uint32_t> third;
    for (const std::uint32_t m : parent.members) third.push_back(m % 3);
    for (const auto& [w, expected] :
         partitioned(parent.members, third, std::vector<std::int32_t>(15, 0))) {
      expect_group(network, 2, expected);
    }
  }
}

TEST(Groups, AGridHasARowAndAColumnForEachProcess) {
  struct Sizes {
    std::uint32_t x, y;
  };
  for (const Sizes size : {Sizes{1, 1}, {7, 3}, {1, 9}, {9, 1}, {6, 8}}) {
    const std::uint32_t x_size = size.x, y_size = size.y, n = x_size * y_size;
    FakeNetwork network(size_of(n), n);
    network.call_all([&](std::size_t) {
      return TestCall{.operation = Operation::kFormGrid,
                      .target = list_of(0),
                      .count = x_size,
                      .tag = 5,
                      .scratch = scratch_of(0),
                      .parameter = {4, 5, y_size}};
    });
    std::set<std::pair<std::uint32_t, std::uint32_t>> ids;
    for (std::uint32_t y = 0; y < y_size; ++y) {
      Expected row{y, {}};
      for (std::uint32_t x = 0; x < x_size; ++x) row.members.push_back(y * x_size + x);
      ids.insert(expect_group(network, 4, row));
    }
    for (std::uint32_t x = 0; x < x_size; ++x) {
      Expected column{x, {}};
      for (std::uint32_t y = 0; y < y_size; ++y) column.members.push_back(y * x_size + x);
      ids.insert(expect_group(network, 5, column));
    }
    EXPECT_EQ(ids.size(), x_size + y_size);
  }
}

TEST(Groups, ABroadcastStaysInItsGroupAndRunsBesideThoseOfGroupsThatOverlap) {
  // CCL's example (Section 2.2): rows and columns of a grid, each process in one of both.
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    FakeNetwork network({7, 5, 1}, seed);
    network.call_all([&](std::size_t) {
      return TestCall{.operation = Operation::kFormGrid,
                      .target = list_of(0),
                      .count = 7,
                      .tag = 5,
                      .scratch = scratch_of(0),
                      .parameter = {1, 2, 5}};
    });
    for (std::uint32_t i = 0; i < 35; ++i) {
      const std::uint32_t x = i % 7, y = i / 7, data = 100 + i;
      const std::uint32_t row_root = y + 1, column_root = x % 5;
      if (x == row_root) network.bus(i).put(0, &data, 4);
      if (y == column_root) network.bus(i).put(64, &data, 4);
      const TestCall in_row{.operation = Operation::kBroadcast,
                            .algorithm = reg::Algorithm::kRecursiveDoubling,
                            .group = 1,
                            .root = row_root,
                            .source = 0,
                            .count = 4,
                            .tag = 8};
      TestCall in_column = in_row;
      in_column.group = 2;
      in_column.root = column_root;
      in_column.source = 64;
      in_column.tag = 9;
      network.bus(i).call(i % 2 == 0 ? in_row : in_column);
      network.bus(i).call(i % 2 == 0 ? in_column : in_row);
    }
    EXPECT_EQ(network.run(), 5 * 6 + 7 * 4);
    for (std::uint32_t i = 0; i < 35; ++i) {
      const std::uint32_t x = i % 7, y = i / 7;
      EXPECT_EQ(network.bus(i).get<std::uint32_t>(0), 100 + y * 7 + y + 1);
      EXPECT_EQ(network.bus(i).get<std::uint32_t>(64), 100 + x % 5 * 7 + x);
    }
  }
}

TEST(Groups, RanksOfAGroupAreThePeersOfSends) {
  FakeNetwork network({3, 2, 1});
  network.call_all([&](std::size_t i) {  // reversed
    return partition_call(0, 1, 0, -static_cast<std::int32_t>(i), 0);
  });
  const std::uint32_t data = 77;
  network.bus(4).put(0, &data, 4);
  network.bus(4).call({.operation = Operation::kSend, .group = 1, .root = 5, .count = 4});
  network.bus(0).call({.operation = Operation::kReceive, .group = 1, .root = 1, .count = 4});
  EXPECT_EQ(network.run(), 1);
  EXPECT_EQ(network.bus(0).get<std::uint32_t>(0), 77U);
}

TEST(Groups, PlacesAreTakenFreedAndTakenAgain) {
  FakeNetwork network({2, 1, 1});
  const auto everywhere = [&](const TestCall& call) {
    std::vector<CallResult> results;
    std::vector<std::uint32_t> tickets;
    for (std::size_t i = 0; i < 2; ++i) tickets.push_back(network.bus(i).call(call));
    network.run();
    EXPECT_EQ(network.result(0, tickets[0]), network.result(1, tickets[1]));
    return network.result(0, tickets[0]);
  };
  const TestCall free_1{.operation = Operation::kFreeGroup, .group = 1};
  EXPECT_EQ(everywhere(free_1), CallResult::kNoSuchGroup);
  EXPECT_EQ(everywhere({.operation = Operation::kFreeGroup, .group = 0}), CallResult::kBadArgument);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(everywhere(partition_call(0, 1, 0, 0, 0)), CallResult::kSuccess);
    EXPECT_EQ(everywhere(partition_call(0, 1, 0, 0, 1)), CallResult::kNoRoom) << "taken";
    EXPECT_EQ(everywhere(free_1), CallResult::kSuccess);
    EXPECT_EQ(everywhere(free_1), CallResult::kNoSuchGroup);
  }
  for (std::uint32_t place = 1; place < GroupTable::kGroups; ++place) {
    EXPECT_EQ(everywhere(partition_call(0, place, 0, 0, place)), CallResult::kSuccess);
  }
  EXPECT_EQ(everywhere(partition_call(0, GroupTable::kGroups, 0, 0, 0)), CallResult::kBadArgument);
  EXPECT_EQ(everywhere(partition_call(0, 0, 0, 0, 0)), CallResult::kBadArgument);
}

TEST(Groups, APlaceIsTakenFromTheStartOfACallAndFreeAgainIfItFails) {
  TestNode node(at(0, 0), {2, 1, 1});
  const auto call = [&](const TestCall& c) {
    const std::uint32_t ticket = node.bus.call(c);
    node.firmware->run();
    return node.bus.results.contains(ticket) ? static_cast<CallResult>(node.bus.results[ticket])
                                             : CallResult{999};
  };
  EXPECT_EQ(call(partition_call(0, 1, 0, 0, 0)), CallResult{999}) << "waits for node 1";
  EXPECT_EQ(call(partition_call(0, 1, 0, 0, 1)), CallResult::kNoRoom);
  TestCall grid{.operation = Operation::kFormGrid,
                .target = list_of(2),
                .count = 2,
                .scratch = scratch_of(2),
                .parameter = {2, 1, 1}};
  EXPECT_EQ(call(grid), CallResult::kNoRoom);
  EXPECT_EQ(call(group_call(node.bus, {1}, 2, 0, 3)), CallResult::kNotAMember);
  EXPECT_EQ(call(group_call(node.bus, {0}, 2, 0, 3)), CallResult::kSuccess) << "place 2 was free";
}

TEST(Groups, BadArgumentsAreRefusedAndNothingIsSent) {
  TestNode node(at(0, 0), {3, 2, 1});
  const auto expect = [&](CallResult result, const TestCall& c) {
    const std::uint32_t ticket = node.bus.call(c);
    node.firmware->run();
    EXPECT_EQ(node.bus.results[ticket], static_cast<std::uint32_t>(result)) << "call " << ticket;
  };
  constexpr std::uint32_t kEnd = FakeBus::kMemoryBytes;
  const auto bad_list = [&](const std::vector<std::uint32_t>& members, auto change) {
    TestCall call = group_call(node.bus, members, 1, 0, 0);
    change(call);
    return call;
  };
  const auto as_it_is = [](TestCall&) {};
  expect(CallResult::kBadArgument, bad_list({0, 6}, as_it_is));
  expect(CallResult::kBadArgument, bad_list({0, 3, 5, 3}, as_it_is));
  expect(CallResult::kNotAMember, bad_list({1, 3, 5}, as_it_is));
  expect(CallResult::kBadArgument, bad_list({0}, [](TestCall& c) { c.count = 0; }));
  expect(CallResult::kBadArgument, bad_list({0}, [](TestCall& c) { c.count = 7; }));
  expect(CallResult::kBadArgument, bad_list({0}, [](TestCall& c) { c.source += 2; }));
  expect(CallResult::kBadArgument, bad_list({0}, [](TestCall& c) { c.source = kEnd; }));
  expect(CallResult::kBadArgument, bad_list({0}, [](TestCall& c) { c.scratch = kEnd - 4; }));
  expect(CallResult::kBadArgument, bad_list({0}, [](TestCall& c) { c.parameter[0] = 16; }));
  const auto bad_partition = [&](auto change) {
    TestCall call = partition_call(0, 1, 0, 0, 0);
    change(call);
    expect(CallResult::kBadArgument, call);
  };
  bad_partition([](TestCall& c) { c.target = kEnd - 20; });
  bad_partition([](TestCall& c) { c.target += 1; });
  bad_partition([](TestCall& c) { c.scratch = kEnd - 68; });
  bad_partition([](TestCall& c) { c.scratch += 1; });
  const auto bad_grid = [&](auto change) {
    TestCall call{.operation = Operation::kFormGrid,
                  .target = list_of(0),
                  .count = 3,
                  .scratch = scratch_of(0),
                  .parameter = {1, 2, 2}};
    change(call);
    expect(CallResult::kBadArgument, call);
  };
  bad_grid([](TestCall& c) { c.count = 2; });
  bad_grid([](TestCall& c) { c.count = 0; });
  bad_grid([](TestCall& c) { c.parameter[0] = 0; });
  bad_grid([](TestCall& c) { c.parameter[1] = 16; });
  bad_grid([](TestCall& c) { c.target = kEnd - 16; });
  expect(CallResult::kBadArgument,
         {.operation = Operation::kQueryGroup, .target = kEnd - 40, .count = 6});
  EXPECT_TRUE(node.bus.queued.empty());
}

TEST(Groups, AQueryWritesNoMoreMembersThanItIsAskedFor) {
  FakeNetwork network({3, 2, 1});
  const std::uint32_t mark = 0xDEADBEEF;
  network.bus(2).put(kQuery + 4 * 9, &mark, 4);
  network.bus(2).call({.operation = Operation::kQueryGroup, .target = kQuery, .count = 4});
  network.run();
  EXPECT_EQ(network.bus(2).get<std::uint32_t>(kQuery + 4 * 2), 6U);
  EXPECT_EQ(network.bus(2).get<std::uint32_t>(kQuery + 4 * 8), 3U);
  EXPECT_EQ(network.bus(2).get<std::uint32_t>(kQuery + 4 * 9), mark);
}

}  // namespace
}  // namespace annelid::firmware
