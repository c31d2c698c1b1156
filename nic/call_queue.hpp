// The mailbox for calls (docs/internals/nic.md, section 7).
#pragma once

#include <vector>

#include "nic/nic_config.hpp"
#include "nic/ring.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

class CallQueue {
 public:
  enum class Stage : std::uint8_t { kUnknown, kWaiting, kTaken, kFinished };
  /// What the host sees of a ticket.
  struct State {
    Stage stage = Stage::kUnknown;
    std::uint16_t result = 0;  ///< reg::CallResult, once finished
    friend bool operator==(const State&, const State&) = default;
  };

  // ---- The host -------------------------------------------------------------------------------

  [[nodiscard]] bool full() const { return unfinished_ == reg::kCallPlaces; }
  [[nodiscard]] std::uint32_t unfinished() const { return unfinished_; }
  /// Puts a call into the mailbox; the core sees it from cycle `visible` on: the one after the
  /// host's, or 0 before the first. `visible` must not decrease from call to call. The result is
  /// its ticket. Throws std::logic_error if 16 calls are not finished, or one that was given the
  /// same ticket 65,536 calls ago.
  std::uint16_t call(const Call& call, Cycle visible);
  [[nodiscard]] State state(std::uint16_t ticket) const {
    return ticket < states_.size() ? states_[ticket] : State{};
  }

  // ---- The core -------------------------------------------------------------------------------

  /// EVENT bit 0 in cycle `now`.
  [[nodiscard]] bool waiting(Cycle now) const { return next() <= now; }
  /// A read of CALL_TICKET in cycle `now`.
  std::uint32_t take(Cycle now);
  /// CALL_0 .. CALL_14: words of the call that was taken last, 0 before the first.
  [[nodiscard]] std::uint32_t word(std::size_t i) const { return window_.words[i]; }
  /// A write of CALL_DONE; false: BAD_CALL, nothing has changed.
  [[nodiscard]] bool finish(std::uint32_t done);

  /// The cycle from which on a call waits, kNever if there is none.
  [[nodiscard]] Cycle next() const { return waiting_.empty() ? kNever : waiting_.front().visible; }

 private:
  struct Waiting {
    Call call;
    std::uint16_t ticket = 0;
    Cycle visible = 0;
  };

  Ring<Waiting, reg::kCallPlaces> waiting_;
  Call window_;
  std::uint32_t unfinished_ = 0;
  std::uint16_t next_ticket_ = 0;
  /// By ticket. The host's book, no hardware: it grows with the calls, up to 65,536.
  std::vector<State> states_;
};

}  // namespace annelid::nic
