// The NIC's registers as core and native firmware see them (docs/nic.md, sections 3 and 5).
#pragma once

#include <array>
#include <optional>

#include "nic/shared.hpp"

namespace annelid {

class RegisterFile {
 public:
  explicit RegisterFile(Shared& shared);

  /// A 32-bit access in cycle `now`. `offset` counts from reg::kRegisterBase. No value, or false:
  /// an access fault.
  std::optional<std::uint32_t> read(std::uint32_t offset, Cycle now);
  bool write(std::uint32_t offset, std::uint32_t value, Cycle now);

  /// What EVENT shows in cycle `now`.
  [[nodiscard]] std::uint32_t event(Cycle now) const {
    return (call_ == CallState::kPending && call_visible_ <= now ? reg::kEventCall : 0) |
           (shared_.completions.empty() ? 0 : reg::kEventCompletion);
  }

  /// The host puts a call into the mailbox; the core sees it from cycle `visible` on. Throws
  /// std::logic_error if the call before is not finished.
  void call(const Call& call, Cycle visible);
  [[nodiscard]] bool calling() const { return call_ != CallState::kNone; }

  /// What the firmware says it waits for: "a receive from 3,2 (EDN, step 4)", "" for nothing.
  [[nodiscard]] std::string awaits() const;

 private:
  enum class CallState : std::uint8_t { kNone, kPending, kTaken };

  std::uint32_t& word(std::uint32_t offset) { return words_[offset / 4]; }
  [[nodiscard]] std::uint32_t word(std::uint32_t offset) const { return words_[offset / 4]; }

  std::uint32_t take_completion();
  void send(std::uint16_t id, Cycle now);
  void receive(std::uint16_t id, Cycle now);
  bool finish_call(std::uint32_t result, Cycle now);
  [[nodiscard]] bool in_network(std::uint32_t address) const;
  /// Finds the causes that sends and receives have in common; false after an error.
  bool check(std::uint32_t address, std::uint32_t offset, std::uint32_t bytes, Cycle now);

  static constexpr std::uint32_t kWords = (reg::kAwaitNode + 4) / 4;  // AWAIT_NODE is the last

  Shared& shared_;
  std::array<std::uint32_t, kWords> words_{};
  CallState call_ = CallState::kNone;
  Cycle call_visible_ = 0;
};

}  // namespace annelid
