// Runs with groups and several calls (docs/reference/scenarios.md, "Groups" and "Several calls").
// State space: every operation that groups have, on groups of every kind, made by list, partition
// and grid; calls one after the other, in given cycles, at the same time on the same nodes; runs
// one after the other in the same machine; firmware that lies about a group.
#include "simulation/scenario/calls.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/input_error.hpp"
#include "base/new_file.hpp"
#include "simulation/checks/checks.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/results/collect.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/simulation/lying_firmware.hpp"
#include "testbench/simulation/native_runs.hpp"

namespace annelid::simulation {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunResult result_of(const Scenario& scenario, const MakeFirmware& make = {}, int times = 1) {
  return last_result(scenario, make, times, [&](Simulation& simulation, const auto& inputs) {
    Progress silent;
    simulation.run(inputs, silent);
    return checked_result(scenario, simulation, inputs);
  });
}

// ---- Groups -------------------------------------------------------------------------------------

class GroupCalls : public ::testing::TestWithParam<const char*> {};

TEST_P(GroupCalls, HoldForEveryOperation) {
  for (const std::string operation :
       {"broadcast", "reduce", "gather", "scatter", "all-gather", "all-reduce", "scan", "exscan",
        "reduce-scatter", "barrier", "all-to-all", "all-to-all token", "all-to-all radix",
        "all-gather dissemination"}) {
    const std::size_t space = operation.find(' ');
    Settings settings(run_keys());
    settings.set("firmware", "native");
    settings.set("network.size", "4x4");
    settings.set("collective.operation", operation.substr(0, space));
    if (space != std::string::npos) {
      settings.set("collective.algorithm", operation.substr(space + 1));
    }
    settings.set("collective.group", GetParam());
    if (operation != "barrier") settings.set("collective.bytes", "40");
    settings.set("collective.skew", "100");
    const RunResult result = result_of(Scenario::from(settings), {}, 2);
    EXPECT_THAT(failed(result), IsEmpty()) << operation;
    for (const CallResult& call : result.calls) EXPECT_GT(call.messages(), 0u) << operation;
  }
}

INSTANTIATE_TEST_SUITE_P(All, GroupCalls,
                         ::testing::Values("row 3", "column 2 every 2", "1,1..3,2 columns-first",
                                           "3,0 0,3 1,1", "every 2", "each row", "each column",
                                           "row 1 by partition", "3,0 0,3 1,1 by partition",
                                           "each column every 2 by partition", "each row by grid",
                                           "column 1 by grid"),
                         test::ParameterName());

/// CCL's concat of a power of two, in groups.
TEST(GroupCall, ExchangesIfItHas2ToTheDMembers) {
  for (const char* group : {"2,2", "row 3", "every 2", "3,0 0,3", "each column by grid"}) {
    const RunResult result =
        result_of(scenario_of("[collective]\noperation = \"all-gather\"\n"
                              "algorithm = \"exchange\"\nbytes = 40\ngroup = \"" +
                              std::string(group) + "\"\n"));
    EXPECT_THAT(failed(result), IsEmpty()) << group;
  }
}

/// More members than a dimension of a network has nodes at most.
TEST(GroupCall, MayHaveMoreThan256Members) {
  for (const std::string call :
       {"barrier dissemination", "all-to-all direct", "all-to-all radix",
        "all-gather dissemination", "all-gather intercom", "broadcast binomial"}) {
    const std::size_t space = call.find(' ');
    Settings settings(run_keys());
    settings.set("firmware", "native");
    settings.set("network.size", "19x15");
    settings.set("network.topology", "ideal");
    settings.set("collective.operation", call.substr(0, space));
    settings.set("collective.algorithm", call.substr(space + 1));
    settings.set("collective.group", "0,0..18,14 columns-first");
    if (call.substr(0, space) != "barrier") settings.set("collective.bytes", "4");
    EXPECT_THAT(failed(result_of(Scenario::from(settings))), IsEmpty()) << call;
  }
}

TEST(GroupCall, TakesNoOtherNodes) {
  const Scenario s = scenario_of("[collective]\ngroup = \"row 1\"\noperation = \"all-gather\"\n");
  const RunResult result = result_of(s);
  for (NodeId node = 0; node < 16; ++node) {
    const bool member = node / 4 == 1;
    EXPECT_EQ(result.call().called[node] != kNever, member) << node;
    EXPECT_EQ(result.call().finished[node] != kNever, member) << node;
  }
  EXPECT_GT(result.start, 0u);
  EXPECT_EQ(result.cycles, result.call().last_finished() + 1 - result.start);
}

TEST(GroupCall, OfOneMemberEnds) {
  for (const char* operation : {"broadcast", "barrier", "all-to-all"}) {
    EXPECT_THAT(failed(result_of(scenario_of("[collective]\ngroup = \"2,2\"\noperation = \"" +
                                             std::string(operation) + "\"\n"))),
                IsEmpty())
        << operation;
  }
}

TEST(GroupCall, OfABarrierEndsAfterEveryMemberHasCome) {
  const Scenario s =
      scenario_of("[collective]\ngroup = \"3,3 0,0 2,1\"\noperation = \"barrier\"\nskew = 500\n");
  const RunResult result = result_of(s);
  EXPECT_THAT(failed(result), IsEmpty());
  EXPECT_THAT(result.checks, Contains(AllOf(::testing::Field(&Check::name, "barrier"),
                                            ::testing::Field(&Check::verdict, Verdict::kHeld))));
  EXPECT_EQ(result.call().messages(), 3u * 2);
}

// A member that does not wait: the first to be called leaves before the last has come.
TEST(GroupCall, OfABarrierIsSeenToEndTooEarly) {
  const Scenario s =
      scenario_of("[collective]\ngroup = \"row 1\"\noperation = \"barrier\"\nskew = 5000\n");
  const RunResult result =
      result_of(s, [](nic::Nic& nic) -> std::unique_ptr<firmware::NativeFirmware> {
        if (nic.node() / 4 != 1) return nullptr;
        return std::make_unique<OnBus>(std::make_unique<DoneWhenTaken>(nic));
      });
  EXPECT_THAT(failed(result), Contains(HasSubstr("barrier: the first call ended in cycle")));
}

TEST(GroupCall, HasARootByNodeOrByRank) {
  const auto root = [](const std::string& toml) {
    return scenario_of("[collective]\ngroup = \"column 2\"\n" + toml).call().collective.root;
  };
  EXPECT_EQ(root(""), (reference::Node{2, 0}));
  EXPECT_EQ(root("root = [2, 3]\n"), (reference::Node{2, 3}));
  EXPECT_EQ(root("root_rank = 1\n"), (reference::Node{2, 1}));
}

/// A member writes a byte just before it ends its last call, of so many.
MakeFirmware scribbling(NodeId node, std::uint64_t offset, int calls = 2) {
  return [=](nic::Nic& nic) -> std::unique_ptr<firmware::NativeFirmware> {
    if (nic.node() != node) return nullptr;
    const auto write = [offset, left = calls](nic::Nic& own) mutable {
      if (--left > 0) return;
      std::byte byte{};
      own.read_memory(static_cast<std::uint32_t>(offset), {&byte, 1});
      byte ^= std::byte{1};
      own.write_memory(static_cast<std::uint32_t>(offset), {&byte, 1});
    };
    return std::make_unique<OnBus>(
        std::make_unique<AroundTheEnd>(nic, write, AroundTheEnd::Action{}));
  };
}

TEST(GroupChecks, SeeAListThatACallHasChanged) {
  const Scenario s = scenario_of("[collective]\ngroup = \"row 1\"\noperation = \"all-gather\"\n");
  const MemoryPlan plan = plan_memory(s);
  EXPECT_THAT(
      failed(result_of(s, scribbling(5, plan.groups[0].list.offset + 12))),
      ElementsAre(HasSubstr("groups: node (1,1): the list of the group \"row 1\", byte 12")));
  EXPECT_THAT(
      failed(result_of(s, scribbling(5, plan.groups[0].list.end()))),
      ElementsAre(HasSubstr("the bytes around the lists of groups and of prepared calls, byte 0")));
  EXPECT_THAT(failed(result_of(s, scribbling(5, plan.end + 9000))),
              ElementsAre(HasSubstr("groups: node (1,1): the memory behind all buffers")));
  EXPECT_THAT(failed(result_of(s, scribbling(5, plan.calls[0].scratch.end()))),
              ElementsAre(HasSubstr("bytes: node (1,1): the bytes behind SCRATCH")));
}

TEST(GroupChecks, SeeAGroupThatPartitionHasMadeInAnotherOrder) {
  // A member gives another key.
  class OtherKey final : public Bus {
   public:
    using Bus::Bus;
    std::uint32_t read(std::uint32_t offset) override {
      const std::uint32_t value = Bus::read(offset);
      const std::uint32_t operation = Bus::read(reg::kCall);
      const bool key =
          offset == reg::kCall + 4 * static_cast<std::uint32_t>(reg::CallWord::kParameter2);
      const bool partition = operation == static_cast<std::uint32_t>(reg::Operation::kPartition);
      return key && partition ? 7 : value;
    }
  };
  const Scenario s = scenario_of("[collective]\ngroup = \"row 1 by partition\"\n");
  const RunResult result =
      result_of(s, [](nic::Nic& nic) -> std::unique_ptr<firmware::NativeFirmware> {
        if (nic.node() != 5) return nullptr;
        return std::make_unique<OnBus>(std::make_unique<OtherKey>(nic));
      });
  EXPECT_THAT(failed(result), Contains(HasSubstr("groups: node (0,1): the list of the group")));
}

TEST(GroupChecks, SeeANodeThatTakesNoPartAndWrites) {
  const Scenario s = scenario_of("[collective]\ngroup = \"row 1\"\n");
  const std::uint64_t source = plan_memory(s).calls[0].source.offset;
  class WritesAtOnce final : public Bus {
   public:
    WritesAtOnce(nic::Nic& nic, std::uint64_t offset) : Bus(nic), offset_(offset) {}
    void begin() override {
      const std::byte byte{0};
      if (!done_) nic().write_memory(static_cast<std::uint32_t>(offset_), {&byte, 1});
      done_ = true;
    }

   private:
    std::uint64_t offset_;
    bool done_ = false;
  };
  const RunResult result =
      result_of(s, [&](nic::Nic& nic) -> std::unique_ptr<firmware::NativeFirmware> {
        if (nic.node() != 9) return nullptr;
        return std::make_unique<OnBus>(std::make_unique<WritesAtOnce>(nic, source));
      });
  EXPECT_THAT(failed(result), Contains(HasSubstr("bytes: node (1,2): SOURCE")));
}

// ---- Several calls ------------------------------------------------------------------------------

const std::string kThree = R"(
[groups]
corner = "0,0..1,1"
diagonal = [[0, 0], [1, 1], [2, 2], [3, 3]]
[collective]
bytes = 200
[[call]]
name = "first"
group = "corner"
operation = "all-reduce"
[[call]]
name = "second"
group = "diagonal"
operation = "all-gather"
[[call]]
name = "third"
operation = "barrier"
)";

