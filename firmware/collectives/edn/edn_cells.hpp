// The smallest blocks of EDN on meshes other than squares of 4·2^k. Each is a stored tree of two
// steps (docs/internals/algorithms/edn-mesh.md; Tsai, Figures 3.11 and 3.18 to 3.21).
#pragma once

#include <cstdint>
#include <span>

#include "firmware/address.hpp"

namespace annelid::firmware::edn_cells {

/// Nodes of a block have the numbers (z·size_y + y)·size_x + x.
class Block {
 public:
  constexpr Block(Size size, const std::uint8_t* parents, const std::uint8_t* children,
                  const std::uint8_t* begins, std::span<const std::uint8_t> tops)
      : x_(size.x),
        y_(size.y),
        z_(size.z),
        parents_(parents),
        children_(children),
        begins_(begins),
        tops_(tops) {}

  /// Returns the block that holds a node, among the blocks that tile a mesh. Blocks are counted in
  /// each dimension.
  [[nodiscard]] Address block_of(Address node) const {
    return from_coordinates(x_.quotient(node.x), y_.quotient(node.y), z_.quotient(node.z));
  }
  /// Returns the lowest node of that block.
  [[nodiscard]] Address lowest(Address block) const {
    return from_coordinates(block.x * x_.value, block.y * y_.value, block.z * z_.value);
  }
  /// Return a node's number from its coordinates in the block, and the coordinates from the number.
  [[nodiscard]] int number(Address node) const {
    return static_cast<int>((node.z * y_.value + node.y) * x_.value + node.x);
  }
  [[nodiscard]] Address node(int number) const {
    const auto cell = static_cast<std::uint32_t>(number);
    const std::uint32_t row = x_.quotient(cell), z = y_.quotient(row);
    return from_coordinates(cell - row * x_.value, row - z * y_.value, z);
  }

  /// Returns the tops by ascending x.
  [[nodiscard]] std::span<const std::uint8_t> tops() const { return tops_; }
  [[nodiscard]] bool is_top(int cell) const { return parent(cell) == cell; }
  /// Returns a node's parent. A top is its own parent.
  [[nodiscard]] int parent(int cell) const { return parents_[cell] & 0x7F; }
  /// Returns the step, 1 or 2, in which a node that is not a top receives.
  [[nodiscard]] int step(int cell) const { return (parents_[cell] >> 7) + 1; }
  /// Returns the receivers of a node in both steps, those of step 1 first.
  [[nodiscard]] std::span<const std::uint8_t> children(int cell) const {
    return {children_ + begins_[cell], children_ + begins_[cell + 1]};
  }
  /// Returns the number of nodes that a node reaches, including itself.
  [[nodiscard]] int nodes_below(int cell) const {
    std::size_t nodes = 1;
    for (const std::uint8_t child : children(cell)) nodes += 1 + children(child).size();
    return static_cast<int>(nodes);
  }

 private:
  /// The length of a side in nodes, and division by it without the core's divider, for dividends
  /// below 256.
  struct Side {
    std::uint16_t value, reciprocal;
    constexpr explicit Side(int side)
        : value(static_cast<std::uint16_t>(side)),
          reciprocal(static_cast<std::uint16_t>(side == 1 ? 0 : 65535 / side + 1)) {}
    /// For a side of 1, as in a plane, n must be 0.
    [[nodiscard]] std::uint32_t quotient(std::uint32_t n) const { return n * reciprocal >> 16; }
  };
  static Address from_coordinates(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return Address::from_word(x | y << 8 | z << 16);
  }

  Side x_, y_, z_;
  const std::uint8_t *parents_, *children_, *begins_;
  std::span<const std::uint8_t> tops_;
};

/// Returns the block of b x b nodes, b = 5, 6, 7.
const Block& square(int b);
/// Returns the block of 4 x 4 nodes in two dimensions and `planes` = 4 or 5 nodes in the long one,
/// z or x.
const Block& cuboid(int planes, bool long_x);

}  // namespace annelid::firmware::edn_cells
