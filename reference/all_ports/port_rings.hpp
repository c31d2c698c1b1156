// All-gather, reduce-scatter and all-reduce in rings along all dimensions at once, each with a
// strand of every block: docs/internals/algorithms/all-ports.md, "Port rings".
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/schedule/arithmetic.hpp"
#include "reference/schedule/network.hpp"

namespace annelid::reference {

/// A message of the pieces [first, end) of a strand. The pieces are the ranks' blocks, or the parts
/// of an all-reduce.
struct StrandMessage {
  Node from, to;
  int strand = 0;
  std::uint64_t first = 0, end = 0;
};

/// Which pieces go where, step by step. Steps count from 1.
class PortRings {
 public:
  /// Throws std::invalid_argument for sizes that are not 1..256.
  explicit PortRings(const Network& net);

  [[nodiscard]] int strands() const { return static_cast<int>(strands_.size()); }
  /// B: the steps of an all-gather, and of a reduce-scatter. An all-reduce has twice as many.
  [[nodiscard]] int steps() const { return begins_.back(); }
  /// The messages of a step, by strand; those of a sender in its order. The pieces of all-gather
  /// and reduce-scatter are one rank's each.
  [[nodiscard]] std::vector<StrandMessage> all_gather(int step) const;
  [[nodiscard]] std::vector<StrandMessage> reduce_scatter(int step) const;
  [[nodiscard]] std::vector<StrandMessage> all_reduce(int step) const;
  /// Returns the part of an all-reduce's strand that the node has combined after B steps.
  [[nodiscard]] std::uint64_t place(int strand, Node n) const;

  /// The steps that end a phase before the last one.
  [[nodiscard]] std::vector<std::size_t> joins_of_all_gather() const;
  [[nodiscard]] std::vector<std::size_t> joins_of_reduce_scatter() const;
  [[nodiscard]] std::vector<std::size_t> joins_of_all_reduce() const;

 private:
  struct Strand {
    int direction;                        ///< 1 or -1
    std::vector<std::size_t> dimensions;  ///< by phase
  };
  [[nodiscard]] std::size_t phases() const { return begins_.size() - 1; }
  [[nodiscard]] std::size_t phase_of(int step) const;
  [[nodiscard]] StrandMessage part_message(const Strand& strand, std::size_t phase, Node from,
                                           int places_back) const;

  Network net_;
  std::vector<Strand> strands_;
  std::vector<int> begins_;  ///< B_f of the phases, and B
};

/// `bytes` is the length of a node's block. The first two throw std::invalid_argument above 4096
/// nodes.
Schedule port_rings_all_gather(const Network& net, std::uint64_t bytes);
Schedule port_rings_reduce_scatter(const Network& net, std::uint64_t bytes);
Schedule port_rings_all_reduce(const Network& net, std::uint64_t bytes);

/// Returns the result of every node, by number. `sources` holds N blocks for each node.
std::vector<std::vector<std::byte>> port_rings_reduce_scatter_results(
    const Network& net, std::uint64_t bytes, const std::vector<std::vector<std::byte>>& sources,
    Operator op, ElementType type);
/// Returns the result, which is the same at all nodes. `blocks` holds one block for each node.
std::vector<std::byte> port_rings_all_reduce_result(
    const Network& net, const std::vector<std::vector<std::byte>>& blocks, Operator op,
    ElementType type);

}  // namespace annelid::reference
