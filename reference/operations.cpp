#include "reference/operations.hpp"

namespace annelid::reference {

std::vector<std::vector<std::byte>> broadcast(MeshSize size, Node root,
                                              const std::vector<std::vector<std::byte>>& buffers) {
  require(size, root);
  if (buffers.size() != static_cast<std::size_t>(size.nodes())) {
    throw std::invalid_argument("broadcast: one buffer per node is needed");
  }
  return std::vector<std::vector<std::byte>>(
      buffers.size(), buffers[static_cast<std::size_t>(index_of(size, root))]);
}

}  // namespace annelid::reference
