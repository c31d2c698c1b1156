// What the NICs report of a run: messages, calls and failures.
#pragma once

#include <string>

#include "interface/registers.hpp"
#include "nic/core.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

/// A message, identified by (source, destination, sequence). The sequence number counts a pair's
/// messages in the order in which they enter the start-up unit, modulo 2^16.
struct MessageInfo {
  NodeId source = 0, destination = 0;
  std::uint16_t tag = 0, sequence = 0;
  std::uint32_t bytes = 0;
  std::uint32_t step = 0;  ///< SEND_STEP; it does not travel, so it is 0 in received()
  bool combined = false;   ///< in received(): the receive combined it
};

/// A send or receive that has found its counterpart (docs/internals/nic/messages.md).
struct MatchInfo {
  enum class How : std::uint8_t {
    kSendOffered,     ///< a send has an offer from the receiver
    kSendEager,       ///< a send starts without one, and may go to the eager place
    kSendGranted,     ///< an open send has a receive
    kRequest,         ///< an open send of the peer wants a receive
    kReceiveGranted,  ///< an open receive is given to a request
    kReceiveData,     ///< the message of an offered receive arrives
    kReceiveEager,    ///< an eager message arrives, and its receive is there
    kReceiveStored,   ///< a receive finds its message in the eager place
    kOwn              ///< a send and a receive of the same node
  };
  How how = How::kSendOffered;
  NodeId peer = 0;
  std::uint16_t tag = 0;
};

/// The order of calls within a cycle is undefined.
class NicObserver {
 public:
  virtual ~NicObserver() = default;
  /// A call is in the mailbox. The core can read it from this cycle on.
  virtual void called(Cycle, NodeId, std::uint16_t /*ticket*/) {}
  /// Whether it needs matched(). To be called when it is set; it must not change later.
  [[nodiscard]] virtual bool takes_matches() const { return true; }
  /// A send or receive is matched, and continues in the next cycle.
  virtual void matched(Cycle, NodeId, const MatchInfo&) {}
  /// The send enters the start-up unit: the firmware wrote SEND_GO, or a counter fired it.
  virtual void send_posted(Cycle, const MessageInfo&) {}
  /// The head is on injection channel `local`. For a message to the node itself, which has no
  /// channel, the call comes in the first cycle of its delivery, with local = 0.
  virtual void send_started(Cycle, const MessageInfo&, Port /*local*/) {}
  /// The tail is on the injection channel. The core can read the completion in the next cycle.
  virtual void send_completed(Cycle, const MessageInfo&) {}
  /// The message's receive is complete or has failed. If it is complete, the core can read the
  /// completion in the next cycle.
  virtual void received(Cycle, const MessageInfo&) {}
  /// The firmware wrote CALL_DONE.
  virtual void call_finished(Cycle, NodeId, std::uint16_t /*ticket*/, std::uint32_t /*result*/) {}
  /// The program writes text to descriptor 1 or 2, by the system call of Linux.
  virtual void printed(Cycle, NodeId, int /*descriptor*/, const std::string& /*text*/) {}
  /// The core halts at a trap without a handler, or native firmware makes an access that would halt
  /// it.
  virtual void trapped(Cycle, NodeId, const Trap&) {}
  /// An error. The node continues. `text` says what was found and what was expected.
  virtual void failed(Cycle, NodeId, reg::ErrorCause, const std::string& /*text*/) {}
};

}  // namespace annelid::nic
