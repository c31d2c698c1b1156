// Extended dominating node (EDN) broadcast on square 2D meshes of 4 * 2^k: Tsai 1997, Section 3.3
// and Appendix A, in the form of docs/internals/algorithms/edn-mesh.md.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "reference/edn/edn_mesh.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// The types of blocks: B and A for 4x4 (Figure 3.6), D and C for 8x8 and more (Figure 3.7).
enum class Pattern : std::uint8_t { kA, kB, kC, kD };

/// Returns the four highest dominating nodes of a block of `side` nodes a side, with its lower left
/// corner at (0,0). For D their order is L1, L2, U1, U2 (left and right below, left and right
/// above).
std::array<Node, 4> tops(int side, Pattern pattern);

/// Returns all dominating nodes of a block that are tops of its blocks of `level_side` nodes a
/// side: the multi-level extended dominating sets of Definition 3. level_side = 4 gives the
/// dominating set.
std::vector<Node> dominating_nodes(int side, Pattern pattern, int level_side);

/// Returns a whole square of 4 * 2^k nodes a side, for use as the lowest block of other meshes:
/// type D, or B if k = 0.
EdnBase square_base(int side);

/// True for meshes with sides of 4, 8, 16, ... 256 nodes, equal in x and y.
bool edn_supports(const Network& size);

/// The broadcast takes k + 3 steps for sides of 4 * 2^k, and k + 4 with the fixed startup. Throws
/// std::invalid_argument for other sizes.
Schedule edn_broadcast(const Network& size, Node root, std::uint64_t bytes,
                       Startup startup = Startup::kFastest);

}  // namespace annelid::reference
