// Every register: reset value, access, side effects (docs/nic.md, sections 3, 5 and 6).
#include "nic/register_file.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>

#include "testbench/nic/lone_nic.hpp"

namespace annelid::test {
namespace {

/// The registers of node 6 = (2,1) of a 4x3 mesh, without the engines.
struct Registers6 : NicObserver {
  static NicConfig config() { return small_config(4, 3); }
  Shared shared{config(), 6};
  RegisterFile file{shared};
  std::vector<std::uint32_t> results;

  Registers6() { shared.observer = this; }
  void call_finished(Cycle, NodeId, std::uint32_t result) override { results.push_back(result); }
  std::uint32_t get(std::uint32_t offset, Cycle now = 0) { return file.read(offset, now).value(); }
};

TEST(RegisterFile, EveryRegisterReadsItsResetValue) {
  Registers6 r;
  const std::map<std::uint32_t, std::uint32_t> of_this_node = {
      {reg::kNode, 0x000102}, {reg::kSizeX, 4}, {reg::kSizeY, 3}, {reg::kPorts, 4}};
  int readable = 0;
  for (const reg::Register& entry : reg::kRegisters) {
    for (std::uint32_t word = 0; word < entry.words; ++word) {
      const auto value = r.file.read(entry.offset + 4 * word, 0);
      EXPECT_EQ(value.has_value(), entry.readable) << entry.name;
      if (!value) continue;
      ++readable;
      const auto own = of_this_node.find(entry.offset);
      EXPECT_EQ(*value, own == of_this_node.end() ? entry.reset : own->second) << entry.name;
    }
  }
  EXPECT_EQ(readable, 26 + 14);  // all but three, and CALL has 15 words
}

TEST(RegisterFile, OnlyWritableRegistersTakeAValueAndKeepTheirBits) {
  for (const reg::Register& entry : reg::kRegisters) {
    Registers6 r;                                           // as the go registers have effects
    const bool call_done = entry.offset == reg::kCallDone;  // there is no call
    EXPECT_EQ(r.file.write(entry.offset, 0xffffffff, 0), entry.writable && !call_done)
        << entry.name;
    if (!entry.writable || !entry.readable) continue;
    const bool tag = entry.offset == reg::kSendTag || entry.offset == reg::kRecvTag;
    EXPECT_EQ(r.get(entry.offset), tag ? 0xffffU : 0xffffffffU) << entry.name;
  }
}

TEST(RegisterFile, OffsetsWithoutARegisterFault) {
  Registers6 r;
  int holes = 0;
  for (std::uint32_t offset = 0; offset < reg::kRegisterBytes; ++offset) {
    bool taken = false;
    for (const reg::Register& entry : reg::kRegisters) {
      taken |= offset % 4 == 0 && offset >= entry.offset && offset < entry.offset + 4 * entry.words;
    }
    if (taken) continue;
    ++holes;
    EXPECT_FALSE(r.file.read(offset, 0).has_value()) << offset;
    EXPECT_FALSE(r.file.write(offset, 0, 0)) << offset;
  }
  EXPECT_EQ(holes, 0x1000 - 28 - 15);
}

TEST(RegisterFile, CycleIsTheLow32Bits) {
  Registers6 r;
  EXPECT_EQ(r.get(reg::kCycle, 0x500000007), 7U);
}

TEST(RegisterFile, ACallIsPendingFromItsCycleUntilWord0IsRead) {
  Registers6 r;
  Call call;
  call.algorithm = reg::Algorithm::kRecursiveDoubling;
  call.root = {3, 2, 0};
  call.offset = 0x1000;
  call.bytes = 77;
  call.tag = 9;
  r.file.call(call, 10);
  EXPECT_EQ(r.get(reg::kEvent, 9), 0U);
  EXPECT_EQ(r.get(reg::kEvent, 10), 1U);
  const std::uint32_t expected[] = {1, 2, 0x000203, 0x1000, 77, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (std::uint32_t word = 14; word >= 1; --word) {
    EXPECT_EQ(r.get(reg::kCall + 4 * word, 10), expected[word]);
  }
  EXPECT_EQ(r.get(reg::kEvent, 10), 1U) << "only word 0 takes the call";
  EXPECT_EQ(r.get(reg::kCall, 10), 1U);
  EXPECT_EQ(r.get(reg::kEvent, 10), 0U);
  EXPECT_THROW(r.file.call(call, 11), std::logic_error);

  EXPECT_TRUE(r.file.write(reg::kCallDone, 2, 12));
  EXPECT_EQ(r.results, std::vector<std::uint32_t>{2});
  EXPECT_EQ(r.get(reg::kCall + 16, 13), 77U) << "the words stay";
  EXPECT_FALSE(r.file.write(reg::kCallDone, 0, 13)) << "there is no call any more";
  EXPECT_NO_THROW(r.file.call(call, 14));
}

TEST(RegisterFile, SpaceCountsUntilTheCompletionIsTaken) {
  Registers6 r;
  r.file.write(reg::kRecvSource, 0x000000, 0);
  r.file.write(reg::kRecvGo, 1, 0);
  r.file.write(reg::kRecvGo, 2, 0);
  r.file.write(reg::kSendGo, 3, 0);  // to (0,0)
  EXPECT_EQ(r.get(reg::kRecvSpace), 62U);
  EXPECT_EQ(r.get(reg::kSendSpace), 63U);
  r.shared.completions.add(0, {false, 3, 0});
  EXPECT_EQ(r.get(reg::kEvent), 0U) << "not before the end of the cycle";
  r.shared.completions.commit();
  EXPECT_EQ(r.get(reg::kEvent), 2U);
  EXPECT_EQ(r.get(reg::kSendSpace), 63U);
  EXPECT_EQ(r.get(reg::kCompletion), 0x80000003U);
  EXPECT_EQ(r.get(reg::kSendSpace), 64U);
  EXPECT_EQ(r.get(reg::kRecvSpace), 62U);
  EXPECT_EQ(r.get(reg::kEvent), 0U);
  EXPECT_EQ(r.get(reg::kCompletion), 0U);
}

TEST(RegisterFile, CompletionsOfOneCycleComeReceivesFirstThenByPort) {
  Registers6 r;
  for (std::uint16_t i = 0; i < 5; ++i) {
    r.file.write(reg::kSendGo, i, 0);
    r.file.write(reg::kRecvGo, i, 0);
  }
  for (unsigned engine : {4U, 2U, 0U, 3U, 1U}) {  // the own node's is engine 4
    const auto id = static_cast<std::uint16_t>(0xff00 + engine);
    r.shared.completions.add(engine, {false, id, 10 + engine});
    r.shared.completions.add(engine, {true, id, 20 + engine});
  }
  r.shared.completions.commit();
  for (std::uint32_t i = 0; i < 10; ++i) {
    const std::uint32_t engine = i % 5;
    const bool receive = i < 5;
    EXPECT_EQ(r.get(reg::kCompletion), (receive ? 0xc000ff00U : 0x8000ff00U) + engine);
    EXPECT_EQ(r.get(reg::kCompletionBytes), (receive ? 20 : 10) + engine);
  }
}

TEST(RegisterFile, WhatTheFirmwareAwaitsIsPutInWords) {
  Registers6 r;
  EXPECT_EQ(r.file.awaits(), "");
  r.file.write(reg::kAwait, 0x01010004, 0);
  r.file.write(reg::kAwaitNode, 0x000203, 0);
  EXPECT_EQ(r.file.awaits(), "a receive from 3,2 (EDN, step 4)");
  r.file.write(reg::kAwait, 0x02020001, 0);
  EXPECT_EQ(r.file.awaits(), "a send to 3,2 (recursive doubling, step 1)");
}

// ---- Errors that a go register finds ------------------------------------------------------------

struct ErrorCase {
  const char* name;
  reg::ErrorCause cause;
  std::uint32_t address, offset, bytes, port;  // the mesh is 4x3, the memory 1 MiB, 4 ports
  friend std::ostream& operator<<(std::ostream& out, const ErrorCase& c) { return out << c.name; }
};
class GoError : public ::testing::TestWithParam<ErrorCase> {};

constexpr std::uint32_t kMemory = 1 << 20;
INSTANTIATE_TEST_SUITE_P(
    RegisterFile, GoError,
    ::testing::Values(
        ErrorCase{"AllFits", reg::ErrorCause::kNone, 0x000203, kMemory - 8, 8, 3},
        ErrorCase{"NothingAtTheEnd", reg::ErrorCause::kNone, 0x000203, kMemory, 0, 0xff},
        ErrorCase{"XOutside", reg::ErrorCause::kBadAddress, 0x000004, 0, 0, 0xff},
        ErrorCase{"YOutside", reg::ErrorCause::kBadAddress, 0x000300, 0, 0, 0xff},
        ErrorCase{"ZOutside", reg::ErrorCause::kBadAddress, 0x010000, 0, 0, 0xff},
        ErrorCase{"BitsAboveTheAddress", reg::ErrorCause::kBadAddress, 0x1000000, 0, 0, 0xff},
        ErrorCase{"OneByteTooFar", reg::ErrorCause::kBadRange, 0, kMemory - 7, 8, 0xff},
        ErrorCase{"OffsetFarOutside", reg::ErrorCause::kBadRange, 0, 0xffffffff, 2, 0xff},
        ErrorCase{"AddressBeforeRange", reg::ErrorCause::kBadAddress, 0x000004, kMemory, 8, 0xff}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(GoError, IsFoundBySendsAndReceives) {
  const ErrorCase& c = GetParam();
  for (const bool receive : {false, true}) {
    Registers6 r;
    r.file.write(receive ? reg::kRecvSource : reg::kSendDestination, c.address, 0);
    r.file.write(receive ? reg::kRecvOffset : reg::kSendOffset, c.offset, 0);
    r.file.write(receive ? reg::kRecvBytes : reg::kSendBytes, c.bytes, 0);
    r.file.write(reg::kSendPort, c.port, 0);
    EXPECT_TRUE(r.file.write(receive ? reg::kRecvGo : reg::kSendGo, 1, 0));
    EXPECT_EQ(r.get(reg::kError), static_cast<std::uint32_t>(c.cause));
    const std::uint32_t left = c.cause == reg::ErrorCause::kNone ? 63 : 64;
    EXPECT_EQ(r.get(receive ? reg::kRecvSpace : reg::kSendSpace), left);
  }
}

TEST(RegisterFile, AMessageOfMoreThan16MiBIsABadRangeWhateverTheMemory) {
  for (const std::uint32_t bytes : {1U << 24, (1U << 24) + 1}) {
    NicConfig config = small_config();
    config.memory_bytes = std::uint64_t{1} << 26;
    Shared shared(config, 0);
    RegisterFile file(shared);
    file.write(reg::kSendBytes, bytes, 0);
    file.write(reg::kSendGo, 0, 0);
    EXPECT_EQ(shared.error,
              bytes == 1U << 24 ? reg::ErrorCause::kNone : reg::ErrorCause::kBadRange);
  }
}

TEST(RegisterFile, APortMustExistOrBeByRoute) {
  for (const std::uint32_t port : {0U, 1U, 2U, 0xfeU, 0xffU, 0x1ffU}) {
    NicConfig config = small_config();
    config.network.router.local_ports = 2;
    Shared shared(config, 0);
    RegisterFile file(shared);
    file.write(reg::kSendPort, port, 0);
    file.write(reg::kSendGo, 0, 0);
    const bool fits = port < 2 || port == 0xff;
    EXPECT_EQ(shared.error, fits ? reg::ErrorCause::kNone : reg::ErrorCause::kBadPort) << port;
  }
}

TEST(RegisterFile, The65thSendAndReceiveOverflow) {
  for (const bool receive : {false, true}) {
    Registers6 r;
    const std::uint32_t go = receive ? reg::kRecvGo : reg::kSendGo;
    for (std::uint32_t i = 0; i < 64; ++i) r.file.write(go, i, 0);
    EXPECT_EQ(r.get(reg::kError), 0U);
    r.file.write(receive ? reg::kRecvSource : reg::kSendDestination, 0xff, 0);
    r.file.write(go, 64, 0);
    EXPECT_EQ(r.get(reg::kError), receive ? 2U : 1U) << "found before the bad address";
    r.shared.fail(1, reg::ErrorCause::kBadPort, "");
    EXPECT_EQ(r.get(reg::kError), receive ? 2U : 1U) << "the first one stays";
  }
}

TEST(RegisterFile, ASendGoesToThePortOfItsFirstOutput) {
  // From (2,1): +x, -x, +y, -y, the own node; by L.
  const std::uint32_t to[] = {0x000103, 0x000000, 0x000202, 0x000002, 0x000102};
  for (const int ports : {1, 2, 3, 4}) {
    NicConfig config = Registers6::config();
    config.network.router.local_ports = ports;
    Shared shared(config, 6);
    RegisterFile file(shared);
    std::array<std::size_t, CompletionQueue::kOwnNode + 1> expected{};
    for (unsigned output = 0; output < 5; ++output) {
      file.write(reg::kSendDestination, to[output], 0);
      file.write(reg::kSendGo, output, 0);
      ++expected[output == 4 ? CompletionQueue::kOwnNode : output % static_cast<unsigned>(ports)];
    }
    for (unsigned queue = 0; queue < expected.size(); ++queue) {
      EXPECT_EQ(shared.queue(queue).size(), expected[queue]) << ports << " ports";
    }
  }
}

TEST(NicConfigs, AreChecked) {
  NicConfig config = small_config();
  EXPECT_NO_THROW(validate(config));
  config.memory_bytes = 0;
  EXPECT_THROW(validate(config), ConfigError);
  config.memory_bytes = (std::uint64_t{1} << 31) + 1;
  EXPECT_THROW(validate(config), ConfigError);
  config.memory_bytes = 1;
  config.run_ahead = 0;
  EXPECT_THROW(validate(config), ConfigError);
  config.run_ahead = 1;
  config.network.size[0] = 0;
  EXPECT_THROW(validate(config), ConfigError);
}

}  // namespace
}  // namespace annelid::test
