// Every register: reset value, access, side effects (docs/internals/nic/registers.md). A register
// without a check of its own fails here.
#include "nic/register_file.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "testbench/nic/lone_nic.hpp"

namespace annelid::test {
namespace {

/// The registers of node 18 = (2,1,1) of a network of 4x3x2 with rings in x and z, without the
/// engines.
struct Registers18 : nic::NicObserver {
  static nic::NicConfig config() {
    nic::NicConfig config = small_config(4, 3);
    config.network.size[2] = 2;
    config.network.router.dims = 3;
    config.network.router.torus = {true, false, true};
    config.network.router.local_ports = 5;
    config.eager_bytes = 128;
    return config;
  }
  explicit Registers18(const nic::NicConfig& used = config())
      : self(used, 18),
        memory(used.memory_bytes),
        errors(18),
        completions(used.gamma),
        combine_unit(memory, static_cast<unsigned>(self.ports())),
        match(self.config, 18, sends, receives, combine_unit, errors) {
    observers.nic = this;
    errors.set_observer(this);
  }
  void call_finished(Cycle, NodeId, std::uint16_t ticket, std::uint32_t result) override {
    finished.emplace_back(ticket, result);
  }

  std::uint32_t get(std::uint32_t offset, Cycle now = 0) { return file.read(offset, now).value(); }
  void set(std::uint32_t offset, std::uint32_t value, Cycle now = 0) {
    EXPECT_TRUE(file.write(offset, value, now)) << offset;
  }
  /// The send and the receive that the registers describe.
  const nic::SendPlace& send(std::uint16_t id = 1) {
    set(reg::kSendGo, id);
    EXPECT_EQ(get(reg::kError), 0U);
    return sends[static_cast<Place>(63 - get(reg::kSendSpace))];
  }
  const nic::ReceivePlace& receive(std::uint16_t id = 1) {
    set(reg::kRecvGo, id);
    EXPECT_EQ(get(reg::kError), 0U);
    return receives[static_cast<Place>(63 - get(reg::kRecvSpace))];
  }
  /// A list of one join without dependencies, at the offset 0x100, gets a handle.
  void set_join(std::uint16_t handle) {
    for (std::uint32_t at = 0; at < 28; at += 4) memory.store(0x100 + at, 0, 4);
    memory.store(0x10c, 0x80000000, 4);
    memory.store(0x110, 0xffff0000, 4);
    memory.store(0x11c, 0xffffffff, 4);
    set(reg::kListOffset, 0x100);
    set(reg::kListCounts, 1);
    set(reg::kListSet, handle);
  }
  /// Completes a send or receive, and the cycle.
  void complete(bool receive, Place place, std::uint32_t bytes = 0, bool failed = false) {
    if (receive) {
      completions.received(place, 0, bytes, failed, 0);
    } else {
      completions.sent(place, 0, failed);
    }
    flow.commit(0);
  }