TEST(Calls, FollowEachOtherAtEachNode) {
  const Scenario s = scenario_of(kThree.substr(0, kThree.find("bytes")) + "seed = 3\n" +
                                 kThree.substr(kThree.find("[[call]]")));
  const RunResult result = result_of(s);
  EXPECT_THAT(failed(result), IsEmpty());
  ASSERT_EQ(result.calls.size(), 3u);
  const auto& calls = result.calls;
  for (NodeId node = 0; node < 16; ++node) {
    Cycle free = result.start;
    for (const CallResult& call : calls) {
      if (call.called[node] == kNever) continue;
      EXPECT_EQ(call.called[node], free == result.start ? free : free + 1) << node;
      free = call.finished[node];
    }
  }
  EXPECT_EQ(calls[1].called[15], result.start) << "a node that is only in the second call";
}

TEST(Calls, BeginInTheirCycleOrAfterAnother) {
  const Scenario s = scenario_of(R"(
[[call]]
name = "a"
group = "row 0"
[[call]]
name = "b"
group = "each column"
start = 500
[[call]]
name = "c"
group = "row 0"
after = "b"
[[call]]
name = "d"
group = "row 0"
after = ["a", "c"]
)");
  ASSERT_EQ(s.calls.size(), 7u);
  EXPECT_EQ(s.calls[2].name, "b: column 1");
  EXPECT_EQ(s.calls[2].table, 1u);
  const RunResult result = result_of(s);
  EXPECT_THAT(failed(result), IsEmpty());
  for (std::size_t column = 0; column < 4; ++column) {
    const CallResult& b = result.calls[1 + column];
    EXPECT_EQ(b.first_called(), result.start + 500);
    EXPECT_EQ(result.calls[5].called[column], b.finished[column] + 1);
    EXPECT_EQ(result.calls[6].called[column], result.calls[5].finished[column] + 1);
  }
}

