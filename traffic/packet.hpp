// A packet of synthetic traffic, from its creation to its end.
#pragma once

#include "systemc/network/flit.hpp"

namespace annelid::traffic {

struct Packet {
  std::uint64_t id = 0;  ///< in the order of creation: by cycle, then in the workload's order
  NodeId source = 0, destination = 0;
  std::uint32_t flits = 0;  ///< including head and tail
  std::uint32_t tag = 0;    ///< sequence number at its source; the low 16 bits travel in the head
  std::uint32_t mark = 0;   ///< what the workload calls it (PacketSink::send)
  Cycle created = 0;        ///< first cycle in which it could be on the injection channel
  Cycle injected = kNever;  ///< cycle in which its head is on the injection channel
  Cycle head_ejected = kNever;  ///< cycle in which its head is on the ejection channel
  Cycle tail_ejected = kNever;  ///< cycle in which its tail is on the ejection channel
};

/// Called when a packet is created, and when its tail is on the ejection channel. Within a cycle
/// the order of calls is undefined.
class PacketObserver {
 public:
  virtual ~PacketObserver() = default;
  virtual void created(const Packet& /*packet*/) {}
  virtual void ejected(const Packet& packet) = 0;
};

/// The data of flit k > 0, which identifies its packet: it is the head's data with k in place of
/// the destination.
constexpr std::uint64_t body_data(std::uint64_t head_data, std::uint32_t k) {
  return (head_data & ~std::uint64_t{0xffffff}) | (k & 0xffffff);
}

}  // namespace annelid::traffic