  nic::NodeIdentity self;
  nic::Observers observers;
  nic::NodeMemory memory;
  nic::PlaceTable<nic::SendPlace> sends;
  nic::PlaceTable<nic::ReceivePlace> receives;
  nic::Errors errors;
  nic::CallQueue calls;
  nic::Completions completions;
  nic::CombineUnit combine_unit;
  nic::Match match;
  nic::ListPlaces list_places;
  nic::MessageFlow flow{{self, memory, sends, receives, errors, completions, combine_unit, match,
                         list_places, observers}};
  nic::Issuer issuer{{self, memory, sends, receives, combine_unit, flow}};
  nic::ListUnit lists{
      {self, memory, errors, calls, completions, list_places, issuer, sends, flow, observers}};
  nic::RegisterFile file{
      {self, sends, receives, errors, calls, completions, issuer, lists, flow, observers}};
  std::vector<std::pair<std::uint16_t, std::uint32_t>> finished;
};

// ---- All registers alike ------------------------------------------------------------------------

const std::map<std::string, std::uint32_t> kOfThisNode = {{"NODE", 0x010102},
                                                          {"SIZE_X", 4},
                                                          {"SIZE_Y", 3},
                                                          {"SIZE_Z", 2},
                                                          {"PORTS", 5},
                                                          {"TOPOLOGY", 0x35},
                                                          {"MEMORY_BYTES", 1 << 20},
                                                          {"EAGER_BYTES", 128}};

TEST(RegisterFile, EveryRegisterReadsItsResetValue) {
  Registers18 r;
  for (const reg::Register& entry : reg::kRegisters) {
    for (std::uint32_t word = 0; word < entry.words; ++word) {
      const auto value = r.file.read(entry.offset + 4 * word, 0);
      EXPECT_EQ(value.has_value(), entry.readable) << entry.name;
      if (!value) continue;
      const auto own = kOfThisNode.find(entry.name);
      EXPECT_EQ(*value, own == kOfThisNode.end() ? entry.reset : own->second) << entry.name;
    }
  }
}

TEST(RegisterFile, OnlyWritableRegistersTakeAValueAndKeepTheirBits) {
  for (const reg::Register& entry : reg::kRegisters) {
    Registers18 r;  // as the go registers have effects
    for (std::uint32_t word = 0; word < entry.words; ++word) {
      const std::uint32_t offset = entry.offset + 4 * word;
      EXPECT_EQ(r.file.write(offset, 0xffffffff, 0), entry.writable) << entry.name;
      if (!entry.writable || !entry.readable || entry.offset == reg::kError) continue;
      EXPECT_EQ(r.get(offset), 0xffffffff >> (32 - entry.bits)) << entry.name;
    }
  }
}

TEST(RegisterFile, APeekIsTheValueOfAReadAndChangesNothing) {
  Registers18 r;
  constexpr Cycle kLate = Cycle{7} << 32 | 3;
  (void)r.receive(9);
  r.complete(true, 0, 16);
  r.calls.call({}, 0);
  for (const std::uint32_t offset : {reg::kCycle, reg::kCompletion, reg::kCallTicket}) {
    const auto first = r.file.peek(offset, kLate);
    EXPECT_EQ(r.file.peek(offset, kLate), first) << offset;
    EXPECT_EQ(r.get(reg::kCycleHigh), 0U) << "not latched";
    EXPECT_EQ(r.get(reg::kCompletionBytes), 0U) << "not taken";
  }
  const auto completion = r.file.peek(reg::kCompletion, kLate);
  EXPECT_EQ(r.get(reg::kCompletion, kLate), completion);
  EXPECT_EQ(r.file.peek(reg::kCompletion, kLate), 0U) << "taken";
  EXPECT_EQ(r.file.peek(reg::kCallTicket, kLate), 0x80000000U);
  EXPECT_EQ(r.get(reg::kCallTicket, kLate), 0x80000000U);
  EXPECT_EQ(r.file.peek(reg::kCallTicket, kLate), 0U) << "taken";
  EXPECT_EQ(r.file.peek(reg::kSendGo, kLate), std::nullopt);
  EXPECT_EQ(r.file.peek(0x02C, kLate), std::nullopt);
}

TEST(RegisterFile, OffsetsWithoutARegisterFault) {
  Registers18 r;
  std::uint32_t words = 0, faults = 0;
  for (const reg::Register& entry : reg::kRegisters) words += entry.words;
  for (std::uint32_t offset = 0; offset < reg::kRegisterBytes; ++offset) {
    bool taken = false;
    for (const reg::Register& entry : reg::kRegisters) {
      taken |= offset % 4 == 0 && offset >= entry.offset && offset < entry.offset + 4 * entry.words;
    }
    if (taken) continue;
    ++faults;
    EXPECT_FALSE(r.file.read(offset, 0).has_value()) << offset;
    EXPECT_FALSE(r.file.write(offset, 0, 0)) << offset;
  }
  EXPECT_EQ(faults, 0x1000 - words);
}

// ---- Each register ------------------------------------------------------------------------------

constexpr std::uint32_t kExternal = 1u << 11, kTimer = 1u << 7;

/// Checks NOTIFY: the counter of its bits 7:0, and quiet with bit 8.
void check_notify(std::uint32_t offset, bool receive) {
  for (const std::uint32_t notify : {0xffU, 0x1ffU, 31U, 31U | 0x100U}) {
    Registers18 r;
    r.set(offset, notify);
    receive ? (void)r.receive(7) : (void)r.send(7);
    r.complete(receive, 0, 5);
    EXPECT_EQ(r.get(reg::kCounter + 4 * 31), (notify & 0xff) == 31 ? 1U : 0U);
    const bool quiet = notify > 0xff;
    EXPECT_EQ(r.get(receive ? reg::kRecvSpace : reg::kSendSpace), quiet ? 64U : 63U);
    EXPECT_EQ(r.get(reg::kCompletion), quiet ? 0U : (receive ? 0xc0000007U : 0x80000007U));
  }
}

/// What reads a constant is checked by kOfThisNode.
void is_constant(Registers18&) {}

// The fields of descriptors are checked where they end: in the place that the go register fills.
const std::map<std::string, std::function<void(Registers18&)>> kChecks = {
    {"ID", [](auto& r) { EXPECT_EQ(r.get(reg::kId), 0x414e4e05U); }},
    {"NODE", is_constant},
    {"SIZE_X", is_constant},
    {"SIZE_Y", is_constant},
    {"SIZE_Z", is_constant},
    {"PORTS", is_constant},
    {"TOPOLOGY",
     [](auto&) {
       nic::NicConfig config = Registers18::config();
       config.network.router.torus = {false, true, false};
       config.network.router.kind = systemc::RouterKind::kOnePort;
       config.network.router.local_ports = 1;
       EXPECT_EQ(Registers18(config).get(reg::kTopology), 0x132U);
     }},
    {"MEMORY_BYTES",
     [](auto&) {
       nic::NicConfig config = Registers18::config();
       config.memory_bytes = std::uint64_t{1} << 31;
       EXPECT_EQ(Registers18(config).get(reg::kMemoryBytes), 0x80000000U);
     }},
    {"CYCLE", [](auto& r) { EXPECT_EQ(r.get(reg::kCycle, 0x500000007), 7U); }},
    {"CYCLE_HIGH",
     [](auto& r) {
       r.get(reg::kCycle, 0x5ffffffff);
       EXPECT_EQ(r.get(reg::kCycleHigh, 0x600000000), 5U) << "latched by the read of CYCLE";
     }},
    {"EAGER_BYTES", is_constant},
    {"EVENT",
     [](auto& r) {
       r.send();
       EXPECT_EQ(r.get(reg::kEvent), 0U);
       r.complete(false, 0);
       EXPECT_EQ(r.get(reg::kEvent), 2U);
       r.set(reg::kCallDone, 0);
       EXPECT_EQ(r.get(reg::kEvent), 6U);
       r.calls.call({}, 10);
       EXPECT_EQ(r.get(reg::kEvent, 9), 6U);
       EXPECT_EQ(r.get(reg::kEvent, 10), 7U);
       r.get(reg::kCompletion);
       r.set(reg::kError, 1);
       EXPECT_EQ(r.get(reg::kEvent, 10), 1U);
       r.get(reg::kCallTicket, 10);
       EXPECT_EQ(r.get(reg::kEvent, 10), 0U);
     }},
    {"EVENT_ENABLE",
     [](auto& r) {
       EXPECT_EQ(r.file.pending(5), 0U);
       r.calls.call({}, 5);
       EXPECT_EQ(r.file.pending(4), 0U);
       EXPECT_EQ(r.file.pending(5), kExternal);
       r.set(reg::kEventEnable, 6);
       EXPECT_EQ(r.file.pending(5), 0U);
       r.set(reg::kCallDone, 0);  // an error
       EXPECT_EQ(r.file.pending(5), kExternal);
       r.set(reg::kEventEnable, 3);
       EXPECT_EQ(r.file.pending(5), kExternal);
       r.set(reg::kEventEnable, 2);
       EXPECT_EQ(r.file.pending(5), 0U);
     }},
    {"TIMER",
     [](auto& r) {
       EXPECT_EQ(r.file.timer(), kNever);
       EXPECT_EQ(r.file.pending(kNever - 1), 0U);
       r.set(reg::kTimerHigh, 0);
       r.set(reg::kTimer, 100);
       EXPECT_EQ(r.file.timer(), 101U) << "the timer's cycle is seen in the next";
       EXPECT_EQ(r.file.pending(100), 0U);
       EXPECT_EQ(r.file.pending(101), kTimer);
       EXPECT_EQ(r.file.pending(0x100000000), kTimer);
     }},
    {"TIMER_HIGH",
     [](auto& r) {
       r.set(reg::kTimerHigh, 3);
       r.set(reg::kTimer, 0);
       EXPECT_EQ(r.file.pending(0x300000000), 0U);
       EXPECT_EQ(r.file.pending(0x300000001), kTimer);
       r.set(reg::kTimerHigh, 0xffffffff);
       EXPECT_EQ(r.file.pending(0xffffffff00000001), kTimer) << "unsigned";
     }},
    {"ERROR",
     [](auto& r) {
       r.errors.fail(1, reg::ErrorCause::kBadPort, {{3, 2, 1}, 0x1234, 0x5678}, "");
       r.errors.fail(2, reg::ErrorCause::kOverlap, {{1, 1, 1}, 7, 7}, "");
       EXPECT_EQ(r.get(reg::kError), 6U) << "the first one stays";
       EXPECT_EQ(r.get(reg::kErrorNode), 0x010203U);
       r.set(reg::kError, 99);
       EXPECT_EQ(r.get(reg::kError), 0U) << "any write clears it";
       r.errors.fail(3, reg::ErrorCause::kOverlap, {}, "");
       EXPECT_EQ(r.get(reg::kError), 8U);
     }},
    {"ERROR_NODE",
     [](auto& r) {
       r.errors.fail(1, reg::ErrorCause::kBadPort, {{3, 2, 1}, 0, 0}, "");
       EXPECT_EQ(r.get(reg::kErrorNode), 0x010203U);
       r.set(reg::kError, 0);
       EXPECT_EQ(r.get(reg::kErrorNode), 0U);
     }},
    {"ERROR_INFO",
     [](auto& r) {
       r.errors.fail(1, reg::ErrorCause::kBadPort, {{}, 0x1234, 0x5678}, "");
       EXPECT_EQ(r.get(reg::kErrorInfo), 0x12345678U);
       r.set(reg::kError, 0);
       EXPECT_EQ(r.get(reg::kErrorInfo), 0U);
     }},
    {"LIST_PLAYS",
     [](auto& r) {
       r.set_join(0x7e5);
       EXPECT_EQ(r.get(reg::kListPlays), 0U);
       r.set(reg::kListGo, 0x7e5);
       EXPECT_EQ(r.get(reg::kListPlays), 0x20U) << "its place is 5";
     }},
    {"LIST_OFFSET",
     [](auto& r) {
       r.set_join(7);
       EXPECT_EQ(r.list_places.place_of(7).offset, 0x100U);
       r.set(reg::kListOffset, 0x104);
       r.set(reg::kListSet, 8);
       EXPECT_EQ(r.get(reg::kError), 13U);
       EXPECT_EQ(r.list_places.place_of(7).offset, 0x100U) << "a snapshot";
     }},
    {"LIST_COUNTS",
     [](auto& r) {
       r.set(reg::kListCounts, 0x00020003);
       r.set(reg::kListSet, 7);
       EXPECT_EQ(r.list_places.place_of(7).count, (std::array<std::uint32_t, 2>{2, 3}));
     }},
    {"LIST_SET",
     [](auto& r) {
       r.set_join(0x7e5);
       r.set(reg::kListGo, 0x5);
       EXPECT_EQ(r.get(reg::kError), 13U) << "another handle of its place";
       EXPECT_EQ(r.get(reg::kErrorInfo), 5U);
     }},
    {"LIST_GO",
     [](auto& r) {
       r.set_join(0x7e5);
       r.set(reg::kListGo, 0x7e5);
       EXPECT_EQ(r.get(reg::kError), 0U);
       r.set(reg::kListGo, 0x7e5);
       EXPECT_EQ(r.get(reg::kError), 13U) << "it plays";
     }},
    {"LIST_SPACE",
     [](auto& r) {
       for (std::uint16_t handle = 0; handle < 4; ++handle) {
         EXPECT_EQ(r.get(reg::kListSpace), 4U - handle);
         r.set_join(handle);
         r.set(reg::kListGo, handle);
       }
       EXPECT_EQ(r.get(reg::kListSpace), 0U);
     }},
    {"SEND_DESTINATION",
     [](auto& r) {
       r.set(reg::kSendDestination, 0x010203);
       EXPECT_EQ(r.send().destination, 23U);
     }},
    {"SEND_OFFSET",
     [](auto& r) {
       r.set(reg::kSendOffset, 0xffff8);
       r.set(reg::kSendBytes, 8);
       EXPECT_EQ(r.send().offset, 0xffff8U);
     }},
    {"SEND_BYTES",
     [](auto& r) {
       r.set(reg::kSendBytes, 1 << 20);
       EXPECT_EQ(r.send().bytes, 1U << 20);
     }},
    {"SEND_TAG",
     [](auto& r) {
       r.set(reg::kSendTag, 0x5abcd);
       EXPECT_EQ(r.send().tag, 0xabcdU);
       EXPECT_FALSE(r.send().open);
       r.set(reg::kSendTag, 0x2abcd);
       EXPECT_EQ(r.send().tag, 0xabcdU);
       EXPECT_TRUE(r.send().open);
     }},
    {"SEND_PORT",
     [](auto& r) {
       r.set(reg::kSendDestination, 0x010101);  // -x
       EXPECT_EQ(r.send().port, 1U);
       r.set(reg::kSendPort, 4);
       EXPECT_EQ(r.send().port, 4U);
     }},
    {"SEND_BLOCK",
     [](auto& r) {
       r.set(reg::kSendBytes, 24);
       r.set(reg::kSendBlock, 16);
       r.set(reg::kSendStride, 100);
       EXPECT_EQ(r.send().source_of(16), 100U);
     }},
    {"SEND_STRIDE",
     [](auto& r) {
       r.set(reg::kSendBytes, 24);
       r.set(reg::kSendStride, 100);
       EXPECT_EQ(r.send().source_of(16), 16U) << "not used without a block";
       r.set(reg::kSendBlock, 8);
       EXPECT_EQ(r.send().source_of(17), 201U);
     }},
    {"SEND_STEP",
     [](auto& r) {
       r.set(reg::kSendStep, 0x80000001);
       EXPECT_EQ(r.send().step, 0x80000001U);
     }},
    {"SEND_TRIGGER",
     [](auto& r) {
       EXPECT_EQ(r.send().state, nic::SendPlace::State::kStarting);
       r.set(reg::kSendTrigger, 31);
       r.set(reg::kSendThreshold, 1);
       EXPECT_EQ(r.send().state, nic::SendPlace::State::kHeld);
       r.set(reg::kCounter + 4 * 31, 1);
       r.flow.fire(0);
       EXPECT_EQ(r.sends[1].state, nic::SendPlace::State::kStarting);
     }},
    {"SEND_THRESHOLD",
     [](auto& r) {
       r.set(reg::kSendTrigger, 2);
       r.set(reg::kSendThreshold, 0xfffffff0);
       r.send();
       r.set(reg::kCounter + 8, 0xffffffef);
       r.flow.fire(0);
       EXPECT_EQ(r.sends[0].state, nic::SendPlace::State::kHeld);
       r.set(reg::kCounter + 8, 0xfffffff0);
       r.flow.fire(0);
       EXPECT_EQ(r.sends[0].state, nic::SendPlace::State::kStarting);
     }},
    {"SEND_NOTIFY", [](auto&) { check_notify(reg::kSendNotify, false); }},
    {"SEND_GO",
     [](auto& r) {
       r.set(reg::kSendTag, 5);
       const nic::SendPlace& first = r.send(0xbeef);
       r.set(reg::kSendTag, 6);
       EXPECT_EQ(first.tag, 5U) << "a snapshot";
       EXPECT_EQ(first.id, 0xbeefU);
       EXPECT_EQ(r.send(2).tag, 6U);
     }},
    {"SEND_SPACE",
     [](auto& r) {
       for (std::uint32_t i = 0; i < 64; ++i) {
         EXPECT_EQ(r.get(reg::kSendSpace), 64 - i);
         r.send();
       }
       EXPECT_EQ(r.get(reg::kSendSpace), 0U);
       r.complete(false, 17);
       EXPECT_EQ(r.get(reg::kSendSpace), 0U) << "until the completion is taken";
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kSendSpace), 1U);
     }},
    {"RECV_SOURCE",
     [](auto& r) {
       r.set(reg::kRecvSource, 0x010203);
       EXPECT_EQ(r.receive().source, 23U);
       r.set(reg::kRecvSource, 0x01000000);
       r.set(reg::kRecvTag, 1u << 17);
       EXPECT_TRUE(r.receive().any_source);
       r.set(reg::kRecvTag, 0);
       r.set(reg::kRecvGo, 2);
       EXPECT_EQ(r.get(reg::kError), 3U) << "an ordinary receive names its source";
     }},
    {"RECV_OFFSET",
     [](auto& r) {
       r.set(reg::kRecvOffset, 0xffff8);
       r.set(reg::kRecvBytes, 8);
       EXPECT_EQ(r.receive().offset, 0xffff8U);
     }},
    {"RECV_BYTES",
     [](auto& r) {
       r.set(reg::kRecvBytes, 1 << 20);
       EXPECT_EQ(r.receive().room, 1U << 20);
     }},
    {"RECV_TAG",
     [](auto& r) {
       r.set(reg::kRecvTag, 0x5abcd);
       EXPECT_EQ(r.receive().tag, 0xabcdU);
       EXPECT_TRUE(r.receive().in_turn);
       EXPECT_FALSE(r.receive().open);
       EXPECT_FALSE(r.receive().any_tag) << "bit 18 of an ordinary receive is not used";
       r.set(reg::kRecvTag, 0x8abcd);
       EXPECT_EQ(r.receive().tag, 0xabcdU);
       EXPECT_FALSE(r.receive().in_turn);
       r.set(reg::kRecvTag, 0x3abcd);
       EXPECT_TRUE(r.receive().open);
       EXPECT_FALSE(r.receive().any_tag);
       EXPECT_FALSE(r.receive().in_turn) << "bit 16 of an open receive is not used";
       r.set(reg::kRecvTag, 0x6abcd);
       EXPECT_TRUE(r.receive().any_tag);
     }},
    {"RECV_COMBINE",
     [](auto& r) {
       EXPECT_FALSE(r.receive().combining());
       EXPECT_TRUE(r.combine_unit.empty());
       r.set(reg::kRecvCombine, 0x143);  // MAX, FLOAT32, the message is the left operand
       const nic::ReceivePlace& receive = r.receive();
       EXPECT_EQ(receive.operation, reg::Operator::kMax);
       EXPECT_EQ(receive.type, reg::Type::kFloat32);
       EXPECT_FALSE(r.combine_unit.empty());
     }},
    {"RECV_STAGE",
     [](auto& r) {
       r.set(reg::kRecvBytes, 8);
       r.set(reg::kRecvStage, 0x100);
       EXPECT_EQ(r.receive().target(), 0U) << "not used without an operator";
       r.set(reg::kRecvCombine, 0x11);
       r.set(reg::kRecvOffset, 0x200);
       EXPECT_EQ(r.receive().target(), 0x100U);
     }},
    {"RECV_OPERAND",
     [](auto& r) {
       r.set(reg::kRecvBytes, 8);
       r.set(reg::kRecvStage, 0x100);
       r.set(reg::kRecvOperand, 0x100);
       r.set(reg::kRecvCombine, 0x11);
       r.set(reg::kRecvOffset, 0x200);
       r.receive();  // not used without bit 9
       r.set(reg::kRecvOffset, 0x400);
       r.set(reg::kRecvStage, 0x300);
       r.set(reg::kRecvOperand, 0x300);
       r.set(reg::kRecvCombine, 0x211);
       r.set(reg::kRecvGo, 2);
       EXPECT_EQ(r.get(reg::kError), 8U) << "it is staged in its operand";
     }},
    {"RECV_NOTIFY", [](auto&) { check_notify(reg::kRecvNotify, true); }},
    {"RECV_GO",
     [](auto& r) {
       r.set(reg::kRecvTag, 5);
       const nic::ReceivePlace& first = r.receive(0xbeef);
       r.set(reg::kRecvTag, 6);
       EXPECT_EQ(first.tag, 5U) << "a snapshot";
       EXPECT_EQ(first.id, 0xbeefU);
       EXPECT_EQ(r.receive(2).tag, 6U);
     }},
    {"RECV_SPACE",
     [](auto& r) {
       r.receive();
       r.receive();
       r.send();
       EXPECT_EQ(r.get(reg::kRecvSpace), 62U);
       r.complete(true, 0);
       EXPECT_EQ(r.get(reg::kRecvSpace), 62U);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kRecvSpace), 63U);
       EXPECT_EQ(r.get(reg::kSendSpace), 63U);
     }},
    {"COMPLETION",
     [](auto& r) {
       EXPECT_EQ(r.get(reg::kCompletion), 0U);
       r.receive(0x1234);
       r.send(0x5678);
       r.complete(true, 0, 9);
       r.complete(false, 0, 0, true);
       EXPECT_EQ(r.get(reg::kCompletion), 0xc0001234U);
       EXPECT_EQ(r.get(reg::kCompletion), 0xa0005678U) << "failed";
       EXPECT_EQ(r.get(reg::kCompletion), 0U);
     }},
    {"COMPLETION_BYTES",
     [](auto& r) {
       r.set(reg::kSendBytes, 77);
       r.send();
       r.receive();
       r.complete(true, 0, 9);
       r.complete(false, 0);
       EXPECT_EQ(r.get(reg::kCompletionBytes), 0U);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kCompletionBytes), 9U);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kCompletionBytes), 77U);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kCompletionBytes), 77U) << "of the one that was taken last";
     }},
    {"COMPLETION_NODE",
     [](auto& r) {
       r.set(reg::kSendDestination, 0x010101);
       r.set(reg::kRecvSource, 0x010203);
       r.send();
       r.receive();
       r.complete(true, 0, 9);
       r.complete(false, 0);
       EXPECT_EQ(r.get(reg::kCompletionNode), 0U);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kCompletionNode), 0x010203U);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kCompletionNode), 0x010101U);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kCompletionNode), 0x010101U) << "of the one that was taken last";
     }},
    {"COMPLETION_TAG",
     [](auto& r) {
       r.set(reg::kSendTag, 0xbeef);
       r.set(reg::kRecvTag, 0x3cafe);
       r.send();
       r.receive();
       r.complete(true, 0, 9);
       r.complete(false, 0);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kCompletionTag), 0xcafeU);
       r.get(reg::kCompletion);
       EXPECT_EQ(r.get(reg::kCompletionTag), 0xbeefU);
     }},
    {"COUNTER",
     [](auto& r) {
       for (std::uint32_t i = 0; i < 32; ++i) r.set(reg::kCounter + 4 * i, 0xfffffff0 + i);
       for (std::uint32_t i = 0; i < 32; ++i) {
         EXPECT_EQ(r.get(reg::kCounter + 4 * i), 0xfffffff0 + i);
       }
     }},
    {"CALL",
     [](auto& r) {
       nic::Call call;
       for (std::uint32_t i = 0; i < 15; ++i) call.words[i] = 0x10 + i;
       r.calls.call(call, 0);
       EXPECT_EQ(r.get(reg::kCall), 0U) << "not before it is taken";
       r.get(reg::kCallTicket);
       for (std::uint32_t i = 0; i < 15; ++i) EXPECT_EQ(r.get(reg::kCall + 4 * i), 0x10 + i);
     }},
    {"CALL_TICKET",
     [](auto& r) {
       EXPECT_EQ(r.get(reg::kCallTicket), 0U);
       r.calls.call({}, 0);
       r.calls.call({}, 0);
       EXPECT_EQ(r.get(reg::kCallTicket), 0x80000000U);
       EXPECT_EQ(r.get(reg::kCallTicket), 0x80000001U);
       EXPECT_EQ(r.get(reg::kCallTicket), 0U);
     }},
    {"CALL_DONE",
     [](auto& r) {
       r.calls.call({}, 0);
       r.calls.call({}, 0);
       r.get(reg::kCallTicket);
       r.get(reg::kCallTicket);
       r.set(reg::kCallDone, 0x00010008);
       r.set(reg::kCallDone, 0);
       EXPECT_EQ(r.finished,
                 (std::vector<std::pair<std::uint16_t, std::uint32_t>>{{1, 8}, {0, 0}}));
       EXPECT_EQ(r.get(reg::kError), 0U);
       r.set(reg::kCallDone, 0x00010000);
       EXPECT_EQ(r.get(reg::kError), 11U) << "it is finished already";
       EXPECT_EQ(r.finished.size(), 2U);
     }},
    {"AWAIT",
     [](auto& r) {
       EXPECT_EQ(r.file.awaits(), "");
       r.set(reg::kAwait, 0x01010004);
       EXPECT_EQ(r.file.awaits(), "a receive from 0,0,0 (edn, step 4)");
       r.set(reg::kAwait, 0x02020001);
       EXPECT_EQ(r.file.awaits(), "a send to 0,0,0 (recursive-doubling, step 1)");
       r.set(reg::kAwait, 0x024d0001);
       EXPECT_EQ(r.file.awaits(), "a send to 0,0,0 (unknown algorithm 77, step 1)");
       r.set(reg::kAwait, 0x02000001);
       EXPECT_EQ(r.file.awaits(), "a send to 0,0,0 (no algorithm, step 1)");
     }},
    {"AWAIT_NODE",
     [](auto& r) {
       r.set(reg::kAwait, 0x01010004);
       r.set(reg::kAwaitNode, 0x000203);
       EXPECT_EQ(r.file.awaits(), "a receive from 3,2,0 (edn, step 4)");
       r.set(reg::kAwaitNode, 0x01000000);
       EXPECT_EQ(r.file.awaits(), "a receive from any node (edn, step 4)");
     }},
};

