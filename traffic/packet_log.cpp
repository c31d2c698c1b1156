#include "traffic/packet_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "systemc/network/route.hpp"

namespace annelid::traffic {

PacketLog::PacketLog(const systemc::NetworkConfig& network, InFlightPacket in_flight)
    : config_(network),
      in_flight_(std::move(in_flight)),
      ports_(static_cast<std::size_t>(network.router.ports())),
      buffers_(network.nodes() * ports_ * kMaxVcs) {}

void PacketLog::injected(Cycle, NodeId node, Port local, const systemc::Flit& flit) {
  if (!flit.head) return;
  const Packet* packet = in_flight_(node, systemc::unpack_head(flit.data).tag);
  if (packet == nullptr) throw std::logic_error("PacketLog: a packet that no source has sent");
  buffer(node, config_.router.injection_input(local), flit.vc).push_back(key(*packet));
  journeys_[key(*packet)].destination = packet->destination;
}

void PacketLog::granted(Cycle, NodeId node, Port in, Vc in_vc, Port out,
                        const systemc::Flit& flit) {
  if (config_.ideal) leave(node, in, in_vc, out, flit);
}
void PacketLog::moved(Cycle, NodeId node, Port in, Vc in_vc, Port out, const systemc::Flit& flit) {
  if (!config_.ideal) leave(node, in, in_vc, out, flit);
}

// A flit that moves is not blocked, and one that arrives in an empty buffer is not at its front
// before the next cycle: the order of a cycle's events does not matter.
void PacketLog::leave(NodeId node, Port in, Vc in_vc, Port out, const systemc::Flit& flit) {
  auto& packets = buffer(node, in, in_vc);
  if (packets.empty()) throw std::logic_error("PacketLog: a flit of no packet");
  const Key packet = packets.front();
  if (flit.head) {
    if (config_.ideal || config_.router.is_external(out)) ++journeys_.at(packet).hops;
    if (const auto next = receiver_of(config_, config_.address(node), out)) {
      buffer(config_.id(next->address), next->port, flit.vc).push_back(packet);
    }
  }
  if (flit.tail) packets.erase(packets.begin());
}

void PacketLog::blocked(Cycle, NodeId node, Port in, Vc in_vc, Port out, systemc::BlockCause) {
  Journey& journey = journeys_.at(buffer(node, in, in_vc).front());
  const NodeId at = config_.ideal ? journey.destination : node;
  for (Place& place : journey.blocked) {
    if (place.node == at && place.out == out) {
      ++place.cycles;
      return;
    }
  }
  journey.blocked.push_back({at, out, 1});
}

void PacketLog::ejected(const Packet& packet) {
  const auto journey = journeys_.find(key(packet));
  if (journey == journeys_.end()) throw std::logic_error("PacketLog: an end without a beginning");
  records_.push_back({packet, std::move(journey->second)});
  journeys_.erase(journey);
}

void PacketLog::write(std::ostream& out) const {
  std::vector<const Record*> sorted;
  sorted.reserve(records_.size());
  for (const Record& r : records_) sorted.push_back(&r);
  std::ranges::sort(sorted, {}, [](const Record* r) { return r->packet.id; });
  out << "id,source,destination,flits,created,injected,head_ejected,tail_ejected,hops,blocked,"
         "where\n";
  std::string line;
  for (const Record* r : sorted) {
    const Packet& p = r->packet;
    std::uint64_t blocked = 0;
    std::string where;
    for (const Place& place : r->journey.blocked) {
      blocked += place.cycles;
      fmt::format_to(std::back_inserter(where), "{}{} {} {}", where.empty() ? "" : ";", place.node,
                     output_channel_name(config_.router, place.out), place.cycles);
    }
    line.clear();
    fmt::format_to(std::back_inserter(line), "{},{},{},{},{},{},{},{},{},{},{}\n", p.id, p.source,
                   p.destination, p.flits, p.created, p.injected, p.head_ejected, p.tail_ejected,
                   r->journey.hops, blocked, where);
    out << line;
  }
}

}  // namespace annelid::traffic
