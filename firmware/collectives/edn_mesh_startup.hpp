// The startup of EDN on meshes, which brings the message to the mesh's tops: docs/algorithms.md,
// "Startup".
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "firmware/address.hpp"

namespace annelid::firmware::edn_mesh {

/// Who has a part in it: the source, the mesh's tops by ascending x.
enum Who : std::uint8_t { kSource, kA, kB, kC, kD };

class Startup {
 public:
  std::array<Address, 5> nodes;  ///< by Who; those that there are

  /// Known the nodes. `fixed`: the one that hardly depends on the source. `column_tops`: a mesh of
  /// 4 x 4, which has a top in each column.
  void choose(int tops, bool fixed, bool column_tops);

  [[nodiscard]] int steps() const { return steps_; }

  /// Calls visit(from, to, step) for its messages, in ascending order of their steps.
  template <typename Visit>
  void for_each_message(Visit visit) const {
    for (std::uint32_t messages = messages_; messages != 0; messages >>= 8) {
      const Address from = nodes[messages & 7], to = nodes[messages >> 3 & 7];
      if (!(to == from) && !(to == nodes[kSource]))
        visit(from, to, static_cast<int>(messages >> 6 & 3));
    }
  }

 private:
  std::uint32_t messages_;  // a byte each, the first one lowest: from, to, step
  int steps_;
};

}  // namespace annelid::firmware::edn_mesh
