#include "testbench/deadlock/replay.hpp"

namespace annelid::deadlock {

std::string replay(const Network& network, const States& states,
                   const Configuration& configuration) {
  const PacketGame game(network);
  Position position;
  if (!configuration.reached || configuration.packets.empty()) return "no way to come to it";
  for (const BlockedPacket& packet : configuration.packets) {
    const State& first = states[packet.way.front()];
    if (!states.injected(packet.way.front())) return "a way that begins inside the network";
    const std::size_t before = position.size();
    for (std::size_t i = 1; i < packet.way.size(); ++i) {
      const std::uint32_t place = states.place(packet.way[i]);
      const std::string name = network.place_name(place);
      const bool done = i == 1 ? game.inject(position, first.place - network.places(), first.packet,
                                             place, packet.held)
                               : game.advance(position, before, place, packet.held);
      if (!done) return "a packet cannot go to " + name;
      if (position.size() != before + 1) return "a packet was delivered at " + name;
    }
    if (position.back().places.size() != packet.held)
      return "a packet does not hold what it should";
  }
  // Only the whole set must be stuck, not a part of it.
  for (std::size_t p = 0; p < position.size(); ++p) {
    Position moved = position;
    for (std::uint32_t place = 0; place < network.places(); ++place) {
      if (game.advance(moved, p, place, 1)) return "a packet can still move";
    }
  }
  return game.stuck(position) ? "" : "they are not stuck";
}

}  // namespace annelid::deadlock
