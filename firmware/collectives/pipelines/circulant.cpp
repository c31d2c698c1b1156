// Broadcast and reduction in packets over a circulant graph, in the fewest steps:
// docs/internals/algorithms/circulant.md; Träff and Ripke 2008. PARAMETER_1: packets, or 0: by the
// block's length.
#include "firmware/collectives/pipelines/circulant_schedule.hpp"
#include "firmware/collectives/pipelines/packet_plan.hpp"

namespace annelid::firmware::circulant {
namespace {

/// One process's part of the broadcast.
class Circulant {
 public:
  struct Cursor {
    std::uint32_t number;
    std::uint32_t round;  // of the graph
    std::int32_t base;    // what the schedules' packets are relative to
  };

  Circulant(const Ranked& self, std::uint32_t packets)
      : own_(self.relative()), packets_(static_cast<std::int32_t>(packets)), graph_(self.size()) {
    const std::uint32_t rounds = graph_.rounds();
    // The first step is such that the last one ends a run of all rounds.
    const std::uint32_t over = (packets - 1) % rounds, first = over == 0 ? 0 : rounds - over;
    first_ = {1, first, 1 - static_cast<std::int32_t>(first)};
    last_ = {packets - 1 + rounds, rounds - 1, packets_};
    graph_.find_receives(own_, receives_);
    graph_.find_sends(own_, sends_);
    for (std::uint32_t i = 0; i < rounds; ++i) {
      if (graph_.to(own_, i) == 0) continue;
      sent_on_ |= std::uint32_t{1} << residue(sends_[i]);
      if (sends_[i] >= 0) sends_last_packet_ = true;
    }
  }
  static std::uint32_t factor(std::uint32_t size) {
    const std::uint32_t rounds = ceil_log2(size);
    return rounds > 2 ? rounds - 1 : 1;
  }

  [[nodiscard]] const Cursor& first() const { return first_; }
  [[nodiscard]] const Cursor& last() const { return last_; }
  void advance(Cursor& at) const {
    ++at.number;
    if (++at.round < graph_.rounds()) return;
    at.round = 0;
    at.base += static_cast<std::int32_t>(graph_.rounds());
  }
  void retreat(Cursor& at) const {
    --at.number;
    if (at.round-- != 0) return;
    at.round = graph_.rounds() - 1;
    at.base -= static_cast<std::int32_t>(graph_.rounds());
  }

  bool sends(const Cursor& at, PacketHop& hop) const {
    hop.peer = graph_.to(own_, at.round);
    return hop.peer != 0 && find_packet(sends_, at, hop);
  }
  bool receives(const Cursor& at, PacketHop& hop) const {
    hop.peer = graph_.from(own_, at.round);
    return own_ != 0 && find_packet(receives_, at, hop);
  }
  /// A process sends what it has received for L rounds, in the rounds of this packet; but the last
  /// packet only in the rounds in which it sends new packets.
  [[nodiscard]] bool sends_on(const Cursor& at, const PacketHop& hop) const {
    if (is_last(hop)) return sends_last_packet_;
    return (sent_on_ >> residue(receives_[at.round]) & 1) != 0;
  }
  bool sends_last(const Cursor& at, const PacketHop& hop) {
    // Backwards, packets become relative to smaller bases.
    for (; seen_base_ > at.base; seen_base_ -= rounds()) seen_ <<= graph_.rounds();
    const std::int32_t packet = static_cast<std::int32_t>(hop.packet) + 1 - at.base + rounds();
    const std::uint64_t bit = std::uint64_t{1} << packet;
    const bool is_new = (seen_ & bit) == 0;
    seen_ |= bit;
    return is_new;
  }

 private:
  static_assert(2 * CirculantGraph::kMostRounds <= 64);  // bits of seen_

  [[nodiscard]] std::int32_t rounds() const { return static_cast<std::int32_t>(graph_.rounds()); }
  [[nodiscard]] bool is_last(const PacketHop& hop) const {
    return static_cast<std::int32_t>(hop.packet) + 1 == packets_;
  }
  /// A packet of a schedule, modulo L.
  [[nodiscard]] std::uint32_t residue(std::int32_t packet) const {
    return static_cast<std::uint32_t>(packet < 0 ? packet + rounds() : packet);
  }
  bool find_packet(const CirculantGraph::Schedule& schedule, const Cursor& at,
                   PacketHop& hop) const {
    const std::int32_t packet = schedule[at.round] + at.base;  // from 1
    hop.packet = static_cast<std::uint32_t>((packet < packets_ ? packet : packets_) - 1);
    return packet >= 1;
  }

  std::uint32_t own_;
  std::int32_t packets_;
  CirculantGraph graph_;
  Cursor first_{}, last_{};
  std::uint32_t sent_on_ = 0;       // residues of the packets that are sent
  bool sends_last_packet_ = false;  // whether the last packet is
  std::uint64_t seen_ = 0;          // packets from base - L on that sends_last() was asked for
  std::int32_t seen_base_ = packets_;
  CirculantGraph::Schedule sends_, receives_;
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kPacketBits, false); }

Task run(Context& me) { return play_packets<Circulant>(me); }

}  // namespace annelid::firmware::circulant
