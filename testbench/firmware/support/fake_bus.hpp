// A NIC for tests that has registers, memory and no engines: it keeps what the firmware writes, and
// completes transfers when the test says so.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <ostream>
#include <vector>

#include "firmware/address.hpp"
#include "firmware/native.hpp"
#include "interface/registers.hpp"
#include "testbench/firmware/support/test_call.hpp"

namespace annelid::firmware {

class FakeBus : public RegisterBus {
 public:
  static constexpr std::uint32_t kMemoryBytes = 1 << 20;

  /// What a go register queued.
  struct Descriptor {
    bool receive = false;
    Address peer;
    std::uint32_t offset = 0, bytes = 0, tag = 0, step = 0, id = 0, notify = 0;
    std::uint32_t port = 0, block = 0, stride = 0, trigger = 0, threshold = 0;  // of a send
    std::uint32_t combine = 0, stage = 0, operand = 0;                          // of a receive
    [[nodiscard]] bool quiet() const { return (notify & 0x100) != 0; }
    [[nodiscard]] bool held() const { return !receive && trigger != reg::kNoCounter; }
  };

  FakeBus(Address self, Size size, std::uint32_t rings = 0) {
    for (const reg::Register& r : reg::kRegisters) values_[r.offset] = r.reset;
    values_[reg::kNode] = self.word();
    values_[reg::kSizeX] = static_cast<std::uint32_t>(size.x);
    values_[reg::kSizeY] = static_cast<std::uint32_t>(size.y);
    values_[reg::kSizeZ] = static_cast<std::uint32_t>(size.z);
    values_[reg::kPorts] = 4;
    values_[reg::kTopology] =
        reg::kTopologyRingsField.in(rings) | reg::kTopologyDimsField.in(size.z > 1 ? 3 : 2);
    values_[reg::kMemoryBytes] = kMemoryBytes;
  }

  /// An access of the firmware to a register, in program order.
  struct Access {
    bool write = false;
    std::uint32_t offset = 0, value = 0;
    friend bool operator==(const Access&, const Access&) = default;
    friend void PrintTo(const Access& a, std::ostream* out) {
      *out << (a.write ? "write " : "read ") << std::hex << a.offset << ": " << a.value << std::dec;
    }
  };

  // What the test does.
  /// Puts a call into the mailbox; gives its ticket.
  std::uint32_t call(const TestCall& c) {
    calls_.push_back(c.words());
    return tickets_++;
  }
  /// A transfer ends, with so many bytes: counter and completion queue.
  void complete(const Descriptor& d, std::uint32_t bytes, bool failed = false) {
    const std::uint32_t counter = d.notify & 0xFF;
    if (counter < reg::kCounters) ++values_[reg::kCounter + 4 * counter];
    if (d.quiet()) {
      ++space(d.receive);
      return;
    }
    complete(d.receive, d.id, bytes, failed);
  }
  void complete(const Descriptor& d) { complete(d, d.receive ? d.bytes : 0); }
  /// An entry of the completion queue, whatever it says.
  void complete(bool receive, std::uint32_t id, std::uint32_t bytes, bool failed = false) {
    completions_.push_back(
        {reg::kCompletionValidField.in(1) | reg::kCompletionReceiveField.in(receive ? 1 : 0) |
             reg::kCompletionFailedField.in(failed ? 1 : 0) | reg::kCompletionIdField.in(id),
         bytes});
  }
  /// The next go register refuses its descriptor.
  void refuse_next(reg::ErrorCause cause) { refusal_ = cause; }
  /// The next go register takes its descriptor, and something goes wrong with it in the same cycle.
  void fail_next(reg::ErrorCause cause) { failure_ = cause; }
  void raise_error(reg::ErrorCause cause, std::uint32_t id) {
    if (values_[reg::kError] != 0) return;
    values_[reg::kError] = static_cast<std::uint32_t>(cause);
    values_[reg::kErrorInfo] = reg::kErrorInfoIdField.in(id);
  }
  void put(std::uint32_t offset, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(at(offset, bytes), from, bytes);  // `from` may be null otherwise
  }

