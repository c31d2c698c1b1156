#include "firmware/collectives/modes.hpp"

#include <utility>

#include "firmware/communication/one_sided.hpp"

namespace annelid::firmware {
namespace {

// What a member says in develop mode, in words; its own is at SCRATCH, and one of another behind.
constexpr std::uint32_t kRecordWords = 16, kRecordBytes = 4 * kRecordWords,
                        kComparisonBytes = 2 * kRecordBytes;
/// Bit 3 of FLAGS: PARAMETER_0 is where this member has a list.
constexpr std::uint32_t kListed = 8;
constexpr std::uint32_t kMostTag = 0xFFFF;

void store_record(const Context& me, std::uint32_t at) {
  using Word = reg::CallWord;
  const Call& call = me.call();
  const Memory memory = me.memory();
  std::uint32_t word = 0;
  const auto put = [&](std::uint32_t value) { memory.store(at + 4 * word++, value); };
  put(0);  // whether any that this process has heard of differ
  for (const std::uint32_t value :
       {me.group().id().counter, me.group().id().pid, me.group().size(),
        (call.word(Word::kFlags) & kListed) != 0 ? 0U : call.parameter(0)}) {
    put(value);
  }
  for (const Word which :
       {Word::kOperation, Word::kAlgorithm, Word::kRoot, Word::kCount, Word::kType, Word::kOperator,
        Word::kParameter1, Word::kParameter2, Word::kFlags}) {
    put(call.word(which));
  }
  while (word < kRecordWords) put(0);
}

/// Whether two records differ, or one of them has heard of a difference.
bool differ(const Memory& memory, std::uint32_t own, std::uint32_t other) {
  std::uint32_t difference = memory.load<std::uint32_t>(own);
  for (std::uint32_t at = 0; at < kRecordBytes; at += 4) {
    difference |= memory.load<std::uint32_t>(own + at) ^ memory.load<std::uint32_t>(other + at);
  }
  return difference != 0;
}

/// All members compare their records with those of the members below them in a tree; the first
/// member tells all whether there was a difference. Then the result is CALLS_DIFFER at each.
Task compare(Context& me) {
  const std::uint32_t own = me.call().scratch(), other = own + kRecordBytes;
  store_record(me, own);
  const Ranks ranks(me.group(), 0);
  const TreeOfRanks tree(ranks, 0);
  const std::uint32_t to_parent = tree.to_parent();
  for (std::uint32_t distance = 1; distance < to_parent; distance *= 2) {
    if (!tree.has_child(distance)) continue;
    co_await Transfer(me, Direction::kReceive,
                      message(me, tree.child(distance), {other, kRecordBytes}));
    if (differ(me.memory(), own, other)) me.memory().store(own, std::uint32_t{1});
  }
  if (to_parent < tree.size()) {
    co_await Transfer(me, Direction::kSend,
                      message(me, tree.parent(to_parent), {own, kRecordBytes}));
    co_await Transfer(me, Direction::kReceive, message(me, tree.parent(to_parent), {own, 4}));
  }
  for (std::uint32_t distance = to_parent / 2; distance != 0; distance /= 2) {
    if (!tree.has_child(distance)) continue;
    co_await Transfer(me, Direction::kSend, message(me, tree.child(distance), {own, 4}));
  }
  co_return me.memory().load<std::uint32_t>(own) == 0 ? CallResult::kSuccess
                                                      : CallResult::kCallsDiffer;
}

/// What barrier mode adds to an operation.
enum class Framing : std::uint8_t { kNothing, kInBefore, kOutBehind, kBothBefore };

/// Returns nothing for an operation that is no collective.
std::optional<Framing> frame_of(reg::Operation operation) {
  using enum reg::Operation;
  switch (operation) {
    case kBroadcast:
    case kScatter:
    case kSyncOut:
      return Framing::kInBefore;
    case kReduce:
    case kGather:
    case kScan:
    case kExscan:
    case kSyncIn:
      return Framing::kOutBehind;
    case kShift:
    case kTranspose:
      return Framing::kBothBefore;
    case kAllGather:
    case kAllReduce:
    case kAllToAll:
    case kReduceScatter:
    case kBarrier:
      return Framing::kNothing;
    default:
      return std::nullopt;
  }
}

/// The rank that barrier mode synchronizes with: the root's, or of a scan the last one.
std::uint32_t middle_of(const Context& me, const Ranks& ranks) {
  using enum reg::Operation;
  const Call& call = me.call();
  switch (call.operation()) {
    case kScan:
    case kExscan:
      return ranks.size() - 1;
    case kShift:
    case kTranspose:
      return 0;
    default:
      return call.root() < me.group().size() ? ranks.rank_of(call.root()) : Ranks::kNoRank;
  }
}

Task run_in_modes(Context& me, std::uint32_t modes) {
  if ((modes & reg::kFlagDevelop) != 0) {
    const CallResult compared = co_await compare(me);
    if (compared != CallResult::kSuccess) co_return compared;
    me.take_modes(kComparisonBytes);
  }
  const Framing frame =
      (modes & reg::kFlagBarrier) != 0 ? *frame_of(me.call().operation()) : Framing::kNothing;
  std::optional<Task> operation;
  if (frame == Framing::kNothing) {
    const CallResult result = serve(me, operation);
    if (result != CallResult::kSuccess) co_return result;
    co_return co_await std::move(*operation);
  }
  if (!Ranks::fits(me.group(), me.call().parameter(2))) co_return CallResult::kBadArgument;
  const Ranks ranks(me.group(), me.call().parameter(2));
  const std::uint32_t middle = middle_of(me, ranks);
  if (middle == Ranks::kNoRank) co_return CallResult::kBadArgument;
  const bool member = ranks.own() != Ranks::kNoRank;
  CallResult result = CallResult::kSuccess;
  if (member && frame != Framing::kOutBehind) {
    result = co_await sync_in(me, ranks, middle, Steps::kNone);
  }
  if (member && frame == Framing::kBothBefore && result == CallResult::kSuccess) {
    result = co_await sync_out(me, ranks, middle, Steps::kNone);
  }
  if (result == CallResult::kSuccess) result = serve(me, operation);
  if (result == CallResult::kSuccess) result = co_await std::move(*operation);
  if (member && frame == Framing::kOutBehind && result == CallResult::kSuccess) {
    result = co_await sync_out(me, ranks, middle, Steps::kNone);
  }
  co_return result;
}

}  // namespace

CallResult serve_in_modes(Context& me, std::optional<Task>& task) {
  const std::uint32_t modes = me.take_modes(0);
  const Call& call = me.call();
  if (!frame_of(call.operation())) return CallResult::kUnknownOperation;
  if (call.tag() > kMostTag) return CallResult::kBadArgument;
  if ((modes & reg::kFlagDevelop) != 0 &&
      (call.scratch() % 4 != 0 || !me.in_memory(call.scratch(), kComparisonBytes))) {
    return CallResult::kBadArgument;
  }
  task.emplace(run_in_modes(me, modes));
  return CallResult::kSuccess;
}

}  // namespace annelid::firmware
