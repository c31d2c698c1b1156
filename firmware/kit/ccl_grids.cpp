// Grids and hypercubes of processes: CGS, the Common Group Structures of CCL (Section 2.4). They
// are made by partition().
#include "firmware/kit/ccl.hpp"
#include "firmware/kit/ccl_modes.hpp"

using namespace annelid;
using namespace annelid::firmware;
using namespace annelid::firmware::kit;

namespace {

bool is_power_of_two(std::uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

/// Whether a grid of these sizes has so many members.
bool has_members(unsigned dimensions, const unsigned* sizes, std::uint32_t members) {
  std::uint64_t product = 1;
  for (unsigned i = 0; i < dimensions && product <= members; ++i) product *= sizes[i];
  return product == members;
}

}  // namespace

extern "C" {

void gridaddress(unsigned dimensions, const unsigned* sizes, unsigned rank, unsigned* coordinates) {
  for (unsigned i = 0; i < dimensions; ++i) {
    coordinates[i] = rank % sizes[i];
    rank /= sizes[i];
  }
}

int gridrank(unsigned dimensions, const unsigned* sizes, const unsigned* coordinates) {
  unsigned rank = 0;
  for (unsigned i = dimensions; i-- > 0;) {
    if (coordinates[i] >= sizes[i]) return -1;
    rank = rank * sizes[i] + coordinates[i];
  }
  return static_cast<int>(rank);
}

unsigned graycode(unsigned i) { return i ^ i >> 1; }
unsigned graynumber(unsigned code) {
  for (unsigned shift = 1; shift < 32; shift *= 2) code ^= code >> shift;
  return code;
}

int formgrid(pgid G, unsigned dimensions, const unsigned* sizes, pgid* lines) {
  for (unsigned i = 0; i < dimensions; ++i) lines[i] = NO_GROUP;
  int result = kSuccess;
  const Group* group = group_of(
      {Routine::kFormGrid, G, 0, 0, nullptr, {dimensions, checksum_of(sizes, dimensions)}}, result);
  if (group == nullptr) return result;
  if (!has_members(dimensions, sizes, group->size())) return kBadArgument;
  std::uint32_t distance = 1;  // of the ranks of neighbours in dimension i
  for (unsigned i = 0; i < dimensions; distance *= sizes[i++]) {
    const std::uint32_t own = group->rank() / distance % sizes[i];
    lines[i] = partition(G, group->rank() - own * distance, static_cast<int>(own));
    if (lines[i] != NO_GROUP) continue;
    while (i-- > 0) {
      (void)freegroup(lines[i]);
      lines[i] = NO_GROUP;
    }
    return kNoRoom;
  }
  return kSuccess;
}

int formsubcube(pgid G, unsigned mask, pgid* subcube) {
  *subcube = NO_GROUP;
  int result = kSuccess;
  const Group* group = group_of({Routine::kFormSubcube, G, 0, 0, nullptr, {mask, 0}}, result);
  if (group == nullptr) return result;
  if (!is_power_of_two(group->size()) || mask >= group->size()) return kBadArgument;
  *subcube = partition(G, group->rank() & ~mask, static_cast<int>(group->rank() & mask));
  return *subcube == NO_GROUP ? kNoRoom : kSuccess;
}

}  // extern "C"
