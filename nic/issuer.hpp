// Judges a descriptor, and makes a send or a receive of it: for the go registers and for the list
// unit (docs/internals/nic/registers.md, lists.md and errors.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nic/completions.hpp"
#include "nic/descriptor.hpp"
#include "nic/message_flow.hpp"
#include "nic/node_identity.hpp"

namespace annelid::nic {

class Issuer {
 public:
  struct Units {
    const NodeIdentity& self;
    const NodeMemory& memory;
    PlaceTable<SendPlace>& sends;
    PlaceTable<ReceivePlace>& receives;
    CombineUnit& combine_unit;
    MessageFlow& flow;
  };
  explicit Issuer(const Units& units);

  /// The error of a descriptor, and what was found.
  struct Fault {
    reg::ErrorCause cause = reg::ErrorCause::kNone;
    std::string text;
  };
  /// What is wrong with a descriptor, causes 3 and up. The bytes of a send that will be held are
  /// compared with those of others when it fires.
  [[nodiscard]] std::optional<Fault> judge(const SendDescriptor& send, bool held) const;
  [[nodiscard]] std::optional<Fault> judge(const ReceiveDescriptor& receive) const;

  /// Makes the record of a send in its place. The descriptor has no fault.
  SendPlace& describe(Place place, const SendDescriptor& send, std::uint16_t id);
  /// Posts a receive that has no fault. `handle` is that of its list, if it is of one.
  void post(Place place, const ReceiveDescriptor& receive, std::uint16_t id,
            std::optional<std::uint16_t> handle, Cycle now);

 private:
  [[nodiscard]] bool is_address(std::uint32_t address) const {
    return address <= 0xffffff && self_.config.network.contains(unpack_address(address));
  }
  [[nodiscard]] bool is_range(const MemoryRange& range, std::uint32_t bytes) const {
    return bytes <= reg::kMaxMessageBytes && memory_.contains(range.begin, range.end - range.begin);
  }
  [[nodiscard]] Fault bad_address(std::uint32_t address) const;
  [[nodiscard]] Fault bad_range(const MemoryRange& range, std::uint32_t bytes) const;
  [[nodiscard]] std::optional<Fault> judge_ranges(const ReceiveDescriptor& receive) const;
  [[nodiscard]] static std::optional<Fault> judge_own_overlap(const ReceiveRanges& ranges);
  [[nodiscard]] Fault overlap(const RangeTable::Collision& collision) const;

  const NodeIdentity& self_;
  const NodeMemory& memory_;
  PlaceTable<SendPlace>& sends_;
  PlaceTable<ReceivePlace>& receives_;
  CombineUnit& combine_unit_;
  MessageFlow& flow_;
};

}  // namespace annelid::nic
