// What happens to the packets of all processes, told in process 0 (docs/internals/processes.md).
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "systemc/fabric/event_stream.hpp"
#include "traffic/packet.hpp"
#include "traffic/packet_log.hpp"

namespace annelid::traffic {

/// Observes the packets of a process's endpoints, and the heads that are injected into the fabric;
/// the latter before the stream does. In process 0 it tells of those of all processes, with
/// the numbers that a single process would give them.
class PacketStream final : public PacketObserver, public systemc::FabricObserver {
 public:
  /// `in_flight` finds packets of this process.
  PacketStream(systemc::EventStream& stream, InFlightPacket in_flight);

  /// In process 0: who is told of the packets. Not null before the run.
  void set_observer(PacketObserver& observer) { observer_ = &observer; }
  /// In process 0: a packet of any process. Its id is that of its process.
  [[nodiscard]] const Packet* in_flight(NodeId source, std::uint16_t tag) const;

  void created(const Packet& packet) override;
  void injected(Cycle, NodeId, Port local, const systemc::Flit&) override;
  void ejected(const Packet& packet) override;

 private:
  using Words = systemc::EventStream::Words;
  [[nodiscard]] static std::uint64_t key(NodeId source, std::uint32_t tag) {
    return std::uint64_t{source} << 16 | (tag & 0xffff);
  }
  void replay_created(int process, Cycle cycle, std::uint32_t mark);
  void number_created();
  void replay_started(int process, Words words);
  void replay_ejected(Cycle cycle, Words words);

  systemc::EventStream& stream_;
  InFlightPacket in_flight_;
  PacketObserver* observer_ = nullptr;
  systemc::EventStream::Kind created_, started_, ejected_;
  systemc::EventWriter words_;  // of an event; a member so that its memory is reused

  // In process 0.
  struct Started {
    Packet packet;
    int process;
  };
  std::uint64_t packets_ = 0;                             // that have their ids
  std::vector<std::vector<std::uint64_t>> ids_;           // by process, and by the id there
  Cycle created_at_ = 0;                                  // packets without an id: of this cycle,
  std::vector<std::pair<std::uint32_t, int>> unordered_;  // marks and processes
  std::unordered_map<std::uint64_t, Started> all_;        // in flight, by source and tag
};

}  // namespace annelid::traffic
