// Packets in a small network, move by move, and an exhaustive search of all that can happen: the
// tests' own reading of how packets share channels. Knows the judge's description of a network, and
// nothing of its theorems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "deadlock/network.hpp"

namespace annelid::deadlock {

/// A packet in the network. Buffers hold one of its flits, or with cut-through all of it.
struct GamePacket {
  Packet kind;
  std::uint32_t source = 0;
  std::size_t length = 1;             ///< the most places that it holds
  std::vector<std::uint32_t> places;  ///< from its tail to its front
};

/// All packets in the network; of two in one place, the first came first.
using Position = std::vector<GamePacket>;

class PacketGame {
 public:
  explicit PacketGame(const Network& network);

  /// Each returns whether the rules permit the move. A packet that comes to its destination, and
  /// needs no answer, vanishes when it
  /// is at the front.
  bool inject(Position& position, std::uint32_t node, Packet kind, std::uint32_t vc,
              std::size_t length) const;
  /// The front goes to a place; if that is the room for an answer, the packet becomes the answer,
  /// of this length.
  bool advance(Position& position, std::size_t packet, std::uint32_t place,
               std::size_t length) const;

  /// Whether some packets can never move again, whatever the others do.
  [[nodiscard]] bool stuck(const Position& position) const;

  struct Outcome {
    bool complete = true;  ///< all positions were seen, or a deadlock was found
    std::optional<Position> deadlock;
    std::size_t positions = 0;
  };
  /// All positions that packets of 1 .. `longest` can come to, at most `most` of them.
  [[nodiscard]] Outcome search(std::size_t longest, std::size_t most) const;

 private:
  [[nodiscard]] std::vector<std::uint32_t> next(const Position& position, std::size_t packet) const;
  [[nodiscard]] bool has_room(const Position& position, std::uint32_t place,
                              std::optional<std::uint32_t> from) const;
  [[nodiscard]] std::size_t room_of(std::uint32_t place) const;
  [[nodiscard]] std::size_t room_needed(std::uint32_t place,
                                        std::optional<std::uint32_t> from) const;
  [[nodiscard]] bool at_front(const Position& position, std::size_t packet) const;
  [[nodiscard]] bool arrives(const Position& position, std::size_t packet) const;
  void deliver(Position& position) const;

  const Network& network_;
  std::vector<std::optional<std::size_t>> ring_of_, step_of_;  // by VC
};

}  // namespace annelid::deadlock