TEST(Calls, RunAtTheSameTimeAtTheSameNodes) {
  std::string toml;
  for (int i = 0; i < 6; ++i) {
    toml += "[[call]]\nstart = 0\nbytes = " + std::to_string(8 * (i + 1)) + "\ngroup = \"" +
            (i % 2 == 0 ? "each row" : "each column") + "\"\noperation = \"" +
            (i % 3 == 0 ? "all-reduce" : "all-gather") + "\"\n";
  }
  const RunResult result = result_of(scenario_of(toml));
  ASSERT_EQ(result.calls.size(), 24u);
  EXPECT_THAT(failed(result), IsEmpty());
  for (const CallResult& call : result.calls) EXPECT_EQ(call.first_called(), result.start);
}

TEST(Calls, OfBarriersAndExchangesRunAtTheSameTimeToo) {
  const RunResult result = result_of(scenario_of(
      "[[call]]\nname = \"rows\"\nstart = 0\ngroup = \"each row\"\noperation = \"all-to-all\"\n"
      "counts = \"random:0..90\"\n"
      "[[call]]\nname = \"columns\"\nstart = 0\ngroup = \"each column by grid\"\n"
      "operation = \"barrier\"\n"
      "[[call]]\nname = \"box\"\nstart = 0\ngroup = \"1,1..2,3\"\noperation = \"all-to-all\"\n"
      "algorithm = \"radix\"\nparameter = 3\nbytes = 24\n"
      "[[call]]\nafter = \"rows\"\noperation = \"barrier\"\n"));
  ASSERT_EQ(result.calls.size(), 4u + 4 + 1 + 1);
  EXPECT_THAT(failed(result), IsEmpty());
}

