#include "reference/operations.hpp"

namespace annelid::reference {

std::span<const std::byte> after_broadcast(const Network& size, Node root, Node node,
                                           std::span<const std::byte> root_before,
                                           std::span<const std::byte> node_before) {
  require(size, root);
  require(size, node);
  if (root_before.size() != node_before.size()) {
    throw std::invalid_argument("broadcast: all buffers have one length");
  }
  return root_before;
}

}  // namespace annelid::reference
