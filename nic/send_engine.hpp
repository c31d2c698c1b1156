// The engine of one injection port: grants and messages become packets, one flit per cycle.
#pragma once

#include <array>
#include <optional>

#include "nic/shared.hpp"
#include "systemc/link.hpp"

namespace annelid {

class SendEngine {
 public:
  SendEngine(Shared& shared, Port local);

  /// The router's end of the channel, before the first step.
  void connect(LinkIf& router) { router_ = &router; }

  /// The router frees a place of its injection buffer in cycle `now`.
  void credit(Vc vc, Cycle now);
  void step(Cycle now);

  /// Whether step(at) would do anything, if nothing happens before.
  [[nodiscard]] bool can_act(Cycle at) const;
  [[nodiscard]] bool busy() const { return packet_.has_value(); }
  [[nodiscard]] const Fifo<Send>& queue() const { return shared_.queue(local_); }
  /// "message to 3,2 tag 7 (64 bytes), 4 of 10 flits, no credit", "" if idle; for reports.
  [[nodiscard]] std::string describe() const;

 private:
  struct Packet {
    HeadFields head;
    PacketHeader header;
    Send send;  ///< of a message
    std::uint32_t flits = 0, sent = 0;
    Vc vc = 0;
    [[nodiscard]] bool control() const { return header.kind == reg::PacketKind::kGrant; }
  };

  void take(Cycle now);
  void take_message(Cycle now);
  void start(NodeId to, std::uint16_t tag, const PacketHeader& header, std::uint32_t flits);
  [[nodiscard]] bool choose_vc(Packet& packet) const;
  [[nodiscard]] Flit next_flit(const Packet& packet) const;
  void inject(Packet& packet, Cycle now);
  void absorb(Cycle now);

  Shared& shared_;
  const Port local_;
  LinkIf* router_ = nullptr;
  std::optional<Packet> packet_;
  std::array<std::uint8_t, kMaxVcs> credits_{};  ///< 0 for a VC that does not exist
  struct {
    bool valid = false;
    Vc vc = 0;
    Cycle at = 0;
  } arrived_;  ///< a credit that counts from at + 1 on
};

}  // namespace annelid
