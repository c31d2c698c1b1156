// The NIC's registers, as the core and native firmware see them (docs/internals/nic/registers.md).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "nic/call_queue.hpp"
#include "nic/completions.hpp"
#include "nic/issuer.hpp"
#include "nic/list_unit.hpp"
#include "nic/message_flow.hpp"
#include "nic/node_identity.hpp"
#include "nic/observers.hpp"

namespace annelid::nic {

class RegisterFile {
 public:
  struct Units {
    const NodeIdentity& self;
    const PlaceTable<SendPlace>& sends;
    const PlaceTable<ReceivePlace>& receives;
    Errors& errors;
    CallQueue& calls;
    Completions& completions;
    Issuer& issuer;
    ListUnit& lists;
    MessageFlow& flow;
    const Observers& observers;
  };
  explicit RegisterFile(const Units& units);

  /// A 32-bit access in cycle `now`. `offset` is relative to reg::kRegisterBase. No value, or
  /// false, means an access fault.
  std::optional<std::uint32_t> read(std::uint32_t offset, Cycle now);
  /// What read() would return; changes nothing.
  [[nodiscard]] std::optional<std::uint32_t> peek(std::uint32_t offset, Cycle now) const;
  bool write(std::uint32_t offset, std::uint32_t value, Cycle now);

  /// The registers that only the core's accesses change, and only its later accesses show
  /// (docs/internals/nic/core.md, Running ahead). They stay where they are.
  [[nodiscard]] PrivateWords private_words();

  /// The value of mip in cycle `now`, after the accesses of earlier cycles.
  [[nodiscard]] std::uint32_t pending(Cycle now) const;
  /// The first cycle in which mip's timer bit is 1, or kNever if there is none.
  [[nodiscard]] Cycle timer() const;

  /// What the firmware says it is waiting for: "a receive from 3,2 (edn, step 4)"; "" for nothing.
  [[nodiscard]] std::string awaits() const;

 private:
  std::uint32_t& word(std::uint32_t offset) { return words_[offset / 4]; }
  [[nodiscard]] std::uint32_t word(std::uint32_t offset) const { return words_[offset / 4]; }

  /// Whether a call waits for the core. A start is the list unit's.
  [[nodiscard]] bool call_waits(Cycle now) const {
    return calls_.waiting(now) && !lists_.start_waits(now);
  }
  [[nodiscard]] std::uint32_t event(Cycle now) const;
  std::uint32_t take_completion();
  std::uint32_t take_call(Cycle now);
  bool act(std::uint32_t offset, std::uint32_t value, Cycle now);
  void finish_call(std::uint32_t done, Cycle now);

  // Go registers.
  [[nodiscard]] SendDescriptor send_descriptor() const;
  [[nodiscard]] ReceiveDescriptor receive_descriptor() const;
  void send(std::uint16_t id, Cycle now);
  void receive(std::uint16_t id, Cycle now);

  static constexpr std::uint32_t kWords = (reg::kAwaitNode + 4) / 4;  // AWAIT_NODE is the last

  const NodeIdentity& self_;
  const PlaceTable<SendPlace>& sends_;
  const PlaceTable<ReceivePlace>& receives_;
  Errors& errors_;
  CallQueue& calls_;
  Completions& completions_;
  Issuer& issuer_;
  ListUnit& lists_;
  MessageFlow& flow_;
  const Observers& observers_;
  std::array<std::uint32_t, kWords> words_{};
};

}  // namespace annelid::nic