class EachRegister : public ::testing::TestWithParam<reg::Register> {};
INSTANTIATE_TEST_SUITE_P(RegisterFile, EachRegister, ::testing::ValuesIn(reg::kRegisters),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST_P(EachRegister, DoesWhatTheDocumentSays) {
  const auto check = kChecks.find(GetParam().name);
  ASSERT_TRUE(check != kChecks.end()) << "no check for " << GetParam().name;
  Registers18 r;
  check->second(r);
}

TEST(NicConfigs, AreChecked) {
  const auto refuses = [](const auto& change) {
    nic::NicConfig config = small_config();
    change(config);
    EXPECT_THROW(validate(config), systemc::ConfigError);
  };
  const auto accepts = [](const auto& change) {
    nic::NicConfig config = small_config();
    change(config);
    EXPECT_NO_THROW(validate(config));
  };
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  accepts([](nic::NicConfig&) {});
  refuses([](nic::NicConfig& c) { c.memory_bytes = 0; });
  refuses([](nic::NicConfig& c) { c.memory_bytes = kMost + 1; });
  accepts([](nic::NicConfig& c) { c.memory_bytes = kMost; });
  refuses([](nic::NicConfig& c) { c.eager_bytes = 4104; });
  refuses([](nic::NicConfig& c) { c.eager_bytes = 12; });
  accepts([](nic::NicConfig& c) { c.eager_bytes = 4096; });
  refuses([](nic::NicConfig& c) { c.alpha = (1 << 20) + 1; });
  accepts([](nic::NicConfig& c) { c.alpha = c.gamma = 1 << 20; });
  refuses([](nic::NicConfig& c) { c.gamma = (1 << 20) + 1; });
  refuses([](nic::NicConfig& c) { c.memory_flits = 65; });
  accepts([](nic::NicConfig& c) { c.memory_flits = 64; });
  refuses([](nic::NicConfig& c) { c.combine_lanes = 9; });
  accepts([](nic::NicConfig& c) { c.combine_lanes = 8; });
  refuses([](nic::NicConfig& c) { c.run_ahead = 0; });
  refuses([](nic::NicConfig& c) { c.network.size[0] = 0; });
}

}  // namespace
}  // namespace annelid::test
