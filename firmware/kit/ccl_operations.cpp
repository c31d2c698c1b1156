// CCL's operations. Those by a function of the program are made here, from messages: the core
// combines, in the order of the ranks.
#include "firmware/kit/ccl_ask.hpp"
#include "firmware/kit/ccl_words.hpp"
#include "firmware/kit/include/string.h"
#include "firmware/kit/single.hpp"

namespace annelid::firmware::kit {
namespace {

using reg::CallResult;
using reg::Operation;

// ---- By a function of the program ---------------------------------------------------------------

/// This process's elements, and room for those of another one, in node memory.
struct Operands {
  explicit Operands(const void* data, std::uint64_t bytes)
      : own(take_memory(static_cast<std::size_t>(bytes))),
        other(take_memory(static_cast<std::size_t>(bytes))) {
    if (good()) memcpy(own, data, static_cast<std::size_t>(bytes));
  }
  [[nodiscard]] bool good() const { return own != nullptr && other != nullptr; }
  void *own, *other;
};

/// Along a binomial tree of the ranks: afterwards rank 0 has the elements of all in `own`. A
/// process combines those of higher ranks behind its own, so the order of the ranks is kept.
int combine_to_first(const Group& group, const ccl_function& f, const Operands& operands,
                     unsigned count) {
  const std::uint32_t rank = group.rank(), size = group.size();
  const std::size_t bytes = std::size_t{f.bytes} * count;
  for (std::uint32_t distance = 1; distance < size; distance *= 2) {
    if ((rank & distance) != 0) {
      return send_by_rank(group, rank - distance, operands.own, bytes, kTag);
    }
    if (size - rank <= distance) continue;
    const int result = receive_by_rank(group, rank + distance, operands.other, bytes, kTag);
    if (result != kSuccess) return result;
    f.apply(operands.own, operands.own, operands.other, count);
  }
  return kSuccess;
}

/// By doubled distances (Hillis and Steele): afterwards `own` has the elements up to this rank.
int prefix_by_doubling(const Group& group, const ccl_function& f, const Operands& operands,
                       unsigned count) {
  const std::uint32_t rank = group.rank(), size = group.size();
  const std::size_t bytes = std::size_t{f.bytes} * count;
  for (std::uint32_t distance = 1; distance < size; distance *= 2) {
    const bool sends = size - rank > distance, receives = rank >= distance;
    int result = kSuccess;
    if (sends && receives) {
      result = exchange_by_rank(group, rank + distance, operands.own, rank - distance,
                                operands.other, bytes, kTag);
    } else if (sends) {
      result = send_by_rank(group, rank + distance, operands.own, bytes, kTag);
    } else if (receives) {
      result = receive_by_rank(group, rank - distance, operands.other, bytes, kTag);
    }
    if (result != kSuccess) return result;
    if (receives) f.apply(operands.own, operands.other, operands.own, count);
  }
  return kSuccess;
}

int reduce_by_core(const Asked& asked, const ccl_function& f, const void* data, void* result,
                   unsigned count) {
  const Group& group = *asked.group;
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  const bool is_root = group.rank() == asked.root;
  const MemoryScope scope;
  const Operands operands(data, bytes);
  if (!operands.good()) return kNoRoom;
  int done = combine_to_first(group, f, operands, count);
  if (done == kSuccess && asked.root != 0) {
    if (group.rank() == 0) {
      done = send_by_rank(group, asked.root, operands.own, static_cast<size_t>(bytes), kTag);
    } else if (is_root) {
      done = receive_by_rank(group, 0, operands.own, static_cast<size_t>(bytes), kTag);
    }
  }
  if (done == kSuccess && is_root) memcpy(result, operands.own, static_cast<size_t>(bytes));
  return done;
}

int combine_by_core(const Group& group, const ccl_function& f, const void* data, void* result,
                    unsigned count) {
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  const MemoryScope scope;
  const Operands operands(data, bytes);
  if (!operands.good()) return kNoRoom;
  int done = combine_to_first(group, f, operands, count);
  if (done == kSuccess) {
    done =
        run_operation(of_bytes(Operation::kBroadcast, bytes), group,
                      serve_by<binomial::check, binomial::run>, input(operands.own, bytes), {}, 0);
  }
  if (done == kSuccess) memcpy(result, operands.own, static_cast<size_t>(bytes));
  return done;
}

int prefix_by_core(const Group& group, const ccl_function& f, const void* data, void* result,
                   unsigned count) {
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  const MemoryScope scope;
  const Operands operands(data, bytes);
  if (!operands.good()) return kNoRoom;
  const int done = prefix_by_doubling(group, f, operands, count);
  if (done == kSuccess) memcpy(result, operands.own, static_cast<size_t>(bytes));
  return done;
}

/// A shift by the messages of its process alone, as nobody has chosen something else.
int shift_by_messages(const Group& group, int steps, int cyclic, const void* data, void* result,
                      std::size_t bytes) {
  const auto size = static_cast<std::int64_t>(group.size());
  const auto rank = static_cast<std::int64_t>(group.rank());
  std::int64_t to = rank + steps, from = rank - steps;
  if (cyclic != 0) {
    to = (to % size + size) % size;
    from = (from % size + size) % size;
  }
  const bool sends = to >= 0 && to < size, receives = from >= 0 && from < size;
  const auto to_rank = static_cast<std::uint32_t>(to), from_rank = static_cast<std::uint32_t>(from);
  if (sends && receives) {
    return exchange_by_rank(group, to_rank, data, from_rank, result, bytes, kTag);
  }
  if (sends) return send_by_rank(group, to_rank, data, bytes, kTag);
  return receives ? receive_by_rank(group, from_rank, result, bytes, kTag) : kSuccess;
}

}  // namespace
}  // namespace annelid::firmware::kit

