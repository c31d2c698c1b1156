#include "firmware/communication/submesh.hpp"

namespace annelid::firmware {

SubmeshSizes find_submesh(const Topology& network, Memory memory, std::uint32_t list,
                          std::uint32_t size) {
  const auto pid = [&](std::uint32_t rank) { return memory.load<Pid>(list + 4 * rank); };
  const Pid first = pid(0);
  const Address corner = network.address(first);
  const std::uint32_t x = network.x().value(), y = network.y().value();
  // From the corner to the edge of the network: nodes, and processes from one to the next. An edge
  // is never crossed, so a step in a dimension is always the same number of processes.
  struct {
    std::uint32_t room, step;
  } ways[] = {{x - corner.x, 1}, {y - corner.y, x}, {network.z().value() - corner.z, x * y}};

  SubmeshSizes found;
  std::uint32_t covered = 1;  // members, which are a submesh so far
  while (covered < size) {
    const std::uint32_t step = pid(covered) - first;
    std::uint32_t room = 0;
    for (auto& way : ways) {
      if (way.room < 2 || way.step != step) continue;
      room = way.room;
      way.room = 0;  // each dimension once
      break;
    }
    // As many copies of what is covered as follow each other.
    std::uint32_t copies = 1, end = covered;
    for (; copies < room && end < size && pid(end) == first + copies * step; ++copies) {
      if (covered > size - end) return {};
      for (std::uint32_t rank = 1; rank < covered; ++rank) {
        if (pid(end + rank) != pid(rank) + copies * step) return {};
      }
      end += covered;
    }
    if (copies == 1) return {};
    found.add(copies);
    covered = end;
  }
  return found;
}

}  // namespace annelid::firmware
