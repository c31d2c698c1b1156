// The mailbox for calls (docs/internals/nic/calls.md).
#pragma once

#include <vector>

#include "nic/fifo.hpp"
#include "nic/nic_config.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

class CallQueue {
 public:
  enum class Stage : std::uint8_t { kUnknown, kWaiting, kTaken, kFinished };
  /// The state of a ticket, as the host sees it.
  struct State {
    Stage stage = Stage::kUnknown;
    std::uint16_t result = 0;  ///< reg::CallResult, once finished
    friend bool operator==(const State&, const State&) = default;
  };

  // ---- The host -------------------------------------------------------------------------------

  [[nodiscard]] bool full() const { return unfinished_ == reg::kCallPlaces; }
  [[nodiscard]] std::uint32_t unfinished() const { return unfinished_; }
  /// Puts a call into the mailbox, and returns its ticket. The core sees the call from cycle
  /// `visible` on: the cycle after the host's, or cycle 0 before the run. `visible` must not
  /// decrease from call to call. Throws std::logic_error if 16 calls are unfinished, or if the call
  /// with the same ticket, 65,536 calls ago, is unfinished.
  std::uint16_t call(const Call& call, Cycle visible);
  [[nodiscard]] State state(std::uint16_t ticket) const {
    return ticket < states_.size() ? states_[ticket] : State{};
  }

  // ---- The core -------------------------------------------------------------------------------

  /// Bit 0 of EVENT in cycle `now`.
  [[nodiscard]] bool waiting(Cycle now) const { return next() <= now; }
  /// The value of CALL_TICKET in cycle `now`.
  [[nodiscard]] std::uint32_t oldest(Cycle now) const;
  /// A read of CALL_TICKET in cycle `now`: takes the oldest call that waits.
  std::uint32_t take(Cycle now);
  /// CALL_0 .. CALL_14: the words of the call that was taken last; 0 before the first one.
  [[nodiscard]] std::uint32_t word(std::size_t i) const { return window_.words[i]; }
  /// A write of CALL_DONE. Returns false for BAD_CALL; then nothing has changed.
  [[nodiscard]] bool finish(std::uint32_t done);

  // ---- The list unit --------------------------------------------------------------------------

  /// The oldest call that waits in cycle `now`; nullptr if none does.
  [[nodiscard]] const Call* waiting_call(Cycle now) const {
    return waiting(now) ? &waiting_.front().call : nullptr;
  }
  /// Takes this call, and returns its ticket. CALL_0 .. CALL_14 do not show it, and CALL_DONE
  /// cannot finish it.
  std::uint16_t take_unseen();
  void finish_unseen(std::uint16_t ticket, reg::CallResult result);

  // ---- Between cycles -------------------------------------------------------------------------

  /// The cycle from which on a call waits, or kNever if there is none.
  [[nodiscard]] Cycle next() const { return waiting_.empty() ? kNever : waiting_.front().visible; }

 private:
  struct Waiting {
    Call call;
    std::uint16_t ticket = 0;
    Cycle visible = 0;
  };

  void end(std::uint16_t ticket, std::uint32_t result);

  Fifo<Waiting> waiting_;
  std::vector<std::uint16_t> unseen_;  ///< tickets that the list unit has taken
  Call window_;
  std::uint32_t unfinished_ = 0;
  std::uint16_t next_ticket_ = 0;
  /// By ticket. Only the host uses this, so it models no hardware. It grows with the calls, up to
  /// 65,536.
  std::vector<State> states_;
};

}  // namespace annelid::nic