  /// Lists occupy so many places of a direction.
  void take_places(bool receive, std::uint32_t count) { space(receive) -= count; }
  /// LIST_PLAYS.
  void set_plays(std::uint32_t places) { values_[reg::kListPlays] = places; }

  // What the test sees.
  std::vector<Descriptor> queued;                  ///< in the order of the go registers
  std::map<std::uint32_t, std::uint32_t> results;  ///< of finished calls, by ticket
  std::vector<std::uint32_t> finished;             ///< tickets, in the order in which they finished
  std::vector<Access> accesses;
  /// The lists that handle places keep.
  struct List {
    std::uint32_t handle = 0, offset = 0, counts = 0;
  };
  std::map<std::uint32_t, List> lists;
  [[nodiscard]] std::uint32_t value(std::uint32_t offset) const {
    const auto found = values_.find(offset);
    return found == values_.end() ? 0 : found->second;
  }
  /// What would make the external interrupt pending.
  [[nodiscard]] bool event() const { return (events() & value(reg::kEventEnable)) != 0; }
  [[nodiscard]] std::size_t waiting_calls() const { return calls_.size(); }
  template <typename T>
  [[nodiscard]] T get(std::uint32_t offset) {
    T result{};
    std::memcpy(&result, at(offset, sizeof result), sizeof result);
    return result;
  }
  [[nodiscard]] const std::vector<std::byte>& memory() const { return memory_; }
  std::byte* at(std::uint32_t offset, std::size_t bytes) {
    if (offset + bytes > kMemoryBytes) {
      ADD_FAILURE() << "access of node memory at " << offset << ", " << bytes << " bytes";
      offset = 0;
    }
    if (memory_.size() < offset + bytes) memory_.resize(offset + bytes);
    return memory_.data() + offset;
  }
  /// AWAIT and AWAIT_NODE as a reader of a stall report would see them.
  [[nodiscard]] reg::AwaitWhat awaits() const {
    return static_cast<reg::AwaitWhat>(reg::kAwaitWhatField.of(value(reg::kAwait)));
  }
  [[nodiscard]] std::uint32_t awaited_algorithm() const {
    return reg::kAwaitAlgorithmField.of(value(reg::kAwait));
  }
  [[nodiscard]] std::uint32_t awaited_step() const {
    return reg::kAwaitStepField.of(value(reg::kAwait));
  }
  [[nodiscard]] Address awaited_node() const { return Address::from_word(value(reg::kAwaitNode)); }

  // What the firmware does.
  std::uint32_t read(std::uint32_t offset) override {
    const std::uint32_t result = answer(offset);
    accesses.push_back({false, offset, result});
    return result;
  }
  void write(std::uint32_t offset, std::uint32_t written) override {
    const reg::Register r = known(offset);
    if (!r.writable) ADD_FAILURE() << "write of offset " << offset;
    accesses.push_back({true, offset, written});
    if (r.bits < 32) written &= (std::uint32_t{1} << r.bits) - 1;
    if (offset == reg::kError) written = 0;
    values_[offset] = written;
    if (offset == reg::kSendGo || offset == reg::kRecvGo) {
      queue(offset == reg::kRecvGo, written);
    } else if (offset == reg::kListSet) {
      set_list(written);
    } else if (offset == reg::kCallDone) {
      const std::uint32_t ticket = reg::kCallDoneTicketField.of(written);
      EXPECT_TRUE(results.emplace(ticket, reg::kCallDoneResultField.of(written)).second);
      EXPECT_LT(ticket, tickets_);
      finished.push_back(ticket);
    }
  }
  void read_memory(std::uint32_t offset, std::span<std::byte> to) override {
    if (!to.empty()) std::memcpy(to.data(), at(offset, to.size()), to.size());
  }
  void write_memory(std::uint32_t offset, std::span<const std::byte> from) override {
    put(offset, from.data(), from.size());
  }

 private:
  struct Completion {
    std::uint32_t word = 0, bytes = 0;
  };