TEST(Calls, WaitWhileAMailboxIsFull) {
  std::string toml;
  for (int i = 0; i < 20; ++i) toml += "[[call]]\nstart = 0\noperation = \"all-reduce\"\n";
  EXPECT_THAT(failed(result_of(scenario_of(toml))), IsEmpty());
}

TEST(Calls, AtTheSameTimeDoNotContendStepwise) {
  const Scenario s = scenario_of(
      "[collective]\nalgorithm = \"edn\"\nbytes = 2000\n[[call]]\n[[call]]\nstart = 0\n"
      "root = [2, 1]\n");
  const RunResult result = result_of(s);
  EXPECT_THAT(failed(result), IsEmpty());
  std::uint64_t others = 0;
  for (const CallResult& call : result.calls) {
    for (const auto& [label, step] : call.steps) others += step.blocked.other_call;
  }
  EXPECT_GT(others, 0u);
  EXPECT_THAT(result.checks,
              Contains(::testing::AllOf(::testing::Field(&Check::name, "stepwise contention"),
                                        ::testing::Field(&Check::verdict, Verdict::kHeld))));
}

TEST(Calls, HaveContentsOfTheirOwn) {
  const Scenario s = scenario_of(
      "[[call]]\n operation = \"all-gather\"\n[[call]]\nstart = 0\n"
      "operation = \"all-gather\"\n");
  const auto inputs = inputs_of(s);
  EXPECT_NE(inputs[0].source[3], inputs[1].source[3]);
  const RunResult result = result_of(s);
  EXPECT_NE(result.calls[0].crc32, result.calls[1].crc32);
}

