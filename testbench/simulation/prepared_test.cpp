// Calls that are prepared and started again and again, and calls that are repeated
// (docs/how-to/prepared-calls.md). State space: native firmware; operations with and without data,
// combining and not, odd lengths, groups, skew; one call, several at once and one after the other,
// some prepared and others not; lists that just fit and that do not; firmware that lies.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/input_error.hpp"
#include "base/run_failure.hpp"
#include "simulation/machine/contents.hpp"
#include "simulation/scenario/prepared_keys.hpp"
#include "simulation/starts.hpp"
#include "testbench/parameter_name.hpp"
#include "testbench/simulation/lying_firmware.hpp"
#include "testbench/simulation/native_runs.hpp"

namespace annelid::simulation {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

using Values = std::vector<std::pair<std::string, std::string>>;

using simulation::scenario_of;  // of a text

Scenario scenario_of(const Values& values) {
  Settings settings(run_keys());
  settings.set("firmware", "native");
  settings.set("network.size", "4x4");
  for (const auto& [key, value] : values) settings.set(key, value);
  return Scenario::from(settings);
}

std::string refusal(const std::function<void()>& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

RunResult result_of(const Scenario& scenario, const MakeFirmware& make = {}, int times = 1) {
  return last_result(scenario, make, times, [&](Simulation& simulation, const auto& inputs) {
    Progress silent;
    RunResult result = run_checked(scenario, simulation, inputs, silent);
    simulation.free_prepared(silent);
    return result;
  });
}

std::string failure_of(const Scenario& scenario) {
  try {
    (void)result_of(scenario);
  } catch (const RunFailure& failure) {
    return failure.what();
  }
  return "";
}

std::vector<Cycle> cycles_of(const RunResult& result) {
  std::vector<Cycle> cycles;
  for (const StartResult& start : result.starts) cycles.push_back(start.cycles());
  return cycles;
}

// ---- Keys ---------------------------------------------------------------------------------------

TEST(PreparedKeys, HaveDefaults) {
  const Scenario plain = scenario_of(Values{});
  EXPECT_FALSE(plain.has_starts());
  EXPECT_EQ(plain.repeat, 1);
  const Scenario prepared = scenario_of(Values{{"collective.prepared", "true"}});
  EXPECT_TRUE(prepared.has_starts());
  EXPECT_EQ(prepared.call().collective.plan_bytes, 2u * 32767 * 32);
  EXPECT_TRUE(scenario_of(Values{{"collective.repeat", "2"}}).has_starts());
}

TEST(PreparedKeys, AreRefusedWhereTheyMeanNothing) {
  const auto of = [](const Values& values) { return refusal([&] { (void)scenario_of(values); }); };
  EXPECT_THAT(of({{"collective.plan_bytes", "4096"}}), HasSubstr("--prepared with it"));
  EXPECT_THAT(of({{"collective.repeat", "0"}}), HasSubstr("1..1000"));
  EXPECT_THAT(of({{"collective.prepared", "true"}, {"collective.plan_bytes", "31"}}),
              HasSubstr("32..2097088"));
  EXPECT_THAT(of({{"collective.prepared", "true"}, {"collective.mode", "barrier"}}),
              HasSubstr("a call without modes"));
  EXPECT_THAT(of({{"collective.prepared", "true"}, {"collective.develop", "true"}}),
              HasSubstr("a call without modes"));
  EXPECT_THAT(of({{"collective.prepared", "true"}, {"collective.triggers", "false"}}),
              HasSubstr("--triggers true"));
  EXPECT_THAT(of({{"collective.prepared", "true"},
                  {"collective.operation", "scan"},
                  {"collective.operator", "affine"}}),
              HasSubstr("not \"affine\""));
}

TEST(PreparedKeys, RepeatAllCallsAsOften) {
  const std::string call = "[[call]]\nname = \"one\"\n";
  const auto one = [&] { (void)scenario_of(call + "repeat = 2\n"); };
  EXPECT_THAT(refusal(one), HasSubstr("repeat in [collective]"));
  EXPECT_EQ(scenario_of("[collective]\nrepeat = 3\n" + call).repeat, 3);
}

TEST(PreparedKeys, GiveListsAPlaceOfTheirOwn) {
  const Scenario scenario = scenario_of(
      "[groups]\nrows = \"each row\"\n[collective]\nplan_bytes = 4096\n"
      "[[call]]\nname = \"rows\"\ngroup = \"rows\"\nprepared = true\n"
      "[[call]]\nname = \"all\"\nprepared = true\n[[call]]\nname = \"plain\"\n");
  const MemoryPlan plan = plan_memory(scenario);
  ASSERT_EQ(plan.prepared.size(), 6u);
  EXPECT_EQ(plan.prepared[0].list.offset, plan.prepared[3].list.offset);
  EXPECT_EQ(plan.prepared[5].list.bytes, 0u);
  EXPECT_EQ(kept_buffers(plan).size(), 6u);
  const std::vector<Buffer> all = buffers_behind_calls(plan);
  ASSERT_EQ(all.size(), 8u);
  std::uint64_t end = plan.calls_end;
  for (const Buffer& buffer : all) {
    EXPECT_GE(buffer.offset, end);
    EXPECT_EQ(buffer.offset % 64, 0u);
    end = buffer.end() + 64;
  }
  EXPECT_LE(end, plan.end);
}

// ---- Starts -------------------------------------------------------------------------------------

TEST(Starts, OfAnOrdinaryCallHaveOtherData) {
  const RunResult result =
      result_of(scenario_of(Values{{"collective.repeat", "3"}, {"collective.skew", "40"}}));
  EXPECT_THAT(failed(result), IsEmpty());
  ASSERT_EQ(result.starts.size(), 3u);
  EXPECT_LT(result.starts[0].last_finished, result.starts[1].first_called);
  EXPECT_LT(result.starts[1].last_finished, result.starts[2].first_called);
  EXPECT_EQ(result.list_bytes, 0u);
  const Scenario one = scenario_of(Values{});
  EXPECT_NE(crc32_of(inputs_of(one, 0).front()), crc32_of(inputs_of(one, 1).front()));
  EXPECT_EQ(result.call().crc32, crc32_of(inputs_of(one, 0).front()));
}

/// Leaves in TARGET what its first call left there.
class KeepsFirst {
 public:
  KeepsFirst(std::uint32_t offset, std::size_t bytes) : offset_(offset), bytes_(bytes) {}
  void operator()(nic::Nic& nic) {
    if (first_.empty()) {
      first_.resize(bytes_);
      nic.read_memory(offset_, first_);
    }
    nic.write_memory(offset_, first_);
  }

 private:
  std::uint32_t offset_;
  std::size_t bytes_;
  std::vector<std::byte> first_;
};

TEST(Starts, NoticeOldData) {
  const Scenario scenario =
      scenario_of(Values{{"collective.operation", "all-reduce"}, {"collective.repeat", "3"}});
  const MemoryLayout layout = plan_memory(scenario).calls.front();
  const RunResult result = result_of(scenario, [&](nic::Nic& nic) {
    return std::make_unique<OnBus>(
        std::make_unique<AroundTheEnd>(nic,
                                       KeepsFirst(static_cast<std::uint32_t>(layout.target.offset),
                                                  static_cast<std::size_t>(layout.target.bytes)),
                                       nullptr));
  });
  EXPECT_THAT(failed(result), ElementsAre(StartsWith("bytes: start 2: node (0,0): TARGET, byte")));
}

// ---- Prepared calls -----------------------------------------------------------------------------

class PreparedOperations : public ::testing::TestWithParam<const char*> {};

TEST_P(PreparedOperations, HoldInEachStart) {
  for (const char* bytes : {"0", "4", "36", "1000"}) {
    Values values = {{"collective.operation", GetParam()},
                     {"collective.prepared", "true"},
                     {"collective.repeat", "3"},
                     {"collective.skew", "60"}};
    if (has_data(scenario_of({values.front()}).call().collective.operation())) {
      values.emplace_back("collective.bytes", bytes);
    }
    SCOPED_TRACE(bytes);
    const RunResult result = result_of(scenario_of(values), {}, 2);
    EXPECT_THAT(failed(result), IsEmpty());
    EXPECT_EQ(result.starts.size(), 3u);
    EXPECT_GE(result.list_bytes, 32u);
  }
}

INSTANTIATE_TEST_SUITE_P(All, PreparedOperations,
                         ::testing::Values("broadcast", "reduce", "gather", "scatter", "all-gather",
                                           "all-reduce", "barrier", "transpose", "all-to-all",
                                           "scan", "exscan", "reduce-scatter", "shift", "sync-in",
                                           "sync-out"),
                         test::ParameterName());

TEST(Prepared, CallsAreAsLongInEachStart) {
  const RunResult result =
      result_of(scenario_of(Values{{"collective.prepared", "true"}, {"collective.repeat", "4"}}));
  const std::vector<Cycle> cycles = cycles_of(result);
  EXPECT_THAT(cycles, ElementsAre(cycles[0], cycles[0], cycles[0], cycles[0]));
}

TEST(Prepared, CallsPlayAtTheSameTime) {
  const RunResult result =
      result_of(scenario_of("[collective]\nprepared = true\nrepeat = 3\nskew = 30\nbytes = 100\n"
                            "[[call]]\nname = \"rows\"\ngroup = \"each row\"\nstart = 0\n"
                            "[[call]]\nname = \"sum\"\noperation = \"all-reduce\"\nstart = 0\n"
                            "[[call]]\nname = \"plain\"\noperation = \"gather\"\nprepared = false\n"
                            "start = 10\n[[call]]\nname = \"last\"\noperation = \"barrier\"\n"),
                {}, 2);
  EXPECT_THAT(failed(result), IsEmpty());
  ASSERT_EQ(result.starts.size(), 3u);
  EXPECT_EQ(result.starts[2].cycles_of_calls.size(), 7u);
}

TEST(Prepared, ListsFitExactlyOrNotAtAll) {
  const Values values = {{"collective.prepared", "true"}, {"collective.operation", "all-to-all"}};
  const auto with_room = [&](std::uint64_t bytes) {
    Values more = values;
    more.emplace_back("collective.plan_bytes", std::to_string(bytes));
    return scenario_of(more);
  };
  const std::uint64_t bytes = result_of(scenario_of(values)).list_bytes;
  EXPECT_THAT(failed(result_of(with_room(bytes))), IsEmpty());
  EXPECT_THAT(failure_of(with_room(bytes - 32)),
              AllOf(HasSubstr("the preparation of the call"), HasSubstr("NO_ROOM"),
                    HasSubstr(fmt::format("takes {} bytes, and there is room for {}; give "
                                          "--plan-bytes {}",
                                          bytes, bytes - 32, bytes))));
}

TEST(Prepared, CallsOfANodeAreAtMost32) {
  std::string toml = "[collective]\nprepared = true\n";
  for (int i = 0; i < 32; ++i) toml += fmt::format("[[call]]\nname = \"{}\"\n", i);
  EXPECT_THAT(failed(result_of(scenario_of(toml), {}, 2)), IsEmpty());
  EXPECT_THAT(failure_of(scenario_of(toml + "[[call]]\nname = \"one more\"\n")),
              AllOf(HasSubstr("\"one more\""), HasSubstr("at most 32 prepared calls")));
}

/// Adds to a word that the firmware writes to an offset.
class Adds final : public Bus {
 public:
  Adds(nic::Nic& nic, std::uint32_t offset, std::uint8_t what)
      : Bus(nic), offset_(offset), what_(what) {}
  void write_memory(std::uint32_t offset, std::span<const std::byte> from) override {
    std::vector<std::byte> bytes(from.begin(), from.end());
    if (offset_ >= offset && offset_ < offset + bytes.size()) {
      std::byte& byte = bytes[offset_ - offset];
      byte = static_cast<std::byte>(std::to_integer<std::uint8_t>(byte) + what_);
    }
    Bus::write_memory(offset, bytes);
  }

 private:
  std::uint32_t offset_;
  std::uint8_t what_;
};

TEST(Prepared, AnswersThatCannotBeAreNoticed) {
  const Scenario scenario = scenario_of(Values{{"collective.prepared", "true"}});
  const auto answer = static_cast<std::uint32_t>(plan_memory(scenario).prepared[0].answer.offset);
  const auto lie = [&](std::uint32_t place, std::uint8_t what) {
    return [=](nic::Nic& nic) {
      return std::make_unique<OnBus>(std::make_unique<Adds>(nic, answer + place, what));
    };
  };
  // Bytes that are no whole list, and more bytes than there is room for.
  EXPECT_THAT(failed(result_of(scenario, lie(4, 8))),
              Contains(AllOf(StartsWith("prepare: node 0,0: a list of"),
                             HasSubstr("expected a multiple of 32"))));
  EXPECT_THAT(failed(result_of(scenario, lie(7, 1))),
              Contains(HasSubstr("expected a multiple of 32 up to 2097088")));
}

/// A list that is shorter than what its node sends and receives.
TEST(Prepared, ListsAreLongEnough) {
  const Scenario scenario = scenario_of(Values{{"collective.prepared", "true"}});
  const auto answer = static_cast<std::uint32_t>(plan_memory(scenario).prepared[0].answer.offset);
  EXPECT_THAT(failed(result_of(scenario,
                               [&](nic::Nic& nic) {
                                 return std::make_unique<OnBus>(std::make_unique<Adds>(
                                     nic, answer + 4, static_cast<std::uint8_t>(-32)));
                               })),
              Contains(HasSubstr("messages that it sends and receives")));
}

TEST(Prepared, ListsMayNotChange) {
  const Scenario scenario =
      scenario_of(Values{{"collective.prepared", "true"}, {"collective.repeat", "2"}});
  const auto words = static_cast<std::uint32_t>(plan_memory(scenario).prepared[0].words.offset);
  const RunResult result = result_of(scenario, [words](nic::Nic& nic) {
    const auto scribble = [words](nic::Nic& n) {
      std::vector<std::byte> bytes(1);
      n.read_memory(words, bytes);
      n.write_memory(words, bytes);
    };
    return std::make_unique<OnBus>(std::make_unique<LaterThanTheEnd>(nic, 10, scribble, true));
  });
  EXPECT_THAT(failed(result), Contains(HasSubstr("what a call was prepared with")));
}

}  // namespace
}  // namespace annelid::simulation
