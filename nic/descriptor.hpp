// What describes a send or a receive: the registers above a go register, or 32 bytes of a list
// (docs/internals/nic/registers.md and lists.md).
#pragma once

#include <array>
#include <cstdint>

#include "nic/node_memory.hpp"
#include "nic/range_table.hpp"

namespace annelid::nic {

/// A transfer without a counter and without an entry in the completion queue.
inline constexpr std::uint32_t kNotifiesNobody =
    reg::kSendNotifyCounterField.in(reg::kNoCounter) | reg::kSendNotifyQuietField.in(1);

/// The values of the registers SEND_*.
struct SendDescriptor {
  std::uint32_t destination = 0, offset = 0, bytes = 0, tag = 0;
  std::uint32_t port = reg::kPortByRoute;
  std::uint32_t block = 0, stride = 0, step = 0;
  std::uint32_t trigger = reg::kNoCounter, threshold = 0;
  std::uint32_t notify = kNotifiesNobody;

  [[nodiscard]] MemoryRange range() const { return send_range(offset, bytes, block, stride); }
  [[nodiscard]] std::uint16_t message_tag() const {
    return static_cast<std::uint16_t>(reg::kSendTagTagField.of(tag));
  }
};

/// The values of the registers RECV_*.
struct ReceiveDescriptor {
  std::uint32_t source = 0, offset = 0, bytes = 0, tag = 0;
  std::uint32_t combine = 0, stage = 0, operand = 0;
  std::uint32_t notify = kNotifiesNobody;

  [[nodiscard]] bool apart() const { return reg::kRecvCombineApartField.of(combine) != 0; }
  [[nodiscard]] bool open() const { return reg::kRecvTagOpenField.of(tag) != 0; }
  [[nodiscard]] std::uint16_t message_tag() const {
    return static_cast<std::uint16_t>(reg::kRecvTagTagField.of(tag));
  }
  [[nodiscard]] ReceiveRanges ranges() const;
};

inline ReceiveRanges ReceiveDescriptor::ranges() const {
  const auto range = [this](std::uint64_t first) { return MemoryRange{first, first + bytes}; };
  ReceiveRanges ranges;
  ranges.target = range(offset);
  if (reg::kRecvCombineOperatorField.of(combine) == 0) return ranges;
  ranges.staging = range(stage);
  ranges.type = static_cast<reg::Type>(reg::kRecvCombineTypeField.of(combine));
  if (apart()) ranges.operand = range(operand);
  return ranges;
}

/// A transfer of a list that another one waits for, as the list says it.
class Dependency {
 public:
  constexpr Dependency() = default;
  constexpr explicit Dependency(std::uint32_t value) : value_(static_cast<std::uint16_t>(value)) {}

  [[nodiscard]] constexpr bool none() const { return value_ == reg::kNoDependency; }
  [[nodiscard]] constexpr bool receive() const { return (value_ & reg::kDependencyReceive) != 0; }
  [[nodiscard]] constexpr std::uint32_t number() const {
    return value_ & ~std::uint32_t{reg::kDependencyReceive};
  }

 private:
  std::uint16_t value_ = reg::kNoDependency;
};
using Dependencies = std::array<Dependency, 3>;

/// The 32 bytes of a receive, a send or a join of a list.
class ListDescriptor {
 public:
  ListDescriptor(const NodeMemory& memory, std::uint64_t offset) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      words_[i] = static_cast<std::uint32_t>(memory.load(offset + 4 * i, 4));
    }
  }

  [[nodiscard]] Dependencies dependencies() const {
    return {Dependency{low(7)}, Dependency{high(7)}, Dependency{high(4)}};
  }
  /// Whether a send is a join.
  [[nodiscard]] bool join() const { return words_[3] >> 31 != 0; }
  [[nodiscard]] SendDescriptor send() const {
    SendDescriptor send;
    send.destination = words_[0] & 0xffffff;
    send.port = words_[0] >> 24;
    send.offset = words_[1];
    send.bytes = words_[2];
    send.tag = words_[3] & 0x3ffff;
    send.step = low(4);
    send.block = words_[5];
    send.stride = words_[6];
    return send;
  }
  [[nodiscard]] ReceiveDescriptor receive() const {
    ReceiveDescriptor receive;
    receive.source = words_[0];
    receive.offset = words_[1];
    receive.bytes = words_[2];
    receive.tag = words_[3] & 0x7ffff;
    receive.combine = words_[4] & 0x3ff;
    receive.stage = words_[5];
    receive.operand = words_[6];
    return receive;
  }

 private:
  [[nodiscard]] std::uint32_t low(std::size_t word) const { return words_[word] & 0xffff; }
  [[nodiscard]] std::uint32_t high(std::size_t word) const { return words_[word] >> 16; }

  std::array<std::uint32_t, reg::kListDescriptorBytes / 4> words_{};
};

}  // namespace annelid::nic
