#include "firmware/kit/intercom_group.hpp"

#include "firmware/communication/submesh.hpp"

namespace annelid::firmware::kit {

using reg::CallResult;

/// Copies the array, and finds nodes that do not exist, nodes that are named twice, and this one. A
/// group that is a submesh has the hybrids of its rows and columns.
void ArrayGroup::list(const unsigned* array, std::uint32_t size) {
  const Topology& topology = node().topology();
  const std::uint32_t nodes = topology.nodes(), own = topology.pid();
  if (size == 0 || size > nodes) return;
  auto* members = static_cast<std::uint32_t*>(take_memory(4 * size));
  auto* seen = static_cast<std::uint32_t*>(take_memory(4 * ((nodes + 31) / 32)));
  if (members == nullptr || seen == nullptr) {
    result_ = CallResult::kNoRoom;
    return;
  }
  for (std::uint32_t i = 0; i < (nodes + 31) / 32; ++i) seen[i] = 0;
  std::uint32_t rank = Group::kNotAMember;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t member = array[i];
    if (member >= nodes || (seen[member / 32] >> member % 32 & 1) != 0) return;
    seen[member / 32] |= 1U << member % 32;
    members[i] = member;
    if (member == own) rank = i;
  }
  if (rank == Group::kNotAMember) {
    result_ = CallResult::kNotAMember;
    return;
  }
  listed_ = true;
  const std::uint32_t at = offset_of(members);
  group_ = Group::listed(topology, node().memory(), Pgid{}, 0, size, rank, at,
                         find_submesh(topology, node().memory(), at, size));
  result_ = CallResult::kSuccess;
}

}  // namespace annelid::firmware::kit
