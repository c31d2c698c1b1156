// A packet of synthetic traffic, from its creation to its end.
#pragma once

#include "systemc/network/flit.hpp"

namespace annelid::traffic {

struct Packet {
  std::uint64_t id = 0;  ///< in the order of creation: by cycle, then as the workload creates them
  NodeId source = 0, destination = 0;
  std::uint32_t flits = 0;      ///< head and tail included
  std::uint32_t tag = 0;        ///< sequence number of its source; its low 16 bits travel
  Cycle created = 0;            ///< it could be on the injection channel in this cycle
  Cycle injected = kNever;      ///< its head is on the injection channel
  Cycle head_ejected = kNever;  ///< its head is on the ejection channel
  Cycle tail_ejected = kNever;  ///< its tail is
};

/// Is called when a packet is created, and when its tail is on the ejection channel. The calls of
/// one cycle come in no defined order.
class PacketObserver {
 public:
  virtual ~PacketObserver() = default;
  virtual void created(const Packet& /*packet*/) {}
  virtual void ejected(const Packet& packet) = 0;
};

/// Flit k > 0 of a packet says whose it is: where the head has the destination, it has k.
constexpr std::uint64_t body_data(std::uint64_t head_data, std::uint32_t k) {
  return (head_data & ~std::uint64_t{0xffffff}) | (k & 0xffffff);
}

}  // namespace annelid::traffic
