// The startup of EDN on meshes brings the message to the mesh's tops:
// docs/internals/algorithms/edn-mesh.md, "Startup".
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "firmware/address.hpp"
#include "firmware/collectives/trees/tree.hpp"

namespace annelid::firmware::edn_mesh {

/// The nodes that take part: the source, and the mesh's tops by ascending x.
enum Who : std::uint8_t { kSource, kA, kB, kC, kD };

class Startup {
 public:
  std::array<Address, 5> nodes;  ///< by Who; only those that exist

  /// Chooses the messages. `nodes` must be set before. `fixed` selects the startup that depends
  /// little on the source. `column_tops` says that the mesh is 4 x 4, which has a top in each
  /// column.
  void choose(int tops, bool fixed, bool column_tops);

  [[nodiscard]] int steps() const { return steps_; }

  /// Calls visit(to) for each message that a node sends in a step.
  template <typename Visit>
  void for_each_send(Address from, int step, Visit visit) const {
    for (std::uint32_t message = messages_; message != 0; message >>= 8) {
      if (step_of(message) > step) break;
      if (step_of(message) != step || !(from_of(message) == from)) continue;
      const Address to = to_of(message);
      if (!(to == from) && !(to == nodes[kSource])) visit(to);
    }
  }
  /// Finds the part of the source or of a top: its sender, unless it is the source, and its sends.
  /// `self` has a bit for each Who that the process is.
  void find_part(std::uint32_t self, TreePart& part) const {
    std::uint32_t* end = part.sends;
    for (std::uint32_t message = messages_; message != 0; message >>= 8) {
      const bool sends = (self >> (message & 7) & 1) != 0;
      const bool receives = (self >> (message >> 3 & 7) & 1) != 0;
      if (sends == receives) continue;
      if (receives) {
        if ((self >> kSource & 1) != 0) continue;
        part.parent = from_of(message);
        part.receive_step = step_of(message);
      } else if (const Address to = to_of(message); !(to == nodes[kSource])) {
        const std::uint32_t send = TreePart::packed(to, step_of(message));
        std::uint32_t* at = end++;  // the step is above the receiver: by both
        for (; at != part.sends && at[-1] > send; --at) *at = at[-1];
        *at = send;
      }
    }
    part.end = end;
  }
  /// Returns the step in which a top other than the source gets the message, and sets `from` to its
  /// sender.
  int find_sender(Address to, Address& from) const {
    for (std::uint32_t message = messages_;; message >>= 8) {
      from = from_of(message);
      if (to_of(message) == to && !(from == to)) return step_of(message);
    }
  }

 private:
  [[nodiscard]] Address from_of(std::uint32_t message) const { return nodes[message & 7]; }
  [[nodiscard]] Address to_of(std::uint32_t message) const { return nodes[message >> 3 & 7]; }
  static int step_of(std::uint32_t message) { return static_cast<int>(message >> 6 & 3); }

  std::uint32_t messages_;  // one byte per message, the first lowest: from, to, step
  int steps_;
};

}  // namespace annelid::firmware::edn_mesh
