// Lists of descriptors for tests, in the bytes that the documentation gives them
// (docs/internals/nic/lists.md) and not by what nic/ makes of them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "testbench/nic/script.hpp"

namespace annelid::test {

inline constexpr std::uint32_t kNoDependency = 0xffff;
/// What a transfer waits for: a receive or a send of its list.
constexpr std::uint32_t on_receive(std::uint32_t number) { return 0x8000 | number; }
constexpr std::uint32_t on_send(std::uint32_t number) { return number; }
using Waits = std::vector<std::uint32_t>;  ///< at most three

class List {
 public:
  using Words = std::array<std::uint32_t, 8>;

  List& receive(const ReceiveOrder& order, const Waits& waits = {}) {
    const std::uint32_t flags = (order.in_turn ? 1u << 16 : 0) | (order.open ? 1u << 17 : 0) |
                                (order.any_tag ? 1u << 18 : 0);
    receives_.push_back(
        with({order.any_source ? 0x01000000u : pack(order.from), order.offset, order.bytes,
              order.tag | flags, order.combine, order.stage, order.operand, 0},
             waits));
    return *this;
  }
  List& send(const SendOrder& order, const Waits& waits = {}) {
    const std::uint32_t flags = order.open ? 1u << 17 : 0;
    sends_.push_back(with({pack(order.to) | order.port << 24, order.offset, order.bytes,
                           order.tag | flags, order.step, order.block, order.stride, 0},
                          waits));
    return *this;
  }
  List& join(const Waits& waits) {
    sends_.push_back(with({0, 0, 0, 0x80000000, 0, 0, 0, 0}, waits));
    return *this;
  }
  /// Changes the latest receive or send in a word.
  List& receive_word(std::size_t word, std::uint32_t value) {
    receives_.back()[word] = value;
    return *this;
  }
  List& send_word(std::size_t word, std::uint32_t value) {
    sends_.back()[word] = value;
    return *this;
  }

  [[nodiscard]] std::uint32_t counts() const {
    return static_cast<std::uint32_t>(receives_.size() << 16 | sends_.size());
  }
  /// Writes it to node memory.
  void store(nic::NodeMemory& memory, std::uint32_t offset) const {
    for (const auto* part : {&receives_, &sends_}) {
      for (const Words& words : *part) {
        for (const std::uint32_t word : words) {
          memory.store(offset, word, 4);
          offset += 4;
        }
      }
    }
  }

 private:
  static Words with(Words words, const Waits& waits) {
    std::array<std::uint32_t, 3> all{kNoDependency, kNoDependency, kNoDependency};
    for (std::size_t i = 0; i < waits.size(); ++i) all.at(i) = waits[i];
    words[7] = all[0] | all[1] << 16;
    words[4] |= all[2] << 16;
    return words;
  }

  std::vector<Words> receives_, sends_;
};

/// Where a list of a handle lies in tests.
constexpr std::uint32_t list_offset(std::uint16_t handle) {
  return 0x20000 + handle % 32 * 0x2000u;
}

inline void set_list(Registers& r, std::uint16_t handle, std::uint32_t offset,
                     std::uint32_t counts) {
  r.write(reg::kListOffset, offset);
  r.write(reg::kListCounts, counts);
  r.write(reg::kListSet, handle);
}

inline nic::Call start_call(std::uint32_t handle) {
  nic::Call call;
  call.set(reg::CallWord::kOperation, 25).set(reg::CallWord::kParameter0, handle);
  return call;
}

}  // namespace annelid::test
