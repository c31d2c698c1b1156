#include "cli/usual_embedding.hpp"

#include <array>

namespace annelid::cli {
namespace {

using reference::Operation;
using enum reference::Embedding;

enum class Of : std::uint8_t { kAll, kBroadcasts, kScans };

struct Measured {
  std::string_view algorithm;
  Of operations;
  reference::Embedding mesh, torus;
};

/// The first row that fits counts; what has none is as fast in rows as in any other.
constexpr std::array kMeasured = {
    Measured{"two-tree", Of::kScans, kQuadrants, kRows},
    Measured{"two-tree", Of::kAll, kQuadrants, kQuadrants},
    Measured{"two-tree-shifted", Of::kScans, kRows, kSnake},
    Measured{"two-tree-shifted", Of::kAll, kQuadrants, kQuadrants},
    Measured{"two-tree-couples", Of::kAll, kSnake, kSnake},
    Measured{"linear-pipeline", Of::kAll, kSnake, kSnake},
    Measured{"binary-tree", Of::kBroadcasts, kQuadrants, kSnake},
    Measured{"binary-tree", Of::kAll, kRows, kSnake},
    Measured{"scatter-allgather", Of::kAll, kSnake, kSnake},
    Measured{"butterfly", Of::kAll, kQuadrants, kQuadrants},
    Measured{"rabenseifner", Of::kAll, kQuadrants, kQuadrants},
    Measured{"simultaneous-binomial", Of::kAll, kRows, kSnake},
    Measured{"doubly-pipelined", Of::kAll, kRows, kSnake},
};

bool is_of(Operation operation, Of operations) {
  switch (operations) {
    case Of::kBroadcasts:
      return operation == Operation::kBroadcast;
    case Of::kScans:
      return operation == Operation::kScan || operation == Operation::kExscan;
    default:
      return true;
  }
}

}  // namespace

reference::Embedding usual_embedding(const reference::Algorithm& algorithm,
                                     const reference::Network& network) {
  if (network.ideal) return kRows;
  for (const Measured& m : kMeasured) {
    if (m.algorithm != algorithm.name || !is_of(algorithm.operation, m.operations)) continue;
    return network.has_rings() ? m.torus : m.mesh;
  }
  return kRows;
}

}  // namespace annelid::cli
