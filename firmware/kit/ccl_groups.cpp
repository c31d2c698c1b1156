// CCL's process groups. They have places in the node's table, like those of the host's calls.
#include "firmware/communication/form_group.hpp"
#include "firmware/kit/ccl.hpp"
#include "firmware/kit/ccl_modes.hpp"
#include "firmware/kit/operation.hpp"
#include "firmware/kit/single.hpp"

namespace annelid::firmware {

namespace group_call {
reg::CallResult check(const Context& me);
Task run(Context& me);
}  // namespace group_call
namespace partition_call {
reg::CallResult check(const Context& me);
Task run(Context& me);
}  // namespace partition_call
namespace form_grid_call {
reg::CallResult check(const Context& me);
Task run(Context& me);
}  // namespace form_grid_call

namespace kit {
namespace {

constexpr std::uint32_t kNoPlace = 0;

pgid pgid_of(const Group& group) {
  return static_cast<pgid>(group.id().counter) << 32 | group.id().pid;
}

/// The place of a group; kNoPlace for ALL, and also if there is none.
std::uint32_t place_of(pgid id) {
  for (std::uint32_t place = 1; place < GroupTable::kGroups; ++place) {
    const Group* group = node().groups().find(place);
    if (group != nullptr && pgid_of(*group) == id) return place;
  }
  return kNoPlace;
}

std::uint32_t free_place(std::uint32_t after = 0) {
  for (std::uint32_t place = after + 1; place < GroupTable::kGroups; ++place) {
    if (node().groups().find(place) == nullptr) return place;
  }
  return GroupTable::kGroups;  // which the call refuses
}

}  // namespace

const Group* find_group(pgid id) {
  if (id == ALL) return &all_nodes();
  return node().groups().find(place_of(id) == kNoPlace ? GroupTable::kGroups : place_of(id));
}

std::uint32_t checksum_of(const unsigned* list, std::uint32_t size) {
  std::uint32_t sum = 0x811C9DC5;
  for (std::uint32_t i = 0; i < size; ++i) {
    for (int shift = 0; shift < 32; shift += 8)
      sum = (sum ^ (list[i] >> shift & 0xFF)) * 0x01000193;
  }
  return sum;
}

}  // namespace kit
}  // namespace annelid::firmware

using namespace annelid;
using namespace annelid::firmware;
using namespace annelid::firmware::kit;
using reg::CallWord;

namespace {

/// Memory of a group's list, which stays if the group is made, and of a call's scratch, which does
/// not.
class GroupMemory {
 public:
  GroupMemory(std::uint64_t list, std::uint64_t scratch) : mark_(memory_mark()) {
    list_ = take_memory(static_cast<std::size_t>(list));
    scratch_mark_ = memory_mark();
    scratch_ = take_memory(static_cast<std::size_t>(scratch));
  }
  [[nodiscard]] bool good() const { return list_ != nullptr && scratch_ != nullptr; }
  [[nodiscard]] void* list() const { return list_; }
  [[nodiscard]] std::uint32_t scratch() const { return offset_of(scratch_); }
  void finish(bool made) const { free_memory_from(made ? scratch_mark_ : mark_); }

 private:
  std::uint32_t mark_, scratch_mark_ = 0;
  void *list_ = nullptr, *scratch_ = nullptr;
};

/// Where this process is in a list; `size` if it is not there.
std::uint32_t place_in(const unsigned* list, std::uint32_t size) {
  std::uint32_t place = 0;
  while (place < size && list[place] != nic_node()) ++place;
  return place;
}

/// The identifier of the group that a call has made at a place.
pgid made_at(std::uint32_t place, int result) {
  return result == kSuccess ? pgid_of(*node().groups().find(place)) : NO_GROUP;
}

}  // namespace

