// NICs whose firmware runs on the modelled core: exact cycles, run-ahead, traps
// (docs/internals/nic/core.md). The programs are in testbench/nic/programs.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "testbench/nic/lone_nic.hpp"
#include "testbench/nic/mesh.hpp"
#include "testbench/parameter_name.hpp"

namespace annelid::test {
namespace {

nic::Image program(const std::string& name) {
  std::ifstream file(ANNELID_PROGRAMS "/" + name + ".elf", std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> elf(bytes.size());
  std::memcpy(elf.data(), bytes.data(), bytes.size());
  return nic::load_elf(elf);
}

/// Sets the last `words.size()` words of a program's image.
void patch(nic::Image& image, const std::vector<std::uint32_t>& words) {
  const std::size_t bytes = 4 * words.size();
  ASSERT_GE(image.ram.size(), bytes);
  std::memcpy(image.ram.data() + image.ram.size() - bytes, words.data(), bytes);
  image.shared.reset();
}

nic::NicConfig pair(Cycle run_ahead) {
  nic::NicConfig config = small_config(2, 1);
  config.run_ahead = run_ahead;
  config.eager_bytes = 0;
  return config;
}

class RunAhead : public ::testing::TestWithParam<Cycle> {};
INSTANTIATE_TEST_SUITE_P(Of, RunAhead, ::testing::Values(1, 2, 5, 17, 4096), test::ParameterName());

TEST_P(RunAhead, ASendAndAReceiveTakeTheCyclesOfTheDocument) {
  const nic::Image image = program("ping");
  Mesh mesh(pair(GetParam()));
  for (auto& nic : mesh.nics) nic->load(image);
  for (std::uint64_t i = 0; i < 8; ++i) {
    mesh.nics[0]->memory().store(8 * i, 0x0101010101010101 * i, 8);
  }
  EXPECT_EQ(mesh.fabric.run_until(100'000), systemc::RunStatus::kQuiet);
  const auto word = [&](NodeId n, std::uint32_t offset) {
    return mesh.nics[n]->memory().load(offset, 4);
  };
  // SEND_GO in s = 11, RECV_GO in r = 14, h = 1, F = 10: docs/internals/nic/engines.md.
  const Cycle t = 14 + 4 + 1 + 1;
  EXPECT_EQ(mesh.log.records().at(0).posted, 11U);
  EXPECT_EQ(mesh.log.records().at(0).started, t);
  EXPECT_EQ(word(0, 0x100), 0x80000009U);
  EXPECT_EQ(word(0, 0x104), t + 10 + 2) << "CYCLE, 2 after COMPLETION";
  EXPECT_EQ(word(1, 0x100), 0xc0000005U);
  EXPECT_EQ(word(1, 0x104), t + 1 + 10 + 2 + 2);
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(mesh.nics[1]->memory().load(0x200 + 8 * i, 8), 0x0101010101010101 * i);
  }
  EXPECT_EQ(mesh.nics[0]->instructions(), 16U + 6);
  EXPECT_EQ(mesh.nics[1]->instructions(), 16U + 6);
  EXPECT_TRUE(mesh.nics[1]->idle());
}

/// The receiver's word at an offset of node memory after race.S with so many rounds.
struct Race {
  std::uint64_t went_on = 0, event = 0, instructions = 0;
  friend bool operator==(const Race&, const Race&) = default;
};

TEST(RunAhead, WfiGoesOnInTheSameCycleWheneverTheEventComes) {
  constexpr std::uint32_t kMost = 24;
  std::vector<std::unique_ptr<Mesh>> meshes;
  std::vector<nic::Image> images(kMost);
  for (std::uint32_t rounds = 0; rounds < kMost; ++rounds) {
    images[rounds] = program("race");
    patch(images[rounds], {rounds});
    for (const Cycle run_ahead : {1, 3, 4096}) {
      const std::string name = "mesh" + std::to_string(meshes.size());
      meshes.push_back(std::make_unique<Mesh>(pair(run_ahead), name));
      for (auto& nic : meshes.back()->nics) nic->load(images[rounds]);
    }
  }
  std::vector<Race> races;
  for (auto& mesh : meshes) {
    mesh->fabric.run_until(100'000);
    const nic::NodeMemory& memory = mesh->nics[1]->memory();
    races.push_back({memory.load(0x100, 4), memory.load(0x104, 4), memory.load(0x108, 4)});
  }
  // RECV_GO: csrr 0, lui 1, lui 2, bnez 3, li 6, sw 7, sw 8 = r; g = 13, t = 14; completion
  // visible in t + 13. Then li takes 2 (lui, addi), csrw 1, la 2, lw 2, each round 1 + 1 + 3, and
  // beqz 3 at the end.
  const Cycle seen = 14 + 1 + 10 + 2;
  int early = 0, late = 0;
  for (std::uint32_t rounds = 0; rounds < kMost; ++rounds) {
    const Cycle wfi = 9 + 2 + 1 + 2 + 2 + 5 * rounds + 3;
    const Race expected{std::max(wfi + 1, seen), 2, 16 + 3 * rounds};
    (wfi < seen ? early : late) += 1;
    for (std::uint32_t i = 0; i < 3; ++i) {
      const Race& race = races[3 * rounds + i];
      EXPECT_TRUE(race == expected) << rounds << " rounds, run-ahead " << i << ": " << race.went_on
                                    << ", expected " << expected.went_on;
    }
  }
  EXPECT_GT(early, 1);
  EXPECT_GT(late, 1);
}

TEST_P(RunAhead, ACompletionIsReadInTheFirstCycleThatShowsIt) {
  const nic::Image image = program("poll");
  Mesh mesh(pair(GetParam()));
  for (auto& nic : mesh.nics) nic->load(image);
  mesh.fabric.run_until(1000);
  const auto word = [&](std::uint32_t offset) { return mesh.nics[1]->memory().load(offset, 4); };
  // It is there from cycle 27 on, as in the test above; COMPLETION is read in 9, 14, 19, 24, 29.
  EXPECT_EQ(word(0x100), 0xc0000040U);
  EXPECT_EQ(word(0x104), 29U + 3);
  EXPECT_EQ(word(0x108), 64U) << "bytes";
  EXPECT_EQ(word(0x10c), 0U) << "node (0,0)";
  EXPECT_EQ(word(0x110), 0U) << "tag";
}

/// A control packet that says nothing comes to node (0,0), whose core waits for an error. Its head
/// is consumed in 51.
void expect_bad_packet(Cycle run_ahead, Address destination, std::uint32_t shown) {
  const nic::Image image = program("error");
  LoneNic bench(pair(run_ahead), 0);
  bench.nic.load(image);
  bench.arrive(50, 0, make_packet(destination, {1, 0, 0}, 0, make_header(kControl, 0, 0, 0)));
  bench.run_until(200);
  const auto word = [&](std::uint32_t offset) { return bench.nic.memory().load(offset, 4); };
  EXPECT_EQ(word(0x100), shown);
  EXPECT_EQ(word(0x104), static_cast<std::uint32_t>(reg::ErrorCause::kBadPacket));
}

TEST_P(RunAhead, AnErrorEndsAWfiInTheFirstCycleThatShowsIt) {
  expect_bad_packet(GetParam(), {1, 0, 0}, 52U);  // the head is for another node
}

TEST_P(RunAhead, AnErrorOfAHeaderEndsAWfiAsSoon) { expect_bad_packet(GetParam(), {0, 0, 0}, 53U); }

TEST_P(RunAhead, InterruptsOfTimerAndCallsComeInTheCyclesOfTheDocument) {
  const nic::Image image = program("interrupt");
  LoneNic bench(pair(GetParam()), 0);
  bench.nic.load(image);
  bench.run_until(200);
  bench.nic.call({});  // visible in 201
  bench.run_until(400);
  const auto word = [&](std::uint32_t offset) { return bench.nic.memory().load(offset, 4); };
  constexpr std::uint32_t kLoop = 0x30;  // behind 12 instructions
  // TIMER = 60 shows in mip in 61; the loop's instructions start in 12, 15, ... 63; 3 cycles more.
  EXPECT_EQ(word(0x100), 66U);
  EXPECT_EQ(word(0x104), 0x80000007U);
  EXPECT_EQ(word(0x108), kLoop);
  // The loop goes on in 66 + 14 = 80, 83, ... 203.
  EXPECT_EQ(word(0x110), 206U);
  EXPECT_EQ(word(0x114), 0x8000000bU);
  EXPECT_EQ(word(0x118), kLoop);
  EXPECT_EQ(word(0x120), 0U) << "no third one";
  EXPECT_EQ(bench.nic.call_state(0).stage, nic::CallQueue::Stage::kTaken);
}

struct Access {
  const char* name;
  std::uint32_t address, size, store;
  std::uint32_t cause;  ///< 3: it works, and EBREAK stops the core
  friend std::ostream& operator<<(std::ostream& out, const Access& a) { return out << a.name; }
};
class CoreAccess : public ::testing::TestWithParam<Access> {};
constexpr std::uint32_t kEnd = 0x80000000 + (1 << 20);
INSTANTIATE_TEST_SUITE_P(
    To, CoreAccess,
    ::testing::Values(
        Access{"RegisterRead", 0x40000000, 4, 0, 3}, Access{"RegisterWrite", 0x40000034, 4, 1, 3},
        Access{"RegisterByte", 0x40000000, 1, 0, 5},
        Access{"RegisterHalfStore", 0x40000034, 2, 1, 7},
        Access{"RegisterMisaligned", 0x40000036, 4, 0, 5},
        Access{"NoRegister", 0x4000002c, 4, 0, 5}, Access{"WriteOnly", 0x400000ac, 4, 0, 5},
        Access{"ReadOnly", 0x40000000, 4, 1, 7},
        Access{"CallDoneWithoutACall", 0x400001c0, 4, 1, 3},  // BAD_CALL is no fault
        Access{"BehindTheRegisters", 0x40001000, 4, 0, 5},
        Access{"BehindTheRam", nic::kRamBytes, 4, 0, 5},
        Access{"AcrossTheEndOfRam", nic::kRamBytes - 2, 4, 1, 7},
        Access{"MemoryByte", 0x80000003, 1, 1, 3}, Access{"MemoryHalf", 0x80000003, 2, 1, 3},
        Access{"MemoryMisaligned", 0x80000003, 4, 1, 3}, Access{"MemoryLoad", 0x80000005, 4, 0, 3},
        Access{"LastWord", kEnd - 4, 4, 1, 3}, Access{"AcrossTheEndOfMemory", kEnd - 3, 4, 1, 7},
        Access{"BehindTheMemory", kEnd, 1, 0, 5},
        Access{"TopOfTheAddressSpace", 0xfffffffe, 4, 0, 5}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(CoreAccess, WorksOrTraps) {
  const Access& a = GetParam();
  nic::Image image = program("access");
  patch(image, {a.address, a.size, a.store});
  LoneNic bench(small_config(), 0);
  bench.nic.load(image);
  bench.run_until(200);
  ASSERT_EQ(bench.traps.size(), 1U);
  EXPECT_EQ(bench.traps[0].cause, a.cause);
  if (a.cause != 3) {
    EXPECT_EQ(bench.traps[0].value, a.address);
  }
  const std::uint32_t offset = a.address - 0x80000000;
  if (a.cause == 3 && a.store != 0 && a.address >= 0x80000000) {
    EXPECT_EQ(bench.nic.memory().load(offset, a.size),
              0x11223344 & (~std::uint64_t{0} >> (64 - 8 * a.size)));
    if (offset + a.size < 1 << 20) {
      EXPECT_EQ(bench.nic.memory().load(offset + a.size, 1), 0U);
    }
  }
  EXPECT_TRUE(bench.nic.trap().has_value());
  EXPECT_NE(bench.nic.describe_wait().find("halted by a trap, cause"), std::string::npos);
}

/// Firmware for the host that notes when it runs, and takes one completion or call at a time.
struct Notes : firmware::NativeFirmware {
  Notes(Registers& r, std::vector<Cycle>& when) : registers(r), ran(when) {}
  void run() override {
    ran.push_back(registers.read(reg::kCycle));
    if (ran.size() == 1) {
      post_send(registers, {{0, 0, 0}, 0, 0, 1, 1});  // to itself: 2 cycles, 1 and 2
      post_receive(registers, {{0, 0, 0}, 0, 0, 1, 2});
    } else if (registers.read(reg::kCompletion) == 0) {
      (void)registers.read(reg::kCallTicket);
      registers.write(reg::kCallDone, 0);
    }
  }
  Registers& registers;
  std::vector<Cycle>& ran;
};

TEST(Native, RunsInCycle0AndInEveryCycleThatSeesAnEvent) {
  LoneNic bench(small_config(), 0);
  std::vector<Cycle> ran;
  bench.nic.load(std::make_unique<Notes>(bench.nic, ran));
  bench.run_until(100);
  EXPECT_EQ(ran, (std::vector<Cycle>{0, 3, 4}))
      << "both completions are seen in 3, one is left in 4";
  bench.nic.call({});
  bench.run_until(200);
  EXPECT_EQ(ran, (std::vector<Cycle>{0, 3, 4, 101}));
  EXPECT_LE(bench.steps, 7U);
}

TEST(Native, IsTheProjectsFirmwareThatTakesACall) {
  LoneNic bench(small_config(1, 1), 0);
  bench.nic.load_native();
  nic::Call call;
  call.set(reg::CallWord::kOperation, static_cast<std::uint32_t>(reg::Operation::kBroadcast));
  call.set(reg::CallWord::kAlgorithm, 99);
  bench.nic.call(call);
  bench.run_until(100);
  ASSERT_EQ(bench.calls_finished.size(), 1U);
  EXPECT_EQ(bench.calls_finished[0].result,
            static_cast<std::uint32_t>(reg::CallResult::kUnknownAlgorithm));
}

TEST(Core, IsAsleepInAFunctionOfItsProgramInAReport) {
  const nic::Image image = program("ping");
  Mesh mesh(pair(4096));
  mesh.nics[1]->load(image);  // node 0 does not send
  mesh.fabric.run_until(1000);
  const std::string wait = mesh.nics[1]->describe_wait();
  EXPECT_NE(wait.find("receive 5 from 0,0 tag 7 (64 bytes): offered, nothing has arrived"),
            std::string::npos)
      << wait;
  EXPECT_NE(wait.find("core asleep at 0x"), std::string::npos);
  EXPECT_NE(wait.find(" in _start"), std::string::npos);
}

}  // namespace
}  // namespace annelid::test
