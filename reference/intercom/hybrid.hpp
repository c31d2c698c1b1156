// The hybrids of InterCom: which building block runs in which dimension of a logical mesh. Barnett
// and others 1994, Sections 5 and 6, and Figure 3. Conventions:
// docs/internals/algorithms/intercom.md, "Hybrids".
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "reference/intercom/line.hpp"
#include "reference/intercom/logical_mesh.hpp"

namespace annelid::reference::intercom {

/// The operations of Table 1.
enum class Collective : std::uint8_t {
  kBroadcast,
  kScatter,
  kGather,
  kCollect,            ///< all-gather
  kCombineToOne,       ///< reduce
  kCombineToAll,       ///< all-reduce
  kDistributedCombine  ///< reduce-scatter
};
inline constexpr std::array kCollectives{
    Collective::kBroadcast,         Collective::kScatter,      Collective::kGather,
    Collective::kCollect,           Collective::kCombineToOne, Collective::kCombineToAll,
    Collective::kDistributedCombine};

/// "broadcast", "scatter", "gather", "collect", "combine-to-one", "combine-to-all",
/// "distributed combine".
std::string_view name_of(Collective collective);

/// Whether one member is the root.
constexpr bool has_root(Collective c) {
  return c == Collective::kBroadcast || c == Collective::kScatter || c == Collective::kGather ||
         c == Collective::kCombineToOne;
}
/// Whether operands are combined.
constexpr bool combines(Collective c) { return c >= Collective::kCombineToOne; }
/// Whether each rank has a block of its own in the vector, with a length of its own. Otherwise the
/// vector is everybody's, and is cut as the algorithm needs it.
constexpr bool has_blocks(Collective c) {
  return c == Collective::kScatter || c == Collective::kGather || c == Collective::kCollect ||
         c == Collective::kDistributedCombine;
}

/// What runs in the last dimension (Figure 3): the long vector algorithm as in all others, or the
/// short vector algorithm of Section 5.1. Of one dimension alone, these are the algorithms of
/// Sections 5.2 and 5.1.
enum class Template : std::uint8_t {
  kLong,  ///< S..S C..C
  kShort  ///< S..S M C..C
};

/// A building block in all lines of a dimension that take part (intercom.md, "Which lines").
struct Stage {
  Primitive primitive;
  std::size_t dimension;
  friend bool operator==(const Stage&, const Stage&) = default;
};

/// Returns the stages in order, for any number of dimensions.
std::vector<Stage> stages_of(Collective collective, Template form, std::size_t dimensions);

/// The stages' letters, such as "SSMCC".
std::string letters(const std::vector<Stage>& stages);

/// A way to perform a collective: a logical mesh of the group's ranks, and a template.
struct Hybrid {
  LogicalMesh mesh;
  Template form;
  friend bool operator==(const Hybrid&, const Hybrid&) = default;
};

}  // namespace annelid::reference::intercom