extern "C" {

pgid group(unsigned size, const unsigned* list, unsigned label) {
  if (agree_in_list(list, size, place_in(list, size),
                    {Routine::kGroup, ALL, 0, 0, nullptr, {label, checksum_of(list, size)}}) !=
      kSuccess) {
    return NO_GROUP;
  }
  const GroupMemory memory(4 * std::uint64_t{size}, group_scratch(node().topology()));
  int result = kNoRoom;
  const std::uint32_t place = free_place();
  if (memory.good()) {
    auto* members = static_cast<unsigned*>(memory.list());
    for (unsigned i = 0; i < size; ++i) members[i] = list[i];
    const Words words{{CallWord::kSource, offset_of(members)},
                      {CallWord::kCount, size},
                      {CallWord::kParameter0, place},
                      {CallWord::kParameter1, label},
                      {CallWord::kScratch, memory.scratch()}};
    result = call(words, all_nodes(), serve_by<group_call::check, group_call::run>);
  }
  memory.finish(result == kSuccess);
  return made_at(place, result);
}

pgid partition(pgid G, unsigned myval, int key) {
  int result = kSuccess;
  const Group* parent = group_of({Routine::kPartition, G}, result);
  if (parent == nullptr) return NO_GROUP;
  const GroupMemory memory(4 * std::uint64_t{parent->size()}, partition_scratch(parent->size()));
  result = kNoRoom;
  const std::uint32_t place = free_place();
  if (memory.good()) {
    const Words words{{CallWord::kTarget, offset_of(memory.list())},
                      {CallWord::kParameter0, place},
                      {CallWord::kParameter1, myval},
                      {CallWord::kParameter2, static_cast<std::uint32_t>(key)},
                      {CallWord::kScratch, memory.scratch()}};
    result = call(words, *parent, serve_by<partition_call::check, partition_call::run>);
  }
  memory.finish(result == kSuccess);
  return made_at(place, result);
}

int form2dgrid(pgid G, unsigned x_size, unsigned y_size, pgid* row, pgid* column) {
  *row = *column = NO_GROUP;
  int result = kSuccess;
  const Group* parent =
      group_of({Routine::kForm2dGrid, G, 0, 0, nullptr, {x_size, y_size}}, result);
  if (parent == nullptr) return result;
  const GroupMemory memory(4 * (std::uint64_t{x_size} + y_size), partition_scratch(parent->size()));
  result = kNoRoom;
  const std::uint32_t row_place = free_place(), column_place = free_place(row_place);
  if (memory.good()) {
    const Words words{{CallWord::kTarget, offset_of(memory.list())},
                      {CallWord::kCount, x_size},
                      {CallWord::kParameter0, row_place},
                      {CallWord::kParameter1, column_place},
                      {CallWord::kParameter2, y_size},
                      {CallWord::kScratch, memory.scratch()}};
    result = call(words, *parent, serve_by<form_grid_call::check, form_grid_call::run>);
  }
  memory.finish(result == kSuccess);
  *row = made_at(row_place, result);
  *column = made_at(column_place, result);
  return result;
}

int freegroup(pgid G) {
  const std::uint32_t place = place_of(G);
  if (place == kNoPlace) return kNoSuchGroup;
  node().groups().free(place);
  return kSuccess;
}

unsigned getsize(pgid G) {
  const Group* group = find_group(G);
  return group == nullptr ? 0 : static_cast<unsigned>(group->size());
}

void getmembers(pgid G, unsigned* list) {
  const unsigned size = getsize(G);
  for (unsigned rank = 0; rank < size; ++rank) list[rank] = getpid(G, rank);
}

int getrank(pgid G, unsigned pid) {
  const Group* group = find_group(G);
  if (group == nullptr) return -1;
  if (pid == node().topology().pid()) return static_cast<int>(group->rank());
  const std::uint32_t rank =
      pid < node().topology().nodes() ? group->rank_of(pid) : Group::kNotAMember;
  return rank == Group::kNotAMember ? -1 : static_cast<int>(rank);
}

unsigned getpid(pgid G, unsigned rank) {
  const Group* group = find_group(G);
  const bool known = group != nullptr && rank < group->size();
  return known ? static_cast<unsigned>(group->pid(rank)) : ~0U;
}

unsigned getlabel(pgid G) {
  const Group* group = find_group(G);
  return group == nullptr ? 0 : static_cast<unsigned>(group->label());
}

unsigned getplace(pgid G) {
  if (G == ALL) return 0;
  const std::uint32_t place = place_of(G);
  return place == kNoPlace ? ~0U : static_cast<unsigned>(place);
}

}  // extern "C"
