// The smallest blocks of EDN on meshes other than squares of 4·2^k: a tree of two steps each,
// stored (docs/algorithms.md; Tsai, Figures 3.11 and 3.18 to 3.21).
#pragma once

#include <cstdint>
#include <span>

namespace annelid::firmware::edn_cells {

/// Nodes of a block have the numbers (z·size_y + y)·size_x + x.
class Block {
 public:
  constexpr Block(const std::uint8_t* parents, const std::uint8_t* children,
                  const std::uint8_t* begins, std::span<const std::uint8_t> tops)
      : parents_(parents), children_(children), begins_(begins), tops_(tops) {}

  /// By ascending x.
  [[nodiscard]] std::span<const std::uint8_t> tops() const { return tops_; }
  [[nodiscard]] bool is_top(int cell) const { return parent(cell) == cell; }
  /// A top is its own parent.
  [[nodiscard]] int parent(int cell) const { return parents_[cell] & 0x7F; }
  /// 1 or 2; of a node that is no top.
  [[nodiscard]] int step(int cell) const { return (parents_[cell] >> 7) + 1; }
  /// To whom a node sends, in either step, those of step 1 first.
  [[nodiscard]] std::span<const std::uint8_t> children(int cell) const {
    return {children_ + begins_[cell], children_ + begins_[cell + 1]};
  }
  /// Nodes that a node reaches, itself included.
  [[nodiscard]] int nodes_below(int cell) const {
    std::size_t nodes = 1;
    for (const std::uint8_t child : children(cell)) nodes += 1 + children(child).size();
    return static_cast<int>(nodes);
  }

 private:
  const std::uint8_t *parents_, *children_, *begins_;
  std::span<const std::uint8_t> tops_;
};

/// b x b nodes, b = 5, 6, 7.
const Block& square(int b);
/// 4 x 4 nodes in two dimensions and `planes` = 4 or 5 in the long one, z or x.
const Block& cuboid(int planes, bool long_x);

}  // namespace annelid::firmware::edn_cells
