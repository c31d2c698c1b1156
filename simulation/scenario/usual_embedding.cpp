#include "simulation/scenario/usual_embedding.hpp"

#include <array>
#include <optional>

namespace annelid::simulation {
namespace {

using reference::Embedding;
using reference::Operation;
using enum reference::Embedding;

/// The fastest embedding in each column of the table in docs/internals/algorithms/groups.md, "Which
/// embedding".
struct Measured {
  std::string_view algorithm;
  std::optional<Operation> operation;  ///< nothing: all others
  Embedding mesh_8x8, mesh_16x16, torus_8x8, torus_16x16;
};

/// The first row that fits counts; what has none is as fast in rows as in any other.
constexpr std::array kMeasured = {
    Measured{"two-tree", Operation::kScan, kRows, kQuadrants, kQuadrants, kRows},
    Measured{"two-tree", Operation::kReduce, kSnake, kQuadrants, kRows, kRows},
    Measured{"two-tree", {}, kQuadrants, kQuadrants, kRows, kRows},
    Measured{"two-tree-shifted", Operation::kScan, kQuadrants, kQuadrants, kRows, kSnake},
    Measured{"two-tree-shifted", Operation::kReduce, kSnake, kQuadrants, kRows, kRows},
    Measured{"two-tree-shifted", {}, kQuadrants, kQuadrants, kRows, kRows},
    Measured{"two-tree-couples", Operation::kBroadcast, kQuadrants, kQuadrants, kRows, kSnake},
    Measured{"two-tree-couples", Operation::kScan, kQuadrants, kQuadrants, kRows, kQuadrants},
    Measured{"two-tree-couples", {}, kSnake, kQuadrants, kSnake, kSnake},
    Measured{"linear-pipeline", {}, kSnake, kSnake, kSnake, kSnake},
    Measured{"binary-tree", Operation::kBroadcast, kQuadrants, kQuadrants, kQuadrants, kSnake},
    Measured{"binary-tree", Operation::kReduce, kRows, kRows, kRows, kSnake},
    Measured{"binary-tree", {}, kRows, kRows, kSnake, kSnake},
    Measured{"circulant", Operation::kReduce, kQuadrants, kRows, kRows, kRows},
    Measured{"edst", Operation::kReduce, kQuadrants, kQuadrants, kRows, kQuadrants},
    Measured{"edst", {}, kQuadrants, kQuadrants, kQuadrants, kQuadrants},
    Measured{"scatter-allgather", {}, kSnake, kSnake, kSnake, kSnake},
    Measured{"butterfly", {}, kQuadrants, kQuadrants, kQuadrants, kQuadrants},
    Measured{"rabenseifner", {}, kQuadrants, kQuadrants, kQuadrants, kQuadrants},
    Measured{"elimination-butterfly", {}, kQuadrants, kQuadrants, kQuadrants, kQuadrants},
    Measured{"simultaneous-binomial", {}, kRows, kRows, kSnake, kSnake},
    Measured{"doubly-pipelined", {}, kQuadrants, kQuadrants, kSnake, kSnake},
    Measured{"leaders", Operation::kAllReduce, kQuadrants, kQuadrants, kQuadrants, kQuadrants},
    Measured{"leaders", {}, kRows, kRows, kSnake, kSnake},
    Measured{"send-receive", {}, kSnake, kSnake, kSnake, kSnake},
    Measured{"even-odd", {}, kSnake, kSnake, kSnake, kSnake},
};

/// Networks up to here are taken for 8 x 8, larger ones for 16 x 16.
constexpr int kMostSmallNodes = 128;

}  // namespace

Embedding usual_embedding(const reference::Algorithm& algorithm,
                          const reference::Network& network) {
  if (network.ideal) return kRows;
  const Operation operation =
      algorithm.operation == Operation::kExscan ? Operation::kScan : algorithm.operation;
  const bool small = network.nodes() <= kMostSmallNodes;
  for (const Measured& m : kMeasured) {
    if (m.algorithm != algorithm.name || m.operation.value_or(operation) != operation) continue;
    if (network.has_rings()) return small ? m.torus_8x8 : m.torus_16x16;
    return small ? m.mesh_8x8 : m.mesh_16x16;
  }
  return kRows;
}

}  // namespace annelid::simulation
