// A NIC for tests that has registers and no hardware: it keeps what the firmware writes, and
// completes transfers when the test says so.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <ostream>
#include <vector>

#include "firmware/address.hpp"
#include "firmware/native.hpp"
#include "nic_registers.hpp"

namespace annelid::firmware {

class FakeBus : public RegisterBus {
 public:
  /// What a go register queued.
  struct Descriptor {
    bool receive = false;
    Address peer;
    std::uint32_t offset = 0, bytes = 0, tag = 0, step = 0, port = 0, id = 0;
  };

  FakeBus(Address self, Size size) {
    values_[reg::kNode] = self.word();
    values_[reg::kSizeX] = static_cast<std::uint32_t>(size.x);
    values_[reg::kSizeY] = static_cast<std::uint32_t>(size.y);
    values_[reg::kSizeZ] = static_cast<std::uint32_t>(size.z);
    values_[reg::kSendPort] = reg::kPortByRoute;
  }

  /// An access of the firmware, in program order.
  struct Access {
    bool write = false;
    std::uint32_t offset = 0, value = 0;
    friend bool operator==(const Access&, const Access&) = default;
    friend void PrintTo(const Access& a, std::ostream* out) {
      *out << (a.write ? "write " : "read ") << std::hex << a.offset << ": " << a.value << std::dec;
    }
  };

  // What the test does.
  void call(reg::Operation operation, reg::Algorithm algorithm, Address root, std::uint32_t offset,
            std::uint32_t bytes, std::uint32_t tag) {
    call_ = {};
    call_[0] = static_cast<std::uint32_t>(operation);
    call_[1] = static_cast<std::uint32_t>(algorithm);
    call_[2] = root.word();
    call_[3] = offset;
    call_[4] = bytes;
    call_[5] = tag;
    call_pending_ = true;
  }
  void complete(bool receive, std::uint32_t id, std::uint32_t bytes) {
    completions_.push_back({reg::kCompletionValidField.in(1) |
                                reg::kCompletionReceiveField.in(receive ? 1 : 0) |
                                reg::kCompletionIdField.in(id),
                            bytes});
  }
  void complete(const Descriptor& d) { complete(d.receive, d.id, d.receive ? d.bytes : 0); }

  // What the test sees.
  std::vector<Descriptor> queued;      ///< in the order of the go registers
  std::vector<std::uint32_t> results;  ///< of finished calls
  std::vector<Access> accesses;
  [[nodiscard]] std::uint32_t value(std::uint32_t offset) const {
    const auto found = values_.find(offset);
    return found == values_.end() ? 0 : found->second;
  }
  [[nodiscard]] bool event() const { return call_pending_ || !completions_.empty(); }
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
    if (!known(offset).writable) ADD_FAILURE() << "write of offset " << offset;
    accesses.push_back({true, offset, written});
    values_[offset] = written;
    if (offset == reg::kSendGo) {
      queued.push_back({false, Address::from_word(value(reg::kSendDestination)),
                        value(reg::kSendOffset), value(reg::kSendBytes), value(reg::kSendTag),
                        value(reg::kSendStep), value(reg::kSendPort), written});
    } else if (offset == reg::kRecvGo) {
      queued.push_back({true, Address::from_word(value(reg::kRecvSource)), value(reg::kRecvOffset),
                        value(reg::kRecvBytes), value(reg::kRecvTag), 0, 0, written});
    } else if (offset == reg::kCallDone) {
      results.push_back(written);
    }
  }

 private:
  struct Completion {
    std::uint32_t word = 0, bytes = 0;
  };

  std::uint32_t answer(std::uint32_t offset) {
    if (!known(offset).readable) ADD_FAILURE() << "read of offset " << offset;
    if (offset == reg::kEvent) {
      return (call_pending_ ? reg::kEventCall : 0) |
             (completions_.empty() ? 0 : reg::kEventCompletion);
    }
    if (offset == reg::kCompletion) {
      if (completions_.empty()) return 0;
      const Completion completion = completions_.front();
      completions_.pop_front();
      values_[reg::kCompletionBytes] = completion.bytes;
      return completion.word;
    }
    if (offset >= reg::kCall && offset < reg::kCall + 4 * reg::kCallWords) {
      if (offset == reg::kCall) call_pending_ = false;
      return call_[(offset - reg::kCall) / 4];
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
  std::array<std::uint32_t, reg::kCallWords> call_{};
  bool call_pending_ = false;
  std::deque<Completion> completions_;
};

}  // namespace annelid::firmware
