#include "traffic/packet_stream.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace annelid::traffic {

PacketStream::PacketStream(systemc::EventStream& stream, InFlightPacket in_flight)
    : stream_(stream),
      in_flight_(std::move(in_flight)),
      created_(stream.add_kind([this](int process, Cycle cycle, Words words) {
        replay_created(process, cycle, words[0]);
      })),
      started_(stream.add_kind(
          [this](int process, Cycle, Words words) { replay_started(process, words); })),
      ejected_(stream.add_kind(
          [this](int, Cycle cycle, Words words) { replay_ejected(cycle, words); })) {}

const Packet* PacketStream::in_flight(NodeId source, std::uint16_t tag) const {
  const auto found = all_.find(key(source, tag));
  return found == all_.end() ? nullptr : &found->second.packet;
}

// Packets are created before anything else happens in a cycle.
void PacketStream::created(const Packet& packet) {
  const std::array words = {packet.mark};
  stream_.add(created_, words, systemc::Fabric::Phase::kComponents);
}

void PacketStream::replay_created(int process, Cycle cycle, std::uint32_t mark) {
  if (cycle != created_at_) number_created();
  created_at_ = cycle;
  unordered_.emplace_back(mark, process);
}

/// The order of a workload is that of the marks, or else that of the nodes.
void PacketStream::number_created() {
  std::ranges::stable_sort(unordered_, {}, &std::pair<std::uint32_t, int>::first);
  for (const auto& [mark, process] : unordered_) {
    const auto place = static_cast<std::size_t>(process);
    if (ids_.size() <= place) ids_.resize(place + 1);
    ids_[place].push_back(packets_++);
  }
  unordered_.clear();
}

void PacketStream::injected(Cycle, NodeId node, Port, const systemc::Flit& flit) {
  if (!flit.head) return;
  const Packet* const packet = in_flight_(node, systemc::unpack_head(flit.data).tag);
  if (packet == nullptr) throw std::logic_error("PacketStream: a packet that no source has sent");
  words_.clear();
  words_.add_long(packet->id).add(packet->source).add(packet->destination).add(packet->tag);
  stream_.add(started_, words_.words());
}

void PacketStream::replay_started(int process, Words words) {
  systemc::EventReader reader(words);
  Packet packet;
  packet.id = reader.next_long();
  packet.source = reader.next();
  packet.destination = reader.next();
  packet.tag = reader.next();
  all_[key(packet.source, packet.tag)] = {packet, process};
}

void PacketStream::ejected(const Packet& packet) {
  words_.clear();
  words_.add(packet.source).add(packet.destination).add(packet.flits).add(packet.tag);
  words_.add_long(packet.created).add_long(packet.injected);
  words_.add_long(packet.head_ejected).add_long(packet.tail_ejected);
  stream_.add(ejected_, words_.words());
}

void PacketStream::replay_ejected(Cycle cycle, Words words) {
  if (cycle != created_at_) number_created();  // this packet is older
  systemc::EventReader reader(words);
  Packet packet;
  packet.source = reader.next();
  packet.destination = reader.next();
  packet.flits = reader.next();
  packet.tag = reader.next();
  packet.created = reader.next_long();
  packet.injected = reader.next_long();
  packet.head_ejected = reader.next_long();
  packet.tail_ejected = reader.next_long();
  const auto known = all_.find(key(packet.source, packet.tag));
  if (known == all_.end()) throw std::logic_error("PacketStream: an end without a beginning");
  packet.id = ids_.at(static_cast<std::size_t>(known->second.process)).at(known->second.packet.id);
  all_.erase(known);
  observer_->ejected(packet);
}

}  // namespace annelid::traffic
