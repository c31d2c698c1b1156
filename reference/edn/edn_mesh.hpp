// The common part of all families of extended dominating nodes on meshes: blocks made of equal
// parts, their tops, and the startup. docs/internals/algorithms/edn-mesh.md, "EDN on other 2D
// meshes".
#pragma once

#include <array>
#include <vector>

#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// A block of the lowest level. Coordinates are the block's own.
struct EdnBase {
  Network size;
  std::vector<Node> tops;   ///< by ascending x, no two with one x
  std::vector<Step> steps;  ///< from the tops to all nodes of the block; bytes are ignored
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

/// Converts PARAMETER_1. Throws std::invalid_argument for values other than 0 and 1.
Startup startup_of(std::uint32_t parameter);

/// Returns the size of a tree's mesh.
Network size_of(const EdnTree& tree);

/// Returns the tops of the whole tree, by ascending x.
std::vector<Node> tops_of(const EdnTree& tree);

/// Returns one step for each level, from the highest down, then the steps of the bases. They do not
/// include the startup, and do not depend on the source.
std::vector<Step> level_steps(const EdnTree& tree);

/// Returns the steps from the source to two, three or four tops, given by ascending x (Tsai, Figure
/// 3.10 and Appendix A). They may contain messages to the source, and from a node to itself.
std::vector<Step> startup_steps(const std::vector<Node>& tops, Node source, Startup startup);

/// Joins all steps in their order, and drops messages to the root and from a node to itself. Within
/// a step, messages are in ascending (z, y, x) of the senders, and those of one sender in ascending
/// (z, y, x) of the receivers, which is the order of its sends.
Schedule schedule_from(Node root, std::uint64_t bytes, std::vector<Step> startup,
                       const std::vector<Step>& levels);

}  // namespace annelid::reference