TEST(Calls, AreSeenWhenTheyChangeEachOthersMemory) {
  const Scenario s = scenario_of("[[call]]\nname = \"a\"\n[[call]]\nname = \"b\"\nstart = 0\n");
  const MemoryPlan plan = plan_memory(s);
  const RunResult result = result_of(s, scribbling(3, plan.calls[1].source.offset));
  EXPECT_THAT(failed(result), Contains(HasSubstr("bytes: node (3,0): SOURCE, byte 0")));
  for (const Check& check : result.checks) {
    if (check.verdict == Verdict::kFailed) {
      EXPECT_EQ(check.call, 2u);
    }
  }
  EXPECT_THROW(result.require_passed(), RunFailure);
}

TEST(Calls, HaveEntriesInTheResult) {
  const RunResult result = result_of(
      scenario_of(kThree.substr(0, kThree.find("bytes")) + kThree.substr(kThree.find("[[call]]"))));
  const auto json = nlohmann::json::parse(to_json(result));
  ASSERT_EQ(json["calls"].size(), 3u);
  EXPECT_EQ(json["calls"][1]["name"], "second");
  EXPECT_EQ(json["calls"][1]["collective"]["group"], "diagonal");
  EXPECT_EQ(json["calls"][1]["finished_cycles"].size(), 4u);
  EXPECT_EQ(json["configuration"]["groups"][1]["members"][2], (std::vector{2, 2}));
  EXPECT_FALSE(json.contains("steps"));
  EXPECT_EQ(json["checks"].size(), 2u);
  EXPECT_EQ(to_json(result), to_json(result_of(result.scenario)));
}

TEST(Groups, NamedByARowTextShareOnePlaceAndOneGrid) {
  const Scenario s = scenario_of(R"(
[[call]]
group = "each row by grid"
[[call]]
group = "each column by grid"
[[call]]
group = "each row by grid"
[[call]]
group = "row 2 by grid"
[[call]]
group = "row 2"
)");
  ASSERT_EQ(s.groups.size(), 4u);
  EXPECT_EQ(s.groups[0].groups[0].place, 1u);
  EXPECT_EQ(s.groups[1].groups[0].place, 2u);
  EXPECT_EQ(s.groups[1].made_with, 0u);
  EXPECT_EQ(s.groups[2].groups[0].place, 1u);
  EXPECT_EQ(s.groups[3].groups[0].place, 3u);
  EXPECT_THAT(failed(result_of(s)), IsEmpty());
}

struct BadCalls {
  const char* name;
  const char* toml;
  std::vector<const char*> parts;
};

class BadScenario : public ::testing::TestWithParam<BadCalls> {};