using namespace annelid;
using namespace annelid::firmware;
using namespace annelid::firmware::kit;

extern "C" {

int send(unsigned dest, const void* data, size_t bytes, unsigned tag) {
  return nic_send(dest, data, bytes, tag);
}
int receive(unsigned orig, void* data, size_t bytes, unsigned tag) {
  return nic_receive(orig, data, bytes, tag);
}
int send_receive(unsigned dest, const void* data, unsigned orig, void* result, size_t bytes,
                 unsigned tag) {
  return nic_send_receive(dest, data, orig, result, bytes, tag);
}

int bcast(pgid G, unsigned orig, void* data, size_t bytes) {
  const Asked asked = ask_bcast(G, orig, data, bytes);
  if (asked.result != kSuccess) return asked.result;
  const int ready = before_fan_out(*asked.group, asked.root);
  return ready == kSuccess ? run_asked(asked) : ready;
}

int reduce(pgid G, unsigned dest, const ccl_function* rfunc, const void* data, void* result,
           unsigned count) {
  const Asked asked = ask_reduce(G, dest, *rfunc, data, result, count);
  if (asked.result != kSuccess) return asked.result;
  const int done =
      asked.by_core ? reduce_by_core(asked, *rfunc, data, result, count) : run_asked(asked);
  return after_fan_in(*asked.group, asked.root, done);
}

int combine(pgid G, const ccl_function* rfunc, const void* data, void* result, unsigned count) {
  const Asked asked = ask_combine(G, *rfunc, data, result, count);
  if (asked.result != kSuccess) return asked.result;
  return asked.by_core ? combine_by_core(*asked.group, *rfunc, data, result, count)
                       : run_asked(asked);
}

int prefix(pgid G, const ccl_function* rfunc, const void* data, void* result, unsigned count) {
  const Asked asked = ask_prefix(G, *rfunc, data, result, count);
  if (asked.result != kSuccess) return asked.result;
  const int done =
      asked.by_core ? prefix_by_core(*asked.group, *rfunc, data, result, count) : run_asked(asked);
  return after_fan_in(*asked.group, asked.group->size() - 1, done);
}

int scatter(pgid G, unsigned orig, const void* data, void* result, size_t bytes) {
  const Asked asked = ask_scatter(G, orig, data, result, bytes);
  if (asked.result != kSuccess) return asked.result;
  const int ready = before_fan_out(*asked.group, asked.root);
  return ready == kSuccess ? run_asked(asked) : ready;
}

int gather(pgid G, unsigned dest, const void* data, void* result, size_t bytes) {
  const Asked asked = ask_gather(G, dest, data, result, bytes);
  if (asked.result != kSuccess) return asked.result;
  return after_fan_in(*asked.group, asked.root, run_asked(asked));
}

int concat(pgid G, const void* data, void* result, size_t bytes) {
  const Asked asked = ask_concat(G, data, result, bytes);
  return asked.result == kSuccess ? run_asked(asked) : asked.result;
}

int index(pgid G, const void* data, void* result, size_t bytes) {
  const Asked asked = ask_index(G, data, result, bytes);
  return asked.result == kSuccess ? run_asked(asked) : asked.result;
}

int shift(pgid G, int steps, int cyclic, const void* data, void* result, size_t bytes) {
  const Asked asked = ask_shift(G, steps, cyclic, data, result, bytes);
  if (asked.result != kSuccess) return asked.result;
  const int ready = barrier_mode() ? whole_barrier(*asked.group) : kSuccess;
  if (ready != kSuccess) return ready;
  return asked.chosen ? run_asked(asked)
                      : shift_by_messages(*asked.group, steps, cyclic, data, result, bytes);
}

int sync(pgid G) {
  const Asked asked = ask_sync(G);
  return asked.result == kSuccess ? run_asked(asked) : asked.result;
}

}  // extern "C"
