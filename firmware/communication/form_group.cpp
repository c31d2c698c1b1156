#include "firmware/communication/form_group.hpp"

#include "firmware/communication/point_to_point.hpp"
#include "firmware/communication/sort.hpp"
#include "firmware/communication/submesh.hpp"

namespace annelid::firmware {
namespace {

using reg::CallResult;

/// What a list of members says: SUCCESS and this process's rank, or what is wrong with it. Marks
/// processes in a bit map at `seen`.
CallResult check_list(const Context& me, std::uint32_t list, std::uint32_t size, std::uint32_t seen,
                      std::uint32_t& own_rank) {
  const Memory memory = me.memory();
  const std::uint32_t nodes = me.topology().nodes();
  for (std::uint32_t word = 0; word < (nodes + 31) / 32; ++word) {
    memory.store<std::uint32_t>(seen + 4 * word, 0);
  }
  bool member = false;
  for (std::uint32_t rank = 0; rank < size; ++rank) {
    const Pid pid = memory.load<std::uint32_t>(list + 4 * rank);
    if (pid >= nodes) return CallResult::kBadArgument;
    const std::uint32_t word = seen + pid / 32 * 4, bit = std::uint32_t{1} << pid % 32;
    const auto bits = memory.load<std::uint32_t>(word);
    if ((bits & bit) != 0) return CallResult::kBadArgument;
    memory.store(word, bits | bit);
    if (pid == me.topology().pid()) {
      own_rank = rank;
      member = true;
    }
  }
  return member ? CallResult::kSuccess : CallResult::kNotAMember;
}

/// What the members of a group that is partitioned tell each other.
struct Entry {
  static constexpr std::uint32_t kBytes = 12;
  static constexpr std::uint32_t kValue = 0, kKey = 4, kCounter = 8;  // offsets in it
};

}  // namespace

Task form_group(Context& me, std::uint32_t list, std::uint32_t size, std::uint32_t label,
                std::uint32_t scratch, Group& result) {
  std::uint32_t rank = 0;
  const CallResult checked = check_list(me, list, size, scratch, rank);
  if (checked != CallResult::kSuccess) co_return checked;

  Group group = Group::listed(me.topology(), me.memory(), {}, label, size, rank, list);
  // Binomial tree: rank r's parent is r without its lowest bit, its children are r plus each lower
  // power of two.
  const Buffer counter{scratch + group_scratch(me.topology()) - 4, 4};
  std::uint32_t below = rank & -rank;  // children are at less than this
  if (rank == 0) {
    me.memory().store(counter.offset, me.node().next_group_counter());
    for (below = 1; below < size;) below *= 2;
  } else {
    co_await receive(me, group, rank & (rank - 1), counter);
  }
  for (std::uint32_t distance = below / 2; distance != 0; distance /= 2) {
    if (rank + distance < size) co_await send(me, group, rank + distance, counter);
  }
  const Pgid id{me.memory().load<std::uint32_t>(counter.offset), group.pid(0)};
  result = Group::listed(me.topology(), me.memory(), id, label, size, rank, list,
                         find_submesh(me.topology(), me.memory(), list, size));
  co_return CallResult::kSuccess;
}

Task partition(Context& me, const Group& parent, std::uint32_t myval, std::int32_t key,
               std::uint32_t list, std::uint32_t scratch, Group& result) {
  const Memory memory = me.memory();
  const std::uint32_t n = parent.size(), self = parent.rank();
  memory.store(scratch + Entry::kValue, myval);
  memory.store(scratch + Entry::kKey, key);
  memory.store(scratch + Entry::kCounter, me.node().next_group_counter());

  // Entry i is that of rank (self + i) mod n. Each step doubles what is there; the last one takes
  // no more than what is missing.
  std::uint32_t step = 1;
  for (std::uint32_t have = 1; have < n; have *= 2, ++step) {
    const std::uint32_t bytes = (have < n - have ? have : n - have) * Entry::kBytes;
    const std::uint32_t to = self >= have ? self - have : self + n - have;
    const std::uint32_t from = self + have < n ? self + have : self + have - n;
    co_await send_receive(me, parent, to, {scratch, bytes}, from,
                          {scratch + have * Entry::kBytes, bytes}, step);
  }
  const auto entry = [&](std::uint32_t rank) {
    return scratch + Entry::kBytes * (rank >= self ? rank - self : rank + n - self);
  };

  // The processes with this one's value, by their ranks in the parent, then by key and that rank.
  std::uint32_t size = 0;
  for (std::uint32_t rank = 0; rank < n; ++rank) {
    if (memory.load<std::uint32_t>(entry(rank) + Entry::kValue) != myval) continue;
    memory.store(list + 4 * size++, rank);
  }
  sort(memory, list, size, [&](std::uint32_t a, std::uint32_t b) {
    const auto key_a = memory.load<std::int32_t>(entry(a) + Entry::kKey);
    const auto key_b = memory.load<std::int32_t>(entry(b) + Entry::kKey);
    return key_a != key_b ? key_a < key_b : a < b;
  });

  const std::uint32_t leader = memory.load<std::uint32_t>(list);
  const Pgid id{memory.load<std::uint32_t>(entry(leader) + Entry::kCounter), parent.pid(leader)};
  std::uint32_t own_rank = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto rank = memory.load<std::uint32_t>(list + 4 * i);
    if (rank == self) own_rank = i;
    memory.store(list + 4 * i, parent.pid(rank));
  }
  result = Group::listed(me.topology(), memory, id, myval, size, own_rank, list,
                         find_submesh(me.topology(), memory, list, size));
  co_return CallResult::kSuccess;
}

Task form_2d_grid(Context& me, const Group& parent, std::uint32_t x_size, std::uint32_t y_size,
                  std::uint32_t list, std::uint32_t scratch, Group& row, Group& column) {
  if (std::uint64_t{x_size} * y_size != parent.size()) co_return CallResult::kBadArgument;
  const std::uint32_t y = parent.rank() / x_size, x = parent.rank() - y * x_size;
  const auto key = static_cast<std::int32_t>(parent.rank());
  const CallResult made = co_await partition(me, parent, y, key, list, scratch, row);
  if (made != CallResult::kSuccess) co_return made;
  co_return co_await partition(me, parent, x, key, list + 4 * x_size, scratch, column);
}

}  // namespace annelid::firmware