TEST_P(BadScenario, IsRefused) {
  try {
    (void)scenario_of(GetParam().toml);
    FAIL();
  } catch (const InputError& error) {
    for (const char* part : GetParam().parts) EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadScenario,
    ::testing::Values(
        BadCalls{"UnknownKey",
                 "[[call]]\nrooot = [0, 0]\n",
                 {".toml:5: rooot", "unknown key of a [[call]]", "did you mean \"root\"?"}},
        BadCalls{"OneTable", "[call]\nname = \"a\"\n", {"[[call]]"}},
        BadCalls{"SameName",
                 "[[call]]\nname = \"a\"\n[[call]]\nname = \"a\"\n",
                 {"toml:7: name", "no earlier call has"}},
        BadCalls{"AfterNobody", "[[call]]\nafter = \"a\"\n", {"\"a\"", "there is none"}},
        BadCalls{"AfterALaterOne",
                 "[[call]]\nname = \"one\"\n[[call]]\nafter = \"oen\"\n",
                 {"\"oen\"", "\"one\"", "did you mean \"one\"?"}},
        BadCalls{"StartAndAfter",
                 "[[call]]\nname = \"a\"\n[[call]]\nafter = \"a\"\nstart = 5\n",
                 {"start", "not both"}},
        BadCalls{"NegativeStart", "[[call]]\nstart = -5\n", {"start", "-5"}},
        BadCalls{"UnknownGroup",
                 "[groups]\ncorner = \"0,0..1,1\"\n[collective]\ngroup = \"cornre\"\n",
                 {"\"cornre\"", "\"corner\"", "did you mean \"corner\"?"}},
        BadCalls{"AGroupThatNobodyUses",
                 "[groups]\ncorner = \"0,0..9,9\"\n",
                 {"toml:5: groups.corner", "node 9,9"}},
        BadCalls{"AListWithANodeTwice",
                 "[groups]\na = [[0, 0], [1, 1], [0, 0]]\n",
                 {"groups.a", "node 0,0 twice"}},
        BadCalls{"AGroupWithoutNodes", "[groups]\na = []\n", {"groups.a", "[]"}},
        BadCalls{"AGroupThatIsANumber", "[groups]\na = 3\n", {"groups.a", "found 3"}},
        BadCalls{"RootOfAnotherGroup",
                 "[collective]\ngroup = \"row 1\"\nroot = [0, 0]\n",
                 {"root", "node 0,0", "a member of the group \"row 1\"", "root_rank"}},
        BadCalls{"RootTwice",
                 "[collective]\ngroup = \"row 1\"\nroot = [0, 1]\nroot_rank = 0\n",
                 {"root_rank", "not both"}},
        BadCalls{"RankBeyond",
                 "[collective]\ngroup = \"row 1\"\nroot_rank = 4\n",
                 {"root_rank", "found 4", "0..3"}},
        BadCalls{"RankWithoutGroup", "[collective]\nroot_rank = 1\n", {"root_rank", "group"}},
        BadCalls{"Coordinates",
                 "[collective]\ngroup = \"row 1\"\nalgorithm = \"edn\"\n",
                 {"algorithm", "\"edn\" for a group", "\"two-tree\""}},
        BadCalls{"NoOperationByRank",
                 "[collective]\ngroup = \"row 1\"\noperation = \"transpose\"\n",
                 {"transpose for a group", "broadcast", "reduce-scatter"}},
        BadCalls{
            "Ranks", "[collective]\ngroup = \"row 1\"\nranks = 2\n", {"ranks", "one of the two"}},
        BadCalls{"Embedding",
                 "[collective]\ngroup = \"row 1\"\nembedding = \"snake\"\n",
                 {"embedding", "one of the two"}}),
    [](const auto& test) { return test.param.name; });

TEST(Groups, FillTheTableOfANode) {
  std::string toml;
  for (int i = 0; i < 15; ++i) {
    toml +=
        "[[call]]\ngroup = \"" + std::to_string(i % 4) + "," + std::to_string(i / 4) + " 3,3\"\n";
  }
  EXPECT_THAT(failed(result_of(scenario_of(toml))), IsEmpty());
  try {
    (void)scenario_of(toml + "[[call]]\ngroup = \"row 0\"\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("at most 15 places"));
  }
}

TEST(Options, ReplaceAValueInAllCalls) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "options.toml";
  std::ofstream(file) << kNative << "[[call]]\nbytes = 8\n[[call]]\nbytes = 16\nroot = [1, 1]\n";
  const std::vector<Override> overrides = {{"collective.bytes", "--bytes", "24"}};
  const Scenario s = Scenario::read(file, overrides);
  EXPECT_EQ(s.calls[0].collective.bytes, 24u);
  EXPECT_EQ(s.calls[1].collective.bytes, 24u);
  EXPECT_EQ(s.calls[1].collective.root, (reference::Node{1, 1}));
}

}  // namespace
}  // namespace annelid::simulation
