// The engine of one injection port. It makes packets from control words and ready sends, one flit
// per cycle (docs/internals/nic/engines.md).
//
// If there are several local virtual channels, the last one is for control packets only; it is the
// control VC if there is one. So an offer need not wait until the message that its node is sending
// has ended.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "nic/completions.hpp"
#include "nic/match.hpp"
#include "nic/node_identity.hpp"
#include "nic/observers.hpp"
#include "systemc/network/link.hpp"

namespace annelid::nic {

class SendEngine : public systemc::StreamSource {
 public:
  struct Units {
    const NodeIdentity& self;
    Match& match;
    PlaceTable<SendPlace>& sends;
    const NodeMemory& memory;
    Completions& completions;
    const Observers& observers;
  };
  SendEngine(const Units& units, Port local);

  /// Sets the router's end of the channel. To be called before the first step.
  void connect(systemc::LinkIf& router) { router_ = &router; }

  /// The router frees a place of its injection buffer in cycle `now`.
  void credit(Vc vc, Cycle now);
  /// Whether step() would do anything, now or when a credit comes back.
  [[nodiscard]] bool has_work() const { return busy() || match_.waits(local_); }
  /// Executes cycle `now`. `memory` says whether it may read node memory in this cycle. The result
  /// says whether a send is complete.
  bool step(Cycle now, bool memory);

  /// Whether step(at) would do anything if nothing happens before.
  [[nodiscard]] bool can_act(Cycle at) const {
    const bool goes_on = message_ && message_->sent > 0 && credits_[message_->vc] > 0;
    return goes_on || (has_work() && finds_work(at));
  }
  /// The number of cycles from `at` on in which a step would only send a body flit of the message
  /// under way, if a credit comes back in each.
  [[nodiscard]] Cycle streams(Cycle at) const;
  [[nodiscard]] systemc::Streams::Start stream() { return {this, router_, message_->vc}; }
  void send(std::span<std::uint64_t> flits) override;
  /// Whether step(at) would read node memory.
  [[nodiscard]] bool needs_memory(Cycle at) const;
  [[nodiscard]] bool busy() const { return control_ || message_; }
  /// As in NicEngines, for cycle `now`.
  [[nodiscard]] std::string_view state(Cycle now) const;
  /// "message to 3,2 tag 7 (64 bytes), 4 of 10 flits sent", or "" if idle. For reports.
  [[nodiscard]] std::string describe() const;

 private:
  struct Packet {
    systemc::HeadFields head;
    std::uint64_t header = 0;  ///< its second flit
    std::uint32_t bytes = 0;   ///< of the message
    std::uint32_t flits = 2, sent = 0;
    Place send = kNoPlace;  ///< kNoPlace: a control packet
    Vc vc = 0;
    [[nodiscard]] bool control() const { return send == kNoPlace; }
  };

  [[nodiscard]] bool finds_work(Cycle at) const;
  [[nodiscard]] bool takes_control(Cycle at) const;
  [[nodiscard]] bool takes_message(Cycle at) const;
  [[nodiscard]] bool sends_control(Cycle at) const;
  [[nodiscard]] bool has_credit(Vc vc, Cycle at) const;
  [[nodiscard]] Packet control_packet(const ControlToSend& control) const;
  [[nodiscard]] Packet message_packet(Place send) const;
  [[nodiscard]] bool choose_vc(Packet& packet) const;
  [[nodiscard]] std::uint64_t next_data(const Packet& packet) const;
  /// Whether there was a credit for the flit.
  template <bool control>
  bool inject(std::optional<Packet>& under_way, Cycle now);
  void tell_start(const Packet& packet, Cycle now) const;
  void absorb(Cycle now);

  const NodeIdentity& self_;
  Match& match_;
  PlaceTable<SendPlace>& sends_;
  const NodeMemory& memory_;
  Completions& completions_;
  const Observers& observers_;
  const Port local_;
  const Vc control_vc_, message_vcs_;  ///< messages use 0 .. message_vcs_ - 1
  const bool shared_vc_;               ///< both kinds use it, so at most one packet is under way
  systemc::LinkIf* router_ = nullptr;
  std::optional<Packet> control_, message_;      ///< under way
  std::array<std::uint8_t, kMaxVcs> credits_{};  ///< 0 for a VC that does not exist
  struct {
    bool valid = false;
    Vc vc = 0;
    Cycle at = 0;
  } arrived_;  ///< a credit that counts from at + 1 on
};

}  // namespace annelid::nic