  std::uint32_t& space(bool receive) {
    return values_[receive ? reg::kRecvSpace : reg::kSendSpace];
  }

  void set_list(std::uint32_t handle) {
    const std::uint32_t place = handle % reg::kHandlePlaces;
    if ((value(reg::kListPlays) >> place & 1) != 0) {
      raise_error(reg::ErrorCause::kBadList, handle);
    } else if (value(reg::kListCounts) == 0) {
      lists.erase(place);
    } else {
      lists[place] = {handle, value(reg::kListOffset), value(reg::kListCounts)};
    }
  }

  void queue(bool receive, std::uint32_t id) {
    Descriptor d;
    d.receive = receive;
    d.id = id;
    if (receive) {
      d.peer = Address::from_word(value(reg::kRecvSource));
      d.offset = value(reg::kRecvOffset);
      d.bytes = value(reg::kRecvBytes);
      d.tag = value(reg::kRecvTag);
      d.combine = value(reg::kRecvCombine);
      d.stage = value(reg::kRecvStage);
      d.operand = value(reg::kRecvOperand);
      d.notify = value(reg::kRecvNotify);
    } else {
      d.peer = Address::from_word(value(reg::kSendDestination));
      d.offset = value(reg::kSendOffset);
      d.bytes = value(reg::kSendBytes);
      d.tag = value(reg::kSendTag);
      d.step = value(reg::kSendStep);
      d.port = value(reg::kSendPort);
      d.block = value(reg::kSendBlock);
      d.stride = value(reg::kSendStride);
      d.trigger = value(reg::kSendTrigger);
      d.threshold = value(reg::kSendThreshold);
      d.notify = value(reg::kSendNotify);
    }
    if (refusal_ != reg::ErrorCause::kNone) {
      raise_error(refusal_, id);
      refusal_ = reg::ErrorCause::kNone;
      return;
    }
    if (space(receive) == 0) {
      ADD_FAILURE() << (receive ? "RECV" : "SEND") << "_GO without a free place";
      return;
    }
    --space(receive);
    queued.push_back(d);
    if (failure_ != reg::ErrorCause::kNone) raise_error(failure_, id);
    failure_ = reg::ErrorCause::kNone;
  }

  [[nodiscard]] std::uint32_t events() const {
    return (calls_.empty() ? 0 : reg::kEventCall) |
           (completions_.empty() ? 0 : reg::kEventCompletion) |
           (value(reg::kError) == 0 ? 0 : reg::kEventError);
  }

  std::uint32_t answer(std::uint32_t offset) {
    if (!known(offset).readable) ADD_FAILURE() << "read of offset " << offset;
    if (offset == reg::kEvent) return events();
    if (offset == reg::kCompletion) {
      if (completions_.empty()) return 0;
      const Completion completion = completions_.front();
      completions_.pop_front();
      values_[reg::kCompletionBytes] = completion.bytes;
      ++space(reg::kCompletionReceiveField.of(completion.word) != 0);
      return completion.word;
    }
    if (offset == reg::kCallTicket) {
      if (calls_.empty()) return 0;
      for (std::uint32_t i = 0; i < reg::kCallWords; ++i) {
        values_[reg::kCall + 4 * i] = calls_.front()[i];
      }
      calls_.pop_front();
      return reg::kCallTicketValidField.in(1) | reg::kCallTicketTicketField.in(taken_++);
    }
    return value(offset);
  }

  static reg::Register known(std::uint32_t offset) {
    for (const reg::Register& r : reg::kRegisters) {
      if (offset >= r.offset && offset < r.offset + 4 * r.words && offset % 4 == 0) return r;
    }
    return {};
  }

  std::map<std::uint32_t, std::uint32_t> values_;
  std::vector<std::byte> memory_;
  std::deque<std::array<std::uint32_t, reg::kCallWords>> calls_;
  std::uint32_t tickets_ = 0, taken_ = 0;
  std::deque<Completion> completions_;
  reg::ErrorCause refusal_ = reg::ErrorCause::kNone, failure_ = reg::ErrorCause::kNone;
};

}  // namespace annelid::firmware
