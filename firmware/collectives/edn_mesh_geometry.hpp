// The blocks of EDN on meshes, and where their tops are: docs/internals/algorithms/edn-mesh.md,
// "Blocks and tops".
//
// A mesh is a block of the highest level H. A block of a level above 0 is made of parts: two, three
// or four blocks of the level below. Its tops are some of the tops of its parts. In the level's
// step they send to the other tops of the parts. A block of level 0 is a base: a square of 4·2^k
// with all its levels, or one of the small blocks.
#pragma once

#include <array>
#include <cstdint>

#include "firmware/address.hpp"
#include "firmware/collectives/edn_cells.hpp"
#include "firmware/collectives/edn_square.hpp"

namespace annelid::firmware::edn_mesh {

/// A top of a block of some level. The block is named by its place among the blocks of the level,
/// in each dimension.
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

/// How a block is made of parts: `factor` of them along one dimension, u, and as many along v, if
/// there is a v. A part's number is its place along u + 2 · its place along v. A part's top has the
/// number 4 · part + index.
struct Joint {
  std::uint8_t factor;
  std::uint8_t u, v;      ///< bit of the dimension in an Address's word; v = 24: none
  std::uint8_t sends;     ///< of each top of the whole
  std::uint8_t top[4];    ///< by top of the whole: which top of a part it is
  std::uint8_t to[4][3];  ///< by top of the whole: those to which it sends
  std::uint8_t
      role[16];  ///< by part's top: the top of the whole that it is (+ kIsTop), or its sender
  static constexpr std::uint8_t kIsTop = 4;

  /// The part's top with this number.
  [[nodiscard]] Top in_part(Address whole, std::uint32_t number) const {
    const std::uint32_t part = number >> 2;
    const std::uint32_t first = whole.word() + (whole.word() & mask()) * (factor - 1U);
    const std::uint32_t offset = v == kNoV ? part << u : (part & 1) << u | (part >> 1) << v;
    return {Address::from_word(first + offset), static_cast<int>(number & 3)};
  }
  /// Replaces `block`, a part, by its whole, and gives the number of the part's top.
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
  const edn_cells::Block* cells;  ///< what the base is; nullptr: a square of 4·2^k
  std::uint32_t within;           ///< of a square: the bits of an Address that say where in it
  std::uint8_t square_level;      ///< k
  std::uint8_t first, second;     ///< the joint of levels up to `firsts`, of those above
  std::uint8_t firsts;
  std::uint8_t levels;  ///< H
  std::uint8_t tops;    ///< of each block

  /// Describes the mesh; false if EDN does not fit it.
  bool describe(Size size);

  [[nodiscard]] const Joint& joint(int level) const;
  /// Of the base.
  [[nodiscard]] int steps_of_base() const { return cells == nullptr ? square_level + 1 : 2; }

  /// A node in its base, whose lowest node is (0, 0, 0) there.
  [[nodiscard]] Address in_base(Address node) const {
    if (cells == nullptr) return Address::from_word(node.word() & within);
    return node - cells->lowest(cells->block_of(node));
  }
  /// The number of the base that a node is in.
  [[nodiscard]] Address base_of(Address node) const {
    if (cells == nullptr) return Address::from_word((node.word() & ~within) >> (square_level + 2));
    return cells->block_of(node);
  }
  static edn_square::Point point(Address local) { return {local.x, local.y}; }
  static Address local_of(edn_square::Point p) {
    return Address::from_word(static_cast<std::uint32_t>(p.x | p.y << 8));
  }

  /// The node of a top of a block of this level.
  [[nodiscard]] Address node(int level, Top top) const {
    if (level > 0) top = top_of_base(level, top);
    if (cells != nullptr) return node_of_cells(top);
    return Address::from_word(top.block.word() << (square_level + 2)) +
           edn_square::top(top.index, square_level);
  }

 private:
  /// The top of level 0 that stands at the same node as a top of a higher level.
  [[nodiscard]] Top top_of_base(int level, Top top) const;
  [[nodiscard]] Address node_of_cells(Top top) const;
};

/// The part of a node in the tree, whatever the source.
struct Standing {
  int base_level;  ///< of the highest blocks in its base, a square, of which it is a top; -1: none
  int level;       ///< as which top it stands highest: of a block of this level; -1: of no base
  Top top;         ///< that one; without one, the number of its base
};
Standing standing(const Mesh& mesh, Address node);

/// The sender of a node that is no top of the mesh, and the step after the startup in which the
/// node receives.
Address parent(const Mesh& mesh, Address node, const Standing& s, int& step);

/// The number of nodes that a node reaches in the steps after the startup. It includes the node
/// itself and the place of the source.
std::uint32_t nodes_below(const Mesh& mesh, Address node, const Standing& s);

}  // namespace annelid::firmware::edn_mesh
