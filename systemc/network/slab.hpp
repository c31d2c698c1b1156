// The part of a network that one of several processes simulates.
#pragma once

#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// A slab is a number of whole planes, across the last dimension that has more than one node. Nodes
/// are numbered plane by plane, so those of a slab follow each other. A slab that is cut off from
/// its neighbours sends to them, and receives from them, by the links of this dimension alone.
struct Slab {
  int process = 0, processes = 1;
  int dim = 0;                ///< the dimension that is cut
  NodeId plane = 1;           ///< nodes of a plane
  NodeId first = 0, end = 0;  ///< the nodes first, ..., end - 1
  NodeId nodes = 0;           ///< of the network
  bool ring = false;          ///< the last slab is a neighbour of the first

  /// Slabs of equal size, or one plane more.
  Slab(const NetworkConfig& network, int its_process, int its_processes)
      : process(its_process),
        processes(its_processes),
        dim(cut_dimension(network)),
        nodes(static_cast<NodeId>(network.nodes())),
        ring(network.is_ring(dim)) {
    for (int d = 0; d < dim; ++d) plane *= static_cast<NodeId>(network.size_of(d));
    const auto size = static_cast<NodeId>(network.size_of(dim));
    const auto parts = static_cast<NodeId>(processes), part = static_cast<NodeId>(process);
    first = plane * (size * part / parts);
    end = plane * (size * (part + 1) / parts);
  }

  [[nodiscard]] bool has(NodeId node) const { return node >= first && node < end; }
  [[nodiscard]] NodeId last_plane() const { return end - plane; }
  /// Whether there is a slab beyond the last plane, or before the first one.
  [[nodiscard]] bool has_above() const {
    return processes > 1 && (ring || process + 1 < processes);
  }
  [[nodiscard]] bool has_below() const { return processes > 1 && (ring || process > 0); }

  [[nodiscard]] static int cut_dimension(const NetworkConfig& network) {
    int dim = 0;
    for (int d = 0; d < network.dims(); ++d) {
      if (network.size_of(d) > 1) dim = d;
    }
    return dim;
  }
  /// The most processes that can share a network.
  [[nodiscard]] static int most(const NetworkConfig& network) {
    return network.ideal ? 1 : network.size_of(cut_dimension(network));
  }
};

}  // namespace annelid::systemc
