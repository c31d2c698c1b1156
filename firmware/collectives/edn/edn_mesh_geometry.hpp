// The blocks of EDN on meshes, and the positions of their tops:
// docs/internals/algorithms/edn-mesh.md, "Blocks and tops".
//
// A mesh is a block of the highest level H. A block of a level above 0 is made of parts: two, three
// or four blocks of the level below. Its tops are some of the tops of its parts. In the level's
// step they send to the other tops of the parts. A block of level 0 is a base: a square of 4·2^k
// with all its levels, or one of the small blocks.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/address.hpp"
#include "firmware/collectives/edn/edn_cells.hpp"
#include "firmware/collectives/edn/edn_square.hpp"

namespace annelid::firmware::edn_mesh {

/// A top of a block of some level. The block is identified by its place among the blocks of the
/// level, in each dimension.
struct Top {
  Address block;
  int index;

  [[nodiscard]] std::uint32_t word() const {
    return block.word() | static_cast<std::uint32_t>(index) << 24;
  }
  static Top from_word(std::uint32_t word) {
    return {Address::from_word(word & 0xFFFFFF), static_cast<int>(word >> 24)};
  }
};

/// How a block is made of parts: `factor` parts along one dimension, u, and as many along a second
/// one, v, if there is one. A part's number is its place along u + 2 · its place along v. A part's
/// top has the number 4 · part + index.
struct Joint {
  std::uint8_t factor;
  std::uint8_t u, v;      ///< bit of the dimension in an Address's word; v = 24: none
  std::uint8_t sends;     ///< of each top of the whole
  std::uint8_t top[4];    ///< by top of the whole: which top of a part it is
  std::uint8_t to[4][3];  ///< by top of the whole: those to which it sends
  std::uint8_t
      role[16];  ///< by part's top: the top of the whole that it is (+ kIsTop), or its sender
  static constexpr std::uint8_t kIsTop = 4;

  /// Returns the part's top with this number.
  [[nodiscard]] Top in_part(Address whole, std::uint32_t number) const {
    const std::uint32_t part = number >> 2;
    const std::uint32_t first = whole.word() + (whole.word() & mask()) * (factor - 1U);
    const std::uint32_t offset = v == kNoV ? part << u : (part & 1) << u | (part >> 1) << v;
    return {Address::from_word(first + offset), static_cast<int>(number & 3)};
  }
  /// Replaces `block`, a part, by the whole block that contains it, and returns the number of the
  /// part's top.
  [[nodiscard]] std::uint32_t to_whole(Address& block, int index) const {
    const std::uint32_t word = block.word(), joined = word & mask(), others = word & ~mask();
    std::uint32_t part = 0;
    if (factor == 3) {
      const std::uint32_t at = joined >> u, whole = at * 21846 >> 16;
      part = at - 3 * whole;
      block = Address::from_word(others | whole << u);
    } else {
      part = (joined >> u & 1) | (joined >> v & 1) << 1;
      block = Address::from_word(others | (joined & 0xFEFEFE) >> 1);
    }
    return 4 * part + static_cast<std::uint32_t>(index);
  }

  static constexpr std::uint8_t kNoV = 24;  // where an Address's word is 0

 private:
  [[nodiscard]] std::uint32_t mask() const { return 0xFFU << u | 0xFFU << v; }
};

struct Mesh {
  const edn_cells::Block* cells;  ///< the base; nullptr: a square of 4·2^k
  std::uint32_t within;       ///< for a square: the bits of an Address that give the position in it
  std::uint8_t square_level;  ///< k
  std::uint8_t first, second;  ///< the joint of the levels up to `firsts`, and of the levels above
  std::uint8_t firsts;
  std::uint8_t levels;  ///< H
  std::uint8_t tops;    ///< of each block

  /// Describes the mesh. Returns false if EDN does not fit it.
  bool describe(Size size);

  [[nodiscard]] const Joint& joint(int level) const;
  /// Returns the number of steps within the base.
  [[nodiscard]] int steps_of_base() const { return cells == nullptr ? square_level + 1 : 2; }

  /// Returns a node's coordinates in its base, where the lowest node is (0, 0, 0).
  [[nodiscard]] Address in_base(Address node) const {
    if (cells == nullptr) return Address::from_word(node.word() & within);
    return node - cells->lowest(cells->block_of(node));
  }
  /// Returns the place of a node's base among the bases, in each dimension.
  [[nodiscard]] Address base_of(Address node) const {
    if (cells == nullptr) return Address::from_word((node.word() & ~within) >> (square_level + 2));
    return cells->block_of(node);
  }
  static edn_square::Point point(Address local) { return {local.x, local.y}; }
  static Address local_of(edn_square::Point p) {
    return Address::from_word(static_cast<std::uint32_t>(p.x | p.y << 8));
  }

  /// Returns the node of a top of a block of this level.
  [[nodiscard]] Address node(int level, Top top) const {
    if (level > 0) top = top_of_base(level, top);
    if (cells != nullptr) return node_of_cells(top);
    return Address::from_word(top.block.word() << (square_level + 2)) +
           edn_square::top(top.index, square_level);
  }

 private:
  /// Returns the top of level 0 that is at the same node as a top of a higher level.
  [[nodiscard]] Top top_of_base(int level, Top top) const;
  [[nodiscard]] Address node_of_cells(Top top) const;
};

/// The role of a node in the tree. It does not depend on the source.
struct Standing {
  int base_level;  ///< the highest level of which it is a top, within a square base; -1: none
  int level;       ///< the highest level of which it is a top; -1: not even of a base
  Top top;         ///< that top; if there is none, the place of its base
};
Standing standing(const Mesh& mesh, Address node);

/// Returns the sender of a node that is not a top of the mesh. Sets `step` to the step after the
/// startup in which the node receives.
Address parent(const Mesh& mesh, Address node, const Standing& s, int& step);

/// Returns the number of nodes that a node reaches in the steps after the startup. It counts the
/// node itself and the source's place.
std::uint32_t nodes_below(const Mesh& mesh, Address node, const Standing& s);

}  // namespace annelid::firmware::edn_mesh
