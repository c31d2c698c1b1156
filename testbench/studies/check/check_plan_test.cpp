// What annelid check simulates, and what it estimates of it.
// State space: the plan of every algorithm of the catalogue, quick, and in full on all networks of
// up to 600 nodes (no simulation).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "simulation/scenario/network_keys.hpp"
#include "studies/check/cost.hpp"
#include "studies/check/plan.hpp"

namespace annelid::studies {
namespace {

using reference::Operation;

TEST(CheckPlan, CoversRootsPayloadsOperatorsAndSkew) {
  const reference::Algorithm* reduce =
      reference::find_algorithm(Operation::kReduce, "recursive-doubling");
  ASSERT_NE(reduce, nullptr);
  systemc::NetworkConfig network;
  network.size = {4, 4, 1};
  std::set<reference::Node> roots;
  std::set<std::uint64_t> bytes;
  std::set<std::pair<reference::Operator, reference::ElementType>> pairs;
  std::set<bool> skewed;
  const reference::Network mesh = simulation::reference_network(network);
  for (const simulation::Collective& c : check_calls(*reduce, mesh, {.quick = false, .seed = 3})) {
    roots.insert(c.root);
    bytes.insert(c.bytes);
    pairs.emplace(c.op, c.type);
    skewed.insert(c.skew > 0);
  }
  EXPECT_EQ(roots.size(), 16u);
  EXPECT_THAT(bytes, ::testing::IsSupersetOf({0UL, 4UL, 8UL, 64UL, 1000UL, 65536UL}));
  EXPECT_EQ(pairs.size(), reference::kOperators * reference::kElementTypes);
  EXPECT_EQ(skewed.size(), 2u);
}

// So firmware that has learnt the result of one seed, as the default one of `annelid run`, fails.
TEST(CheckPlan, DrawsTheContentsOfCallsFromSeedsOfTheirOwn) {
  systemc::NetworkConfig network;
  network.size = {4, 4, 1};
  const reference::Network mesh = simulation::reference_network(network);
  for (const reference::Algorithm& algorithm : reference::algorithms()) {
    if (!algorithm.serves(mesh)) continue;
    const auto seeds_of = [&](std::uint64_t seed) {
      std::vector<std::uint64_t> seeds;
      for (const simulation::Collective& c :
           check_calls(algorithm, mesh, {.quick = true, .seed = seed})) {
        seeds.push_back(c.seed);
      }
      return seeds;
    };
    const std::vector<std::uint64_t> seeds = seeds_of(1);
    const std::set<std::uint64_t> different(seeds.begin(), seeds.end());
    EXPECT_GT(2 * different.size(), seeds.size()) << algorithm.name;
    EXPECT_FALSE(different.contains(simulation::Collective{}.seed)) << algorithm.name;
    EXPECT_EQ(seeds, seeds_of(1)) << "the same check again";
    EXPECT_NE(seeds, seeds_of(2));
  }
}

/// All that `annelid check` simulates if nothing narrows it down.
CheckRequest whole(bool quick) {
  using Kind = simulation::FirmwareChoice::Kind;
  CheckRequest request;
  for (const reference::Algorithm& a : reference::algorithms()) request.algorithms.push_back(&a);
  request.scope.quick = quick;
  request.networks = check_networks(request.scope);
  request.routers = {systemc::RouterKind::kAllPort, systemc::RouterKind::kOnePort};
  request.firmwares = {{Kind::kNative, {}}, {Kind::kRv32, {}}};
  request.every = quick;
  return request;
}

/// Without the networks that have a long schedule: so the test takes a second.
CheckRequest smaller(CheckRequest request) {
  std::erase_if(request.networks, [](const systemc::NetworkConfig& n) { return n.nodes() > 600; });
  return request;
}

TEST(CheckPlan, HasValidCallsOfEveryAlgorithmAlsoInAHurry) {
  const CheckPlan plan = plan_check(whole(true));
  std::set<const reference::Algorithm*> algorithms;
  std::size_t calls = 0;
  for (const CheckJob& job : plan.jobs) {
    calls += job.calls.size();
    ASSERT_NO_THROW(validate(job.network));
    algorithms.insert(job.algorithm);
    for (const simulation::Collective& c : job.calls) ASSERT_TRUE(contains(c.network, c.root));
  }
  EXPECT_EQ(algorithms.size(), reference::algorithms().size());
  EXPECT_EQ(calls, 58'440U) << "docs/internals/verification.md says how many they are";
}

TEST(CheckPlan, HasEveryPairOfNetworkPayloadFirmwareAndRouter) {
  const CheckRequest request = smaller(whole(false));
  const CheckPlan plan = plan_check(request);
  for (const reference::Algorithm* algorithm : request.algorithms) {
    const std::string name =
        std::string(name_of(algorithm->operation)) + ' ' + std::string(algorithm->name);
    std::set<std::uint64_t> payloads;
    std::map<std::string, std::size_t> calls;  // by network
    std::set<std::pair<std::uint64_t, bool>> payload_native, payload_one_port;
    std::set<std::pair<std::string, bool>> network_native, network_one_port;
    std::set<std::pair<bool, bool>> native_one_port;
    for (const CheckJob& job : plan.jobs) {
      if (job.algorithm != algorithm) continue;
      const bool native = job.firmware.kind == simulation::FirmwareChoice::Kind::kNative;
      const bool one_port = job.network.router.one_port();
      const std::string network = simulation::describe_network(job.network);
      calls[network] += job.calls.size();
      network_native.emplace(network, native);
      network_one_port.emplace(network, one_port);
      native_one_port.emplace(native, one_port);
      for (const simulation::Collective& c : job.calls) {
        payloads.insert(c.bytes);
        payload_native.emplace(c.bytes, native);
        payload_one_port.emplace(c.bytes, one_port);
      }
    }
    // Reductions and scans have whole elements: 0, 4, 8, 64, 1000, 65536 bytes.
    const std::size_t wanted = !simulation::has_data(algorithm->operation) ? 1
                               : simulation::reduces(algorithm->operation) ? 6
                                                                           : 7;
    EXPECT_EQ(payloads.size(), wanted) << name;
    EXPECT_EQ(payload_native.size(), 2 * payloads.size()) << name;
    EXPECT_EQ(payload_one_port.size(), 2 * payloads.size()) << name;
    // A single call, a long one, cannot have them.
    const std::size_t lone = std::ranges::count(calls, 1U, &decltype(calls)::value_type::second);
    EXPECT_EQ(network_native.size(), 2 * calls.size() - lone) << name;
    EXPECT_EQ(network_one_port.size(), 2 * calls.size() - lone) << name;
    EXPECT_LE(4 * lone, calls.size()) << name;
    EXPECT_EQ(native_one_port.size(), 4u) << name;
  }
}

TEST(CheckPlan, EveryAlgorithmRunsOnTheNetworksThatAreCheckedWithoutEagerMessages) {
  // annelid_check_without_eager_mesh and _torus of testbench/studies/CMakeLists.txt.
  std::set<const reference::Algorithm*> algorithms;
  for (const bool torus : {false, true}) {
    CheckRequest request = whole(true);
    systemc::NetworkConfig network;
    network.size = {4, 4, 1};
    network.router.torus = {torus, torus, false};
    network.router.vcs = torus ? 2 : 1;
    request.networks = {network};
    request.eager_bytes = 0;
    for (const CheckJob& job : plan_check(request).jobs) {
      EXPECT_EQ(job.eager_bytes, 0U);
      ASSERT_FALSE(job.calls.empty());
      EXPECT_THAT(run_command(job, job.calls.front()), ::testing::HasSubstr(" --eager-bytes 0"));
      algorithms.insert(job.algorithm);
    }
  }
  EXPECT_EQ(algorithms.size(), reference::algorithms().size());
}

TEST(CheckPlan, TriesTheModesOfCcl) {
  std::set<std::pair<Operation, std::pair<bool, bool>>> modes;
  for (const CheckJob& job : plan_check(whole(true)).jobs) {
    for (const simulation::Collective& c : job.calls) {
      modes.insert({c.operation(), {c.in_barrier_mode, c.in_develop_mode}});
    }
  }
  EXPECT_EQ(modes.size(), 4 * reference::kOperations) << "of each operation all four";
}

TEST(CheckPlan, MakesOrNamesEveryCall) {
  const CheckRequest request = smaller(whole(false));
  const CheckPlan plan = plan_check(request);
  std::size_t calls = 0;
  std::set<std::tuple<const reference::Algorithm*, std::string, std::uint64_t>> made;
  for (const CheckJob& job : plan.jobs) {
    for (const simulation::Collective& c : job.calls) {
      made.emplace(job.algorithm, simulation::describe_network(job.network), c.seed);
    }
  }
  for (const reference::Algorithm* a : request.algorithms) {
    for (std::size_t i = 0; i < request.networks.size(); i += a->by_rank ? 3 : 1) {
      const reference::Network net = simulation::reference_network(request.networks[i]);
      if (a->serves(net)) calls += check_calls(*a, net, request.scope).size();
    }
  }
  EXPECT_EQ(made.size() + plan.left_out.size(), calls);
}

TEST(CheckPlan, VariesRanksPacketsAndOrderOfAlgorithmsByRank) {
  const reference::Algorithm* reduce = reference::find_algorithm(Operation::kReduce, "two-tree");
  ASSERT_NE(reduce, nullptr);
  const reference::Network mesh{5, 3};
  std::set<int> counts;
  std::set<reference::Embedding> embeddings;
  std::set<std::uint32_t> parameters;
  std::size_t in_order = 0;
  std::set<int> sizes;
  for (const simulation::Collective& c : check_calls(*reduce, mesh, {})) {
    ASSERT_TRUE(reference::rank_at(mesh, c.ranks, c.root));
    ASSERT_EQ(c.bytes % bytes_of(c.op, c.type), 0U);
    if (c.ranks.listed) sizes.insert(c.ranks.listed->size());
    counts.insert(c.ranks.count);
    embeddings.insert(c.ranks.embedding);
    parameters.insert(c.parameter);
    if (commutes(c.op)) continue;
    ASSERT_TRUE(reduce->keeps_order(c.request()));
    ++in_order;
  }
  EXPECT_EQ(counts, (std::set{0, 14, 8}));
  EXPECT_GE(sizes.size(), 5U);
  EXPECT_EQ(embeddings.size(), reference::kEmbeddings);
  EXPECT_GE(parameters.size(), 5U);
  EXPECT_EQ(in_order, 7U);
}

TEST(CheckPlan, ListsGroupsOfTheNumbersOfRanksThatAreAskedFor) {
  for (const Operation operation : {Operation::kScan, Operation::kReduce}) {
    const reference::Algorithm* a = reference::find_algorithm(operation, "two-tree");
    std::set<std::size_t> sizes;
    std::set<std::vector<reference::Node>> groups;
    for (const simulation::Collective& c : check_calls_of_ranks(*a, {4, 4}, {1, 5, 16}, {})) {
      ASSERT_TRUE(reference::rank_at(c.network, c.ranks, c.root));
      if (!c.ranks.listed) continue;
      EXPECT_EQ(c.place, 1U);
      sizes.insert(c.ranks.listed->nodes().size());
      groups.insert(c.ranks.listed->nodes());
    }
    EXPECT_EQ(sizes, (std::set<std::size_t>{1, 5, 16}));
    EXPECT_GE(groups.size(), 5U);
  }
}

TEST(CheckPlan, HasBlocksOfDifferentLengthsWhereTheyAreTaken) {
  for (const auto& [operation, name] :
       {std::pair{Operation::kGather, "intercom"}, std::pair{Operation::kReduceScatter, "intercom"},
        std::pair{Operation::kAllToAll, "direct"}, std::pair{Operation::kBroadcast, "intercom"}}) {
    const reference::Algorithm* a = reference::find_algorithm(operation, name);
    std::size_t different = 0, random = 0;
    for (const simulation::Collective& c : check_calls(*a, {4, 3}, {})) {
      if (c.lengths.empty()) continue;
      ++random;
      if (std::ranges::min(c.lengths) != std::ranges::max(c.lengths)) ++different;
      CheckJob job;
      job.algorithm = a;
      job.network.size = {4, 3, 1};
      EXPECT_THAT(run_command(job, c), ::testing::HasSubstr(" --counts random:0.."));
    }
    EXPECT_EQ(different > 1, operation != Operation::kBroadcast) << name_of(operation);
    EXPECT_GE(random, different);
  }
}

TEST(CheckPlan, ACommandHasTheRanks) {
  CheckJob job;
  job.algorithm = reference::find_algorithm(Operation::kScan, "two-tree");
  job.network.size = {5, 3, 1};
  job.firmware.kind = simulation::FirmwareChoice::Kind::kNative;
  simulation::Collective c;
  c.algorithm = job.algorithm;
  c.network = simulation::reference_network(job.network);
  c.ranks = {reference::Embedding::kSnake, 7};
  EXPECT_THAT(run_command(job, c), ::testing::HasSubstr(" --ranks 7 --embedding snake"));
  EXPECT_THAT(run_command(job, c), ::testing::HasSubstr(" --size 5x3 --topology mesh "));
  job.network.ideal = true;
  EXPECT_THAT(run_command(job, c), ::testing::HasSubstr(" --size 5x3 --topology ideal "));
  c.ranks.listed =
      std::make_shared<const reference::NodeList>(std::vector<reference::Node>{{4, 2}, {0, 0}});
  EXPECT_THAT(run_command(job, c), ::testing::HasSubstr(" --group '4,2 0,0'"));
  EXPECT_THAT(run_command(job, c), ::testing::Not(::testing::HasSubstr("--ranks")));
}

TEST(CheckPlan, ACommandSaysIfThereAreNoControlVcs) {
  CheckJob job;
  job.algorithm = reference::find_algorithm(Operation::kBroadcast, "edn");
  job.firmware.kind = simulation::FirmwareChoice::Kind::kNative;
  simulation::Collective c;
  c.algorithm = job.algorithm;
  job.network.router.control_vc = false;
  EXPECT_THAT(run_command(job, c), ::testing::HasSubstr(" --control-vc false "));
  EXPECT_THAT(describe(job), ::testing::HasSubstr("all-port, no control VCs, native"));
  job.network.router.control_vc = true;
  EXPECT_THAT(run_command(job, c), ::testing::Not(::testing::HasSubstr("control")));
  EXPECT_THAT(describe(job), ::testing::HasSubstr("all-port, native"));
}

TEST(CheckCost, IsTheSchedulesOwnAtAnyPayload) {
  for (const auto& [operation, name] : {std::pair(Operation::kBroadcast, "recursive-doubling"),
                                        std::pair(Operation::kGather, "dimensional")}) {
    const reference::Algorithm& algorithm = *reference::find_algorithm(operation, name);
    const reference::Network network{8, 4};
    const CallCost cost(algorithm, network);
    for (const std::uint64_t bytes : {0U, 64U, 65536U}) {
      double flit_hops = 0, messages = 0, longest = 0;
      for (const auto& step : algorithm.schedule({network, {}, bytes}).steps) {
        for (const reference::Message& m : step) {
          flit_hops += static_cast<double>(2 + m.bytes / 8) *
                       (1 + reference::distance(network, m.from, m.to));
          longest = std::max(longest, static_cast<double>(m.bytes));
          ++messages;
        }
      }
      EXPECT_EQ(cost.flit_hops(bytes), flit_hops) << name << bytes;
      EXPECT_EQ(cost.longest(bytes), longest) << name << bytes;
      EXPECT_EQ(cost.messages(), messages) << name << bytes;
    }
    EXPECT_GT(cost.seconds(1000, true), cost.seconds(1000, false));
    EXPECT_GT(cost.seconds(1000, true), cost.seconds(64, true));
  }
}

TEST(CheckPlan, ACommandOfABarrierHasNoValuesThatARunRefuses) {
  const auto* barrier = reference::find_algorithm(reference::Operation::kBarrier, "dissemination");
  CheckJob job;
  job.algorithm = barrier;
  simulation::Collective c;
  c.algorithm = barrier;
  c.network = simulation::reference_network(job.network);
  const std::string command = run_command(job, c);
  EXPECT_EQ(command.find("--bytes"), std::string::npos) << command;
  EXPECT_EQ(command.find("--seed"), std::string::npos) << command;
}

}  // namespace
}  // namespace annelid::studies
