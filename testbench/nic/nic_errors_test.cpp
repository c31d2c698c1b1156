// Every cause of an error (docs/internals/nic/errors.md): found when it should be, told to the
// host, shown in the registers, without effect but for that; and the node goes on. A cause without
// a case fails here.
#include <gtest/gtest.h>

#include <map>

#include "testbench/nic/list_script.hpp"
#include "testbench/nic/node5.hpp"

namespace annelid::test {
namespace {

using reg::ErrorCause;

/// How a cause comes about, in cycle 10 or by a packet whose header is consumed in 10; and what
/// ERROR_NODE and ERROR_INFO say.
struct Case {
  std::function<void(LoneNic&)> provoke;
  std::uint32_t node = 0, info = 0;
};

SendOrder send_order() { return {kEast, 0x800, 8, 0x77, 0x55}; }
ReceiveOrder receive_order() { return {kWest, 0x100, 8, 0x77, 0x55}; }
constexpr std::uint32_t kToEast = 0x000102, kFromWest = 0x000100, kTagAndId = 0x00770055;

std::function<void(LoneNic&)> by_send(const std::function<void(SendOrder&)>& change) {
  SendOrder order = send_order();
  change(order);
  return [order](LoneNic& bench) { send_at(bench, 10, order); };
}
std::function<void(LoneNic&)> by_receive(const std::function<void(ReceiveOrder&)>& change) {
  ReceiveOrder order = receive_order();
  change(order);
  return [order](LoneNic& bench) { receive_at(bench, 10, order); };
}

const std::map<std::string, Case> kCases = {
    {"SEND_OVERFLOW",
     {[](LoneNic& bench) {
        for (int i = 0; i < 64; ++i) send_at(bench, 5, {kEast, 0x800, 100, 0x76, 1});
        send_at(bench, 10, send_order());
      },
      kToEast, kTagAndId}},
    {"RECV_OVERFLOW",
     {[](LoneNic& bench) {
        for (int i = 0; i < 64; ++i) receive_at(bench, 5, {kWest, 0x100, 0, 0x76, 1});
        receive_at(bench, 10, receive_order());
      },
      kFromWest, kTagAndId}},
    {"BAD_ADDRESS",
     {by_send([](auto& order) {
        order.to = {4, 1, 0};
      }),
      0x000104, kTagAndId}},
    {"BAD_RANGE", {by_send([](auto& order) { order.offset = (1 << 20) - 7; }), kToEast, kTagAndId}},
    {"TOO_LONG",
     {[](LoneNic& bench) {
        receive_at(bench, 0, receive_order());
        data(bench, 8, kWest, 0x77, 9, 0, 1);
      },
      kFromWest, kTagAndId}},
    {"BAD_PORT", {by_send([](auto& order) { order.port = 4; }), kToEast, kTagAndId}},
    {"BAD_PACKET",
     {[](LoneNic& bench) { control(bench, 8, kWest, kFree, 0x77); }, kFromWest, 0x00770000}},
    {"OVERLAP",
     {[](LoneNic& bench) {
        receive_at(bench, 5, {kEast, 0x107, 8, 1, 1});
        receive_at(bench, 10, receive_order());
      },
      kFromWest, kTagAndId}},
    {"BAD_COMBINE", {by_receive([](auto& order) { order.combine = 0x18; }), kFromWest, kTagAndId}},
    {"BAD_COUNTER", {by_receive([](auto& order) { order.notify = 32; }), kFromWest, kTagAndId}},
    {"BAD_CALL",
     {[](LoneNic& bench) {
        bench.nic.call({});
        bench.script->at(10, [](Registers& r) { r.write(reg::kCallDone, 0x00550000); });
      },
      0, 0x00000055}},
    {"LIST_OVERFLOW",
     {[](LoneNic& bench) {
        for (std::uint16_t handle = 0; handle < 5; ++handle) {
          List list;
          list.receive({kWest, 0x4000 + 0x100u * handle, 8, 0x70, 1}, {on_send(0)})
              .join({on_receive(0)});
          list.store(bench.nic.memory(), list_offset(handle));
          bench.script->at(handle == 4 ? 10 : 5, [=](Registers& r) {
            set_list(r, handle, list_offset(handle), list.counts());
            r.write(reg::kListGo, handle);
          });
        }
      },
      0, 0x00000004}},
    {"BAD_LIST",
     {[](LoneNic& bench) {
        bench.script->at(10, [](Registers& r) { r.write(reg::kListGo, 0x55); });
      },
      0, 0x00000055}},
};

std::vector<ErrorCause> causes() {
  std::vector<ErrorCause> all;
  for (std::uint32_t code = 1; name_of(static_cast<ErrorCause>(code)) != nullptr; ++code) {
    all.push_back(static_cast<ErrorCause>(code));
  }
  return all;
}

TEST(Errors, HaveACaseEach) {
  EXPECT_EQ(causes().size(), static_cast<std::size_t>(ErrorCause::kBadList));
  EXPECT_EQ(kCases.size(), causes().size());
}

class EachCause : public ::testing::TestWithParam<ErrorCause> {};
INSTANTIATE_TEST_SUITE_P(Error, EachCause, ::testing::ValuesIn(causes()),
                         [](const auto& tested) { return name_of(tested.param); });

TEST_P(EachCause, IsToldAndShownAndTheNodeGoesOn) {
  const auto found = kCases.find(name_of(GetParam()));
  ASSERT_TRUE(found != kCases.end()) << "no case for " << name_of(GetParam());
  const Case& c = found->second;
  LoneNic bench(small_config(), 5);
  c.provoke(bench);
  std::vector<std::uint32_t> events, shown;
  std::uint32_t space = 0;
  for (const Cycle at : {10, 11}) {
    bench.script->at(at, [&](Registers& r) { events.push_back(r.read(reg::kEvent) & 4); });
  }
  bench.script->at(11, [&](Registers& r) {
    shown = {r.read(reg::kError), r.read(reg::kErrorNode), r.read(reg::kErrorInfo)};
    space = r.read(reg::kSendSpace) + r.read(reg::kRecvSpace);
    r.write(reg::kError, 0);
    EXPECT_EQ(r.read(reg::kError) | r.read(reg::kErrorNode) | r.read(reg::kErrorInfo), 0U);
  });
  send_at(bench, 20, {kSelf, 0xa00, 8, 0x70, 1});
  receive_at(bench, 20, {kSelf, 0xb00, 8, 0x70, 1});
  bench.run_until(100);
  ASSERT_GE(bench.failures.size(), 1U);
  EXPECT_EQ(bench.failures[0].cause, GetParam());
  EXPECT_EQ(bench.failures[0].cycle, 10U);
  EXPECT_NE(bench.failures[0].text, "");
  const bool by_core = events[0] != 0;  // what the core writes it reads in the same cycle
  EXPECT_EQ(by_core, GetParam() != ErrorCause::kTooLong && GetParam() != ErrorCause::kBadPacket);
  EXPECT_EQ(events[1], 4U);
  EXPECT_EQ(shown,
            (std::vector<std::uint32_t>{static_cast<std::uint32_t>(GetParam()), c.node, c.info}));
  switch (GetParam()) {
    case ErrorCause::kSendOverflow:
    case ErrorCause::kRecvOverflow:
      EXPECT_EQ(space, 64U);
      return;  // no place is left for more
    case ErrorCause::kTooLong:
    case ErrorCause::kOverlap:
      EXPECT_EQ(space, 127U);
      break;
    case ErrorCause::kListOverflow:
      EXPECT_EQ(space, 127U) << "a join is being fetched";
      break;
    default:
      EXPECT_EQ(space, 128U) << "a refused descriptor takes no place";
  }
  EXPECT_EQ(bench.failures.size(), 1U);
  EXPECT_EQ(bench.log.back(), "23 received 112");
}

// ---- What a go register finds, and in which order -----------------------------------------------

/// A descriptor of node 5 of a 4x4 mesh with 4 ports and 1 MiB.
struct SendCase {
  const char* name;
  ErrorCause cause;
  std::uint32_t address = 0, offset = 0, bytes = 0, port = 0xff, block = 0, stride = 0,
                trigger = 0xff, notify = 0xff;
  friend std::ostream& operator<<(std::ostream& out, const SendCase& c) { return out << c.name; }
};
class SendGo : public ::testing::TestWithParam<SendCase> {};
constexpr std::uint32_t kMemory = 1 << 20;
constexpr ErrorCause kNone = ErrorCause::kNone, kAddress = ErrorCause::kBadAddress,
                     kRange = ErrorCause::kBadRange, kPort = ErrorCause::kBadPort,
                     kCounter = ErrorCause::kBadCounter, kBadCombine = ErrorCause::kBadCombine,
                     kOverlap = ErrorCause::kOverlap;

// A receive owns the bytes 0x2000 to 0x2007.
INSTANTIATE_TEST_SUITE_P(
    Of, SendGo,
    ::testing::Values(
        SendCase{"AllFits", kNone, 0x000303, kMemory - 8, 8, 3},
        SendCase{"NothingAtTheEnd", kNone, 0x000203, kMemory, 0},
        SendCase{"XOutside", kAddress, 0x000004}, SendCase{"YOutside", kAddress, 0x000400},
        SendCase{"ZOutside", kAddress, 0x010000},
        SendCase{"BitsAboveTheAddress", kAddress, 0x1000000},
        SendCase{"OneByteTooFar", kRange, 0, kMemory - 7, 8},
        SendCase{"OffsetFarOutside", kRange, 0, 0xffffffff, 2},
        SendCase{"LongerThanAMessage", kRange, 0, 0, (1 << 24) + 1},
        SendCase{"NoSuchPort", kPort, 0, 0, 0, 4}, SendCase{"Port254", kPort, 0, 0, 0, 0xfe},
        SendCase{"Port9Bits", kPort, 0, 0, 0, 0x1ff},
        SendCase{"BlockOdd", kRange, 0, 0, 8, 0xff, 12, 16},
        SendCase{"BlockAboveStride", kRange, 0, 0, 8, 0xff, 16, 8},
        SendCase{"BlocksTouch", kNone, 0, 0, 64, 0xff, 8, 8},
        SendCase{"LastBlockFits", kNone, 0, 0x3000, 9, 0xff, 8, kMemory - 0x3001},
        SendCase{"LastBlockTooFar", kRange, 0, 0x3000, 9, 0xff, 8, kMemory - 0x3000},
        SendCase{"StrideOverflows", kRange, 0, 0, 24, 0xff, 8, 0x80000000},
        SendCase{"Trigger32", kCounter, 0, 0, 0, 0xff, 0, 0, 32},
        SendCase{"Trigger31", kNone, 0, 0, 0, 0xff, 0, 0, 31},
        SendCase{"Notify32", kCounter, 0, 0, 0, 0xff, 0, 0, 0xff, 32},
        SendCase{"NotifyQuiet32", kCounter, 0, 0, 0, 0xff, 0, 0, 0xff, 0x120},
        SendCase{"NotifyQuiet", kNone, 0, 0, 0, 0xff, 0, 0, 0xff, 0x1ff},
        SendCase{"OverlapFirst", kOverlap, 0, 0x1fff, 2},
        SendCase{"OverlapLast", kOverlap, 0, 0x2007, 2}, SendCase{"Before", kNone, 0, 0x1ff8, 8},
        SendCase{"Behind", kNone, 0, 0x2008, 8},
        SendCase{"OverlapGap", kOverlap, 0, 0x1000, 16, 0xff, 8, 0x2000},
        SendCase{"OverlapHeld", kNone, 0, 0x2000, 8, 0xff, 0, 0, 3},
        // Wrong in one respect less each.
        SendCase{"Order1", kAddress, 4, 0x2000, 8, 9, 9, 9, 99, 99},
        SendCase{"Order2", kPort, 0, 0x2000, 8, 9, 9, 9, 99, 99},
        SendCase{"Order3", kCounter, 0, 0x2000, 8, 1, 9, 9, 99, 99},
        SendCase{"Order4", kRange, 0, 0x2000, 8, 1, 9, 9},
        SendCase{"CounterBeforeRange", kCounter, 0, kMemory, 8, 1, 0, 0, 99},
        SendCase{"Order5", kOverlap, 0, 0x2000, 8, 1}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(SendGo, FindsWhatTheDocumentSays) {
  const SendCase& c = GetParam();
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, {kEast, 0x2000, 8, 1, 1});
  bench.script->at(5, [&](Registers& r) {
    r.write(reg::kSendDestination, c.address);
    r.write(reg::kSendOffset, c.offset);
    r.write(reg::kSendBytes, c.bytes);
    r.write(reg::kSendPort, c.port);
    r.write(reg::kSendBlock, c.block);
    r.write(reg::kSendStride, c.stride);
    r.write(reg::kSendTrigger, c.trigger);
    r.write(reg::kSendThreshold, 1);
    r.write(reg::kSendNotify, c.notify);
    r.write(reg::kSendGo, 1);
    EXPECT_EQ(r.read(reg::kError), static_cast<std::uint32_t>(c.cause));
    EXPECT_EQ(r.read(reg::kSendSpace), c.cause == kNone ? 63U : 64U);
  });
  bench.run_until(10);
}

struct ReceiveCase {
  const char* name;
  ErrorCause cause;
  std::uint32_t address = 0, offset = 0, bytes = 0, combine = 0, stage = 0x8000, notify = 0xff;
  std::uint32_t operand = 0;
  friend std::ostream& operator<<(std::ostream& out, const ReceiveCase& c) { return out << c.name; }
};
class ReceiveGo : public ::testing::TestWithParam<ReceiveCase> {};

// A plain receive owns the bytes 0x2000 to 0x2007, a send 0x3000 to 0x3007, a held one those from
// 0x4000 on, a combining receive (SUM of INT32) has its accumulator at 0x5000 and stages at 0x6000.
INSTANTIATE_TEST_SUITE_P(
    Of, ReceiveGo,
    ::testing::Values(
        ReceiveCase{"AllFits", kNone, 0x000303, kMemory - 8, 8},
        ReceiveCase{"XOutside", kAddress, 0x000004},
        ReceiveCase{"BitsAboveTheAddress", kAddress, 0x1000000},
        ReceiveCase{"OneByteTooFar", kRange, 0, kMemory - 7, 8},
        ReceiveCase{"StageTooFar", kRange, 0, 0, 8, 0x11, kMemory - 4},
        ReceiveCase{"StageNotUsed", kNone, 0, 0, 8, 0, 0xffffffff},
        ReceiveCase{"LongerThanAMessage", kRange, 0, 0, (1 << 24) + 8},
        ReceiveCase{"UnknownOperator", kBadCombine, 0, 0, 8, 0x18},
        ReceiveCase{"UnknownType", kBadCombine, 0, 0, 8, 0x51},
        ReceiveCase{"SumOfBytes", kBadCombine, 0, 0, 8, 0x01},
        ReceiveCase{"RoomOf6", kBadCombine, 0, 0, 6, 0x11},
        ReceiveCase{"RoomOf12Int64", kBadCombine, 0, 0, 12, 0x31},
        ReceiveCase{"RoomOf12Int32", kNone, 0, 0, 12, 0x11},
        ReceiveCase{"MessageLeft", kNone, 0, 0, 12, 0x111},
        ReceiveCase{"Notify32", kCounter, 0, 0, 0, 0, 0, 32},
        ReceiveCase{"OverlapReceive", kOverlap, 0, 0x2007, 8},
        ReceiveCase{"OverlapSend", kOverlap, 0, 0x2ff9, 8},
        ReceiveCase{"OverlapHeld", kNone, 0, 0x4000, 8},
        ReceiveCase{"SameAccumulator", kNone, 0, 0x5000, 64, 0x12},
        ReceiveCase{"SameAccumulatorOtherType", kOverlap, 0, 0x5000, 64, 0x42},
        ReceiveCase{"SameAccumulatorShifted", kOverlap, 0, 0x5004, 60, 0x12},
        ReceiveCase{"PlainOnAccumulator", kOverlap, 0, 0x5000, 64},
        ReceiveCase{"StageOnStage", kOverlap, 0, 0x9000, 64, 0x11, 0x603f},
        ReceiveCase{"StageOnReceive", kOverlap, 0, 0x9000, 64, 0x11, 0x2000},
        ReceiveCase{"StageOnOwnAccumulator", kOverlap, 0, 0x9000, 64, 0x11, 0x903c},
        ReceiveCase{"OperandTooFar", kRange, 0, 0, 8, 0x211, 0x8000, 0xff, kMemory},
        ReceiveCase{"OperandNotUsed", kNone, 0, 0, 8, 0x11, 0x8000, 0xff, kMemory},
        ReceiveCase{"OperandIsSent", kNone, 0, 0x9000, 8, 0x211, 0x8000, 0xff, 0x3000},
        ReceiveCase{"OperandIsReceived", kOverlap, 0, 0x9000, 8, 0x211, 0x8000, 0xff, 0x2000},
        ReceiveCase{"OperandIsAnAccumulator", kNone, 0, 0x9000, 64, 0x212, 0x8000, 0xff, 0x5000},
        ReceiveCase{"OperandOnStage", kOverlap, 0, 0x9000, 64, 0x211, 0x8000, 0xff, 0x6000},
        ReceiveCase{"OperandOnOwnStage", kOverlap, 0, 0x9000, 64, 0x211, 0x8000, 0xff, 0x803c},
        ReceiveCase{"OperandOnOwnTarget", kOverlap, 0, 0x9000, 64, 0x211, 0x8000, 0xff, 0x9000},
        ReceiveCase{"StageIsOwnTarget", kNone, 0, 0x9000, 64, 0x211, 0x9000, 0xff, 0},
        ReceiveCase{"StageOnPartOfOwnTarget", kOverlap, 0, 0x9000, 64, 0x211, 0x9008, 0xff, 0},
        ReceiveCase{"StageIsOwnAccumulator", kOverlap, 0, 0x9000, 64, 0x11, 0x9000},
        ReceiveCase{"Order1", kAddress, 4, kMemory, 6, 0x51, 0, 99},
        ReceiveCase{"Order2", kBadCombine, 0, kMemory, 6, 0x51, 0, 99},
        ReceiveCase{"Order3", kCounter, 0, kMemory, 8, 0x11, 0, 99},
        ReceiveCase{"Order4", kRange, 0, 0x2000, 8, 0x11, kMemory},
        ReceiveCase{"Order5", kOverlap, 0, 0x2000, 8, 0x11}),
    [](const auto& tested) { return tested.param.name; });

TEST_P(ReceiveGo, FindsWhatTheDocumentSays) {
  const ReceiveCase& c = GetParam();
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, {kEast, 0x2000, 8, 1, 1});
  receive_at(bench, 0, {kEast, 0x5000, 64, 1, 2, 0x11, 0x6000});
  send_at(bench, 0, {kEast, 0x3000, 8, 1, 1});
  SendOrder held{kEast, 0x4000, 100, 1, 1};
  held.trigger = held.threshold = 1;
  send_at(bench, 0, held);
  bench.script->at(1, [&](Registers& r) {
    r.write(reg::kRecvSource, c.address);
    r.write(reg::kRecvOffset, c.offset);
    r.write(reg::kRecvBytes, c.bytes);
    r.write(reg::kRecvCombine, c.combine);
    r.write(reg::kRecvStage, c.stage);
    r.write(reg::kRecvOperand, c.operand);
    r.write(reg::kRecvNotify, c.notify);
    r.write(reg::kRecvGo, 1);
    EXPECT_EQ(r.read(reg::kError), static_cast<std::uint32_t>(c.cause));
    EXPECT_EQ(r.read(reg::kRecvSpace), c.cause == kNone ? 61U : 62U);
  });
  bench.run_until(10);
}

TEST(BadCombine, NamesOperatorAndType) {
  LoneNic bench(small_config(), 5);
  for (const std::uint32_t combine : {0x01U, 0x58U}) {
    bench.script->at(combine, [combine](Registers& r) {
      r.write(reg::kRecvBytes, 8);
      r.write(reg::kRecvCombine, combine);
      r.write(reg::kRecvGo, 1);
    });
  }
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 2U);
  EXPECT_EQ(bench.failures[0].text, "operator sum, type bytes, room 8");
  EXPECT_EQ(bench.failures[1].text, "unknown operator 8, unknown type 5, room 8");
}

TEST(Overlap, EndsWithTheCompletion) {
  LoneNic bench(small_config(), 5);
  receive_at(bench, 0, {kEast, 0x2000, 64, 1, 1});
  data(bench, 20, kEast, 1, 64, 0);                 // complete in 30, its completion not taken
  send_at(bench, 30, {kWest, 0x2000, 64, 1, 1});    // refused
  send_at(bench, 31, {kWest, 0x2000, 64, 1, 2});    // injected in 32..41
  receive_at(bench, 41, {kEast, 0x2000, 8, 1, 3});  // refused
  receive_at(bench, 42, {kEast, 0x2000, 8, 1, 4});
  bench.run_until(100);
  ASSERT_EQ(bench.failures.size(), 2U);
  EXPECT_EQ(bench.failures[0].cycle, 30U);
  EXPECT_NE(bench.failures[0].text.find("receive 1"), std::string::npos);
  EXPECT_EQ(bench.failures[1].cycle, 41U);
  EXPECT_NE(bench.failures[1].text.find("send 2"), std::string::npos);
}

}  // namespace
}  // namespace annelid::test
