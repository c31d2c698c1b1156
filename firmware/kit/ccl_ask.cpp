#include "firmware/kit/ccl_ask.hpp"

#include "firmware/kit/ccl_words.hpp"

namespace annelid::firmware::kit {

// Of AUTO, in programs that have it (auto.hpp).
extern "C" {
#define BY_AUTO(operation) \
  [[gnu::weak, gnu::visibility("hidden")]] extern const Use nic_uses_##operation##_AUTO[];
BY_AUTO(BROADCAST)
BY_AUTO(REDUCE)
BY_AUTO(ALL_REDUCE)
BY_AUTO(SCAN)
BY_AUTO(SCATTER)
BY_AUTO(GATHER)
BY_AUTO(ALL_GATHER)
BY_AUTO(ALL_TO_ALL)
BY_AUTO(SHIFT)
BY_AUTO(BARRIER)
#undef BY_AUTO
}

namespace {

using reg::CallWord;
using reg::Operation;

/// Finds the group. In develop mode the members compare what they say, and what they have chosen.
Asked begin(Said said, const Choice& choice) {
  static_assert(sizeof(nic_choice) % sizeof(unsigned) == 0);
  if (choice.made) {
    said.more[1] = checksum_of(reinterpret_cast<const unsigned*>(&choice.words),
                               sizeof(nic_choice) / sizeof(unsigned));
  }
  Asked asked;
  asked.chosen = choice.made;
  asked.group = group_of(said, asked.result);
  return asked;
}

bool refuse(Asked& asked) {
  if (asked.result == kSuccess) asked.result = kBadArgument;
  return false;
}

/// Whether the call can go on, with blocks that can be messages. What is too long elsewhere the
/// collective refuses.
bool goes_on(Asked& asked, std::uint64_t bytes) {
  return (asked.result == kSuccess && is_message(bytes)) || refuse(asked);
}
bool has_root(Asked& asked, unsigned pid) {
  if (asked.result != kSuccess) return false;
  const int rank = rank_in(*asked.group, pid);
  asked.root = static_cast<std::uint32_t>(rank);
  return rank >= 0 || refuse(asked);
}
bool is_root(const Asked& asked) { return asked.group->rank() == asked.root; }

/// `serve`, with `scratch` bytes at SCRATCH, is how the library does it; `by_auto` is AUTO, if the
/// program has it. (They are no aggregate: the compiler would keep those of all operations in one
/// section, and the linker could drop none.)
void complete(Asked& asked, Operation operation, const Choice& choice, std::uint64_t bytes,
              Node::Serve serve, std::uint64_t scratch, const Use* by_auto) {
  asked.served = serve_as_chosen(operation, choice, asked.group->size(), bytes,
                                 {serve, scratch, by_auto}, asked.words);
  asked.result = number_of(asked.served.result);
}

/// An operation that combines elements, by vectors at SCRATCH.
void combine_elements(Asked& asked, Operation operation, const Choice& choice,
                      const ccl_function& f, unsigned count, Node::Serve serve,
                      const Use* by_auto) {
  asked.by_core = f.apply != nullptr;
  if (asked.by_core) return;
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  asked.words = of_elements(operation, f, count, asked.root);
  complete(asked, operation, choice, bytes, serve, kScratchVectors * rounded_up(bytes), by_auto);
}

}  // namespace

Asked ask_bcast(pgid G, unsigned orig, void* data, std::size_t bytes) {
  const Choice choice(Operation::kBroadcast, G);
  Asked a = begin({Routine::kBcast, G, orig, length_of(bytes)}, choice);
  if (!has_root(a, orig) || !goes_on(a, bytes)) return a;
  a.words = of_bytes(Operation::kBroadcast, bytes, a.root);
  a.source = input(data, bytes);
  if (!is_root(a)) a.source.use = Buffered::kOut;
  complete(a, Operation::kBroadcast, choice, bytes, serve_by<binomial::check, binomial::run>, 0,
           nic_uses_BROADCAST_AUTO);
  return a;
}

Asked ask_reduce(pgid G, unsigned dest, const ccl_function& f, const void* data, void* result,
                 unsigned count) {
  const Choice choice(Operation::kReduce, G);
  Asked a = begin({Routine::kReduce, G, dest, count, &f}, choice);
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  if (!has_root(a, dest) || !goes_on(a, bytes)) return a;
  a.source = input(data, bytes);
  a.target = filled(result, bytes, is_root(a));
  combine_elements(a, Operation::kReduce, choice, f, count,
                   serve_by<binomial::check, binomial::run>, nic_uses_REDUCE_AUTO);
  return a;
}

Asked ask_combine(pgid G, const ccl_function& f, const void* data, void* result, unsigned count) {
  const Choice choice(Operation::kAllReduce, G);
  Asked a = begin({Routine::kCombine, G, 0, count, &f}, choice);
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  if (!goes_on(a, bytes)) return a;
  a.source = input(data, bytes);
  a.target = filled(result, bytes);
  combine_elements(a, Operation::kAllReduce, choice, f, count,
                   serve_by<binomial::check, binomial::run>, nic_uses_ALL_REDUCE_AUTO);
  return a;
}

Asked ask_prefix(pgid G, const ccl_function& f, const void* data, void* result, unsigned count) {
  const Choice choice(Operation::kScan, G);
  Asked a = begin({Routine::kPrefix, G, 0, count, &f}, choice);
  const std::uint64_t bytes = std::uint64_t{f.bytes} * count;
  if (!goes_on(a, bytes)) return a;
  a.source = input(data, bytes);
  a.target = filled(result, bytes);
  combine_elements(a, Operation::kScan, choice, f, count,
                   serve_by<simultaneous_binomial::check, simultaneous_binomial::run>,
                   nic_uses_SCAN_AUTO);
  return a;
}

Asked ask_scatter(pgid G, unsigned orig, const void* data, void* result, std::size_t bytes) {
  const Choice choice(Operation::kScatter, G);
  Asked a = begin({Routine::kScatter, G, orig, length_of(bytes)}, choice);
  if (!has_root(a, orig)) return a;
  const std::uint64_t all = std::uint64_t{bytes} * a.group->size();
  if (!goes_on(a, all)) return a;
  a.words = of_bytes(Operation::kScatter, bytes, a.root);
  a.source = input(data, all, is_root(a));
  a.target = filled(result, bytes);
  complete(a, Operation::kScatter, choice, bytes,
           serve_by<intercom_blocks::check, intercom_blocks::run>, all, nic_uses_SCATTER_AUTO);
  return a;
}

Asked ask_gather(pgid G, unsigned dest, const void* data, void* result, std::size_t bytes) {
  const Choice choice(Operation::kGather, G);
  Asked a = begin({Routine::kGather, G, dest, length_of(bytes)}, choice);
  if (!has_root(a, dest)) return a;
  const std::uint64_t all = std::uint64_t{bytes} * a.group->size();
  if (!goes_on(a, all)) return a;
  a.words = of_bytes(Operation::kGather, bytes, a.root);
  a.source = input(data, bytes);
  a.target = filled(result, all, is_root(a));
  complete(a, Operation::kGather, choice, bytes,
           serve_by<intercom_blocks::check, intercom_blocks::run>, all, nic_uses_GATHER_AUTO);
  return a;
}

Asked ask_concat(pgid G, const void* data, void* result, std::size_t bytes) {
  const Choice choice(Operation::kAllGather, G);
  Asked a = begin({Routine::kConcat, G, 0, length_of(bytes)}, choice);
  if (!goes_on(a, bytes)) return a;
  const std::uint64_t all = std::uint64_t{bytes} * a.group->size();
  if (!goes_on(a, all)) return a;
  a.words = of_bytes(Operation::kAllGather, bytes);
  a.source = input(data, bytes);
  a.target = filled(result, all);
  complete(a, Operation::kAllGather, choice, bytes,
           serve_by<dissemination_all_gather::check, dissemination_all_gather::run>, all,
           nic_uses_ALL_GATHER_AUTO);
  return a;
}

Asked ask_index(pgid G, const void* data, void* result, std::size_t bytes) {
  const Choice choice(Operation::kAllToAll, G);
  Asked a = begin({Routine::kIndex, G, 0, length_of(bytes)}, choice);
  if (!goes_on(a, bytes)) return a;
  const std::uint64_t all = std::uint64_t{bytes} * a.group->size();
  a.words = of_bytes(Operation::kAllToAll, bytes);
  a.source = input(data, all);
  a.target = filled(result, all);
  complete(a, Operation::kAllToAll, choice, bytes,
           serve_by<direct_all_to_all::check, direct_all_to_all::run>, 0, nic_uses_ALL_TO_ALL_AUTO);
  return a;
}

Asked ask_shift(pgid G, int steps, int cyclic, const void* data, void* result, std::size_t bytes) {
  const Choice choice(Operation::kShift, G);
  const auto words_of_steps = static_cast<std::uint32_t>(steps);
  Asked a = begin({Routine::kShift, G, words_of_steps, length_of(bytes), nullptr, {cyclic != 0, 0}},
                  choice);
  if (!goes_on(a, bytes)) return a;
  a.words = of_bytes(Operation::kShift, bytes);
  a.words.set(CallWord::kParameter0, cyclic != 0 ? 0 : 1);
  a.words.set(CallWord::kParameter1, words_of_steps);
  a.source = input(data, bytes);
  a.target = output(result, bytes);
  complete(a, Operation::kShift, choice, bytes,
           serve_by<shift_send_receive::check, shift_send_receive::run>, 0, nic_uses_SHIFT_AUTO);
  return a;
}

Asked ask_sync(pgid G) {
  const Choice choice(Operation::kBarrier, G);
  Asked a = begin({Routine::kSync, G}, choice);
  if (!goes_on(a, 0)) return a;
  a.words = of_bytes(Operation::kBarrier, 0);
  complete(a, Operation::kBarrier, choice, 0,
           serve_by<dissemination_barrier::check, dissemination_barrier::run>, 0,
           nic_uses_BARRIER_AUTO);
  return a;
}

}  // namespace annelid::firmware::kit
