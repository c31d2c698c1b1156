// Calls in develop mode that are not the same at all members: what the run says of them
// (docs/internals/algorithms/ccl-modes.md, "Calls of the host"). The host calls all members alike
// here; one member's firmware reads another word from the mailbox than the host has put there. The
// key `differs` of a scenario is tested end to end.
// Parameter space: the words of a call, calls with and without names, groups.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "base/new_file.hpp"
#include "base/run_failure.hpp"
#include "simulation/machine/call_difference.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/machine/simulation.hpp"
#include "systemc/modules/elaboration.hpp"
#include "testbench/simulation/lying_firmware.hpp"

namespace annelid::simulation {
namespace {

using reg::CallWord;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Reads `value` in place of a word of each collective call.
class OtherWord final : public Bus {
 public:
  OtherWord(nic::Nic& nic, CallWord word, std::uint32_t value)
      : Bus(nic), at_(reg::kCall + 4 * static_cast<std::uint32_t>(word)), value_(value) {}
  std::uint32_t read(std::uint32_t offset) override {
    const bool collective = (Bus::read(reg::kCall) & reg::kOperationInModes) != 0;
    return offset == at_ && collective ? value_ : Bus::read(offset);
  }

 private:
  std::uint32_t at_, value_;
};

/// What the run says if a node reads another word; "" if nothing is wrong.
std::string failure_of(const std::string& toml, NodeId odd, CallWord word, std::uint32_t value) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "calls.toml";
  std::ofstream(file) << "firmware = \"native\"\n[network]\nsize = [4, 4]\n" << toml;
  const Scenario scenario = Scenario::read(file, {});
  const systemc::Elaboration elaboration;
  Simulation simulation(scenario, nullptr, {}, plan_memory(scenario).end);
  nic::Nic& nic = simulation.nic(odd);
  nic.load(std::make_unique<OnBus>(std::make_unique<OtherWord>(nic, word, value)));
  Progress silent;
  try {
    simulation.run(inputs_of(scenario), silent);
  } catch (const RunFailure& failure) {
    return failure.what();
  }
  return "";
}

const std::string kReduce =
    "[collective]\noperation = \"reduce\"\nalgorithm = \"binomial\"\nbytes = 8\nroot = [1, 1]\n"
    "develop = true\n";

TEST(DifferingCalls, SayWhoSaidWhat) {
  struct Case {
    CallWord word;
    std::uint32_t value;
    const char* expected;
  };
  using enum CallWord;
  const auto code = [](auto value) { return static_cast<std::uint32_t>(value); };
  const Case cases[] = {
      {kOperation, reg::kOperationInModes | code(reg::Operation::kAllReduce),
       "operation all-reduce here, operation reduce"},
      {kOperation, reg::kOperationInModes | 0x80, "operation 128 here, operation reduce"},
      {kAlgorithm, code(reg::Algorithm::kTwoTree), "algorithm two-tree here, algorithm binomial"},
      {kRoot, 2, "root 2 here, root 5"},
      {kCount, 1, "count 1 here, count 2"},
      {kType, code(reg::Type::kUint32), "type uint32 here, type int32"},
      {kOperator, code(reg::Operator::kMax), "operator max here, operator sum"},
      {kOperator, code(reg::CoreOperator::kAffine), "operator affine here, operator sum"},
      {kParameter0, 3, "PARAMETER_0 3 here, PARAMETER_0 0"},
      {kParameter1, 4, "PARAMETER_1 4 here, PARAMETER_1 0"},
      {kParameter2, 5, "PARAMETER_2 5 here, PARAMETER_2 0"},
      {kFlags, reg::kFlagDevelop | 1, "FLAGS 0x1 here, FLAGS 0x0"}};
  for (const Case& c : cases) {
    const std::string found = failure_of(kReduce, 11, c.word, c.value);
    EXPECT_THAT(found,
                HasSubstr(std::string("node 3,2: the call differs: ") + c.expected + " at node "));
  }
}

TEST(DifferingCalls, NameTheCallAmongSeveral) {
  const std::string two =
      "[[call]]\nname = \"rows\"\ngroup = \"row 1\"\noperation = \"broadcast\"\n"
      "algorithm = \"binomial\"\nroot = [0, 1]\ndevelop = true\n"
      "[[call]]\nname = \"all\"\noperation = \"barrier\"\n";
  EXPECT_EQ(failure_of(two, 7, CallWord::kRoot, 2),
            "node 3,1: the call \"rows\" differs: root 2 here, root 0 at node 2,1");
  // The first member of the group is the odd one.
  EXPECT_EQ(failure_of(two, 4, CallWord::kRoot, 2),
            "node 1,1: the call \"rows\" differs: root 0 here, root 2 at node 0,1");
}

TEST(DifferingCalls, SayWhichGroups) {
  const std::string group =
      "[collective]\noperation = \"reduce\"\nalgorithm = \"binomial\"\nroot = [0, 0]\n"
      "group = \"0,0..3,3 columns-first\"\ndevelop = true\n";
  const std::string found = failure_of(group, 15, CallWord::kGroup, 0);
  EXPECT_THAT(found, StartsWith("node 3,3: the call differs: group ALL here, group "));
  EXPECT_THAT(found, HasSubstr(" of process 0 at node 0,0\nstall: "))
      << "the orders of the ranks differ, so messages do";
}

TEST(DifferingCalls, ThatOneMemberIsRefusedNameIt) {
  EXPECT_THAT(
      failure_of(kReduce, 11, CallWord::kGroup, 3),
      StartsWith("node 3,2: the firmware refused the call with result NO_SUCH_GROUP\nstall:"));
}

TEST(DifferingCalls, SayThatLengthsDiffer) {
  // The list of a member is behind that of the host.
  const std::string lengths =
      "[collective]\noperation = \"all-gather\"\ncounts = \"random:8..64\"\ndevelop = true\n";
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "calls.toml";
  std::ofstream(file) << "firmware = \"native\"\n[network]\nsize = [4, 4]\n" << lengths;
  const Scenario scenario = Scenario::read(file, {});
  const std::uint64_t list = plan_memory(scenario).calls[0].lengths.offset;
  EXPECT_THAT(failure_of(lengths, 6, CallWord::kParameter0, static_cast<std::uint32_t>(list - 4)),
              HasSubstr("node 2,1: the call differs: checksum of the lengths 0x"));
}

TEST(DifferingCalls, AreMadeByTheHostToo) {
  // The node that reads another word reads what the others have: the host alone makes it differ.
  const auto host = [](const std::string& differs) {
    return failure_of(kReduce + "differs = \"" + differs + "\"\n", 3, CallWord::kSource, 0);
  };
  EXPECT_EQ(host("3,2 root 2"), "node 3,2: the call differs: root 2 here, root 5 at node 2,2");
  EXPECT_EQ(host("3,2 operation all-reduce"),
            "node 3,2: the call differs: operation all-reduce here, operation reduce at node 2,2");
  EXPECT_EQ(host("3,2 operator affine"),
            "node 3,2: the call differs: operator affine here, operator sum at node 2,2");
  EXPECT_EQ(host("3,2 parameter-2 -1"),
            "node 3,2: the call differs: PARAMETER_2 4294967295 here, PARAMETER_2 0 at node 2,2");
  EXPECT_EQ(host("3,2 root 5"), "") << "what all say";
}

TEST(DifferingCalls, AreFineWithoutDevelopMode) {
  std::string without = kReduce;
  without.replace(without.find("develop = true"), 14, "mode = \"barrier\"");
  EXPECT_EQ(failure_of(without, 5, CallWord::kSource, 0), "") << "SOURCE may be anywhere";
}

TEST(CallDifference, IsNotThereInOtherMemory) {
  nic::NodeMemory memory(64);
  const auto put = [&](std::initializer_list<std::uint32_t> words) {
    std::uint64_t at = 8;
    for (const std::uint32_t word : words) memory.store(std::exchange(at, at + 4), word, 4);
  };
  EXPECT_FALSE(read_difference(memory, 8, 4)) << "no word";
  EXPECT_FALSE(read_difference(memory, 40, 4)) << "behind the end";
  put({12, 3, 7, 0, 1, 6, 0});
  ASSERT_TRUE(read_difference(memory, 8, 4));
  EXPECT_EQ(
      describe(*read_difference(memory, 8, 4), "x", [](NodeId n) { return std::to_string(n); }),
      "node 3: the call \"x\" differs: root 7 here, root 6 at node 1");
  EXPECT_FALSE(read_difference(memory, 8, 3)) << "a node that is not there";
  put({12, 1, 7, 0, 3});
  EXPECT_FALSE(read_difference(memory, 8, 3)) << "a node that is not there";
  put({6});
  EXPECT_FALSE(read_difference(memory, 8, 4)) << "a word before the record's";
  put({21});
  EXPECT_FALSE(read_difference(memory, 8, 4)) << "a word behind the record's";
}

/// Node memory with a record at SCRATCH = 16.
nic::NodeMemory with_record(std::map<std::uint64_t, std::uint32_t> words) {
  nic::NodeMemory memory(200);
  words.emplace(11, 4);  // members
  for (const auto& [word, value] : words) memory.store(16 + 4 * word, value, 4);
  return memory;
}

TEST(CallDifference, IsFoundAmongThoseThatHaveARecord) {
  const auto found = [](const nic::NodeMemory& first, const nic::NodeMemory& second,
                        std::uint64_t scratch = 16) {
    std::vector<CallRecord> records;
    if (const auto record = read_record(first, 1, 16, 4)) records.push_back(*record);
    if (const auto record = read_record(second, 2, scratch, 4)) records.push_back(*record);
    const auto difference = find_difference(records);
    return difference ? describe(*difference, "", [](NodeId n) { return std::to_string(n); }) : "";
  };
  const nic::NodeMemory usual = with_record({{12, 3}});
  EXPECT_EQ(found(usual, with_record({{12, 3}})), "");
  EXPECT_EQ(found(usual, with_record({{12, 2}})),
            "node 2: the call differs: root 2 here, root 3 at node 1");
  EXPECT_EQ(found(usual, with_record({{12, 3}, {10, 1}, {9, 7}})),
            "node 2: the call differs: group 7 of process 1 here, group 0 of process 0 at node 1");
  EXPECT_EQ(found(usual, with_record({{0, 13}, {1, 3}, {2, 1}, {4, 0}, {12, 2}})),
            "node 2: the call differs: root 2 here, root 3 at node 1")
      << "a node that has heard of another difference";
  EXPECT_EQ(found(usual, with_record({{6, 1}, {12, 2}})), "") << "claims without a difference";
  EXPECT_EQ(found(usual, with_record({{0, 13}, {1, 4}, {12, 2}})), "") << "no such node";
  EXPECT_EQ(found(usual, with_record({{11, 0}, {12, 2}})), "") << "no members";
  EXPECT_EQ(found(usual, with_record({{11, 5}, {12, 2}})), "") << "more members than nodes";
  EXPECT_EQ(found(usual, with_record({{12, 2}}), 120), "") << "behind the end";
}

}  // namespace
}  // namespace annelid::simulation
