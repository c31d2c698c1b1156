// What all families of extended dominating nodes on meshes have in common: blocks made of equal
// parts, their tops, and the startup. docs/internals/algorithms/edn-mesh.md, "EDN on other 2D
// meshes".
#pragma once

#include <array>
#include <vector>

#include "reference/network.hpp"

namespace annelid::reference {

/// A block of the lowest level. Coordinates are the block's own.
struct EdnBase {
  Network size;
  std::vector<Node> tops;   ///< by ascending x, no two with one x
  std::vector<Step> steps;  ///< from the tops to all nodes of the block; bytes do not count
};

/// How equal parts make a block of the next level.
struct EdnLevel {
  /// Top number `top` of part number `part`; parts are numbered x first, then y, then z.
  struct PartTop {
    int part, top;
  };
  struct Send {
    PartTop from, to;
  };
  std::array<int, 3> parts;  ///< along x, y and z
  std::vector<PartTop> tops;
  std::vector<Send> sends;
};

/// A mesh as one block; levels[0] is made of bases.
struct EdnTree {
  EdnBase base;
  std::vector<EdnLevel> levels;
};

/// PARAMETER_1 of the call.
enum class Startup : std::uint32_t { kFastest = 0, kFixed = 1 };

/// Throws std::invalid_argument for other values than 0 and 1.
Startup startup_of(std::uint32_t parameter);

/// The size of a whole tree.
Network size_of(const EdnTree& tree);

/// The tops of the whole tree, by ascending x.
std::vector<Node> tops_of(const EdnTree& tree);

/// One step for each level from the highest on, then the steps of the bases. There is no startup,
/// and no particular source.
std::vector<Step> level_steps(const EdnTree& tree);

/// From the source to two, three or four tops, by ascending x (Tsai, Figure 3.10 and Appendix A).
/// It may have messages to the source, and from a node to itself.
std::vector<Step> startup_steps(const std::vector<Node>& tops, Node source, Startup startup);

/// All steps in their order, without messages to the root or from a node to itself. Within a step,
/// messages are in ascending (z, y, x) of the senders, and those of one sender in ascending (z, y,
/// x) of the receivers, which is the order of its sends.
Schedule schedule_from(Node root, std::uint64_t bytes, std::vector<Step> startup,
                       const std::vector<Step>& levels);

}  // namespace annelid::reference
