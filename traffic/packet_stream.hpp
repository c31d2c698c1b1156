// What happens to the packets of all processes, told in rank 0 (docs/internals/ranks.md).
#pragma once

#include <unordered_map>
#include <vector>

#include "systemc/router/event_stream.hpp"
#include "traffic/packet.hpp"
#include "traffic/packet_log.hpp"

namespace annelid::traffic {

/// Of the endpoints of a process, it observes the packets, and of the fabric the heads that are
/// injected; the latter before the stream does. In rank 0 it tells of those of all processes, with
/// the numbers that a single process would give them.
class PacketStream final : public PacketObserver, public systemc::FabricObserver {
 public:
  /// `in_flight` finds packets of this process.
  PacketStream(systemc::EventStream& stream, InFlightPacket in_flight);

  /// In rank 0: who is told of the packets. Not null before the run.
  void set_observer(PacketObserver& observer) { observer_ = &observer; }
  /// In rank 0: a packet of any process.
  [[nodiscard]] const Packet* in_flight(NodeId source, std::uint16_t tag) const;

  void created(const Packet& packet) override;
  void injected(Cycle, NodeId, Port local, const systemc::Flit&) override;
  void ejected(const Packet& packet) override;

 private:
  using Words = systemc::EventStream::Words;
  [[nodiscard]] static std::uint64_t key(NodeId source, std::uint32_t tag) {
    return std::uint64_t{source} << 16 | (tag & 0xffff);
  }
  void replay_started(int rank, Words words);
  void replay_ejected(Words words);

  systemc::EventStream& stream_;
  InFlightPacket in_flight_;
  PacketObserver* observer_ = nullptr;
  systemc::EventStream::Kind created_, started_, ejected_;
  systemc::EventWriter words_;  // of an event; a member so that its memory is reused

  // In rank 0.
  std::uint64_t packets_ = 0;                      // created so far
  std::vector<std::vector<std::uint64_t>> ids_;    // by rank, and by the number there
  std::unordered_map<std::uint64_t, Packet> all_;  // in flight, by source and tag
};

}  // namespace annelid::traffic
