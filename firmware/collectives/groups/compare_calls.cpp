#include "firmware/collectives/groups/compare_calls.hpp"

#include "firmware/communication/one_sided.hpp"
#include "firmware/communication/point_to_point.hpp"

namespace annelid::firmware {
namespace {

// What a member knows in develop mode, in words: the record at SCRATCH is its own, and the one
// behind it another's (docs/internals/algorithms/ccl-modes.md, "Calls of the host").
struct Record {
  enum Word : std::uint32_t {
    // A difference that the member has heard of.
    kWhat,               ///< the word of the record that differs, kSaid or above; 0: none
    kHere,               ///< a process, and two words of what it says
    kThere = kHere + 3,  ///< the other process, and two words of what it says
    // What the member says.
    kSaid = kThere + 3,
    kGroup = kSaid + 2,
    kWords = kSaid + 14,
  };
  static constexpr std::uint32_t kClaim = 3;  ///< the words of a process and what it says
  static constexpr std::uint32_t kBytes = 4 * kWords;
  static constexpr std::uint32_t kListed = 8;  ///< bit 3 of FLAGS: PARAMETER_0 is where a list is
};
static_assert(kComparisonBytes == 2 * Record::kBytes);

/// FNV-1a, a word at a time, of the lengths of blocks that all members have alike; 0 if there are
/// none, or not in node memory.
std::uint32_t checksum_of_lengths(const Context& me) {
  const Call& call = me.call();
  const std::uint32_t at = call.parameter(0), order = call.parameter(2);
  if ((call.word(reg::CallWord::kFlags) & Record::kListed) == 0 || at % 4 != 0 ||
      call.operation() == reg::Operation::kAllToAll || !Ranks::fits(me.group(), order)) {
    return 0;
  }
  const std::uint32_t count = Ranks(me.group(), order).size();
  if (!me.in_memory(at, std::uint64_t{4} * count)) return 0;
  std::uint32_t sum = 2166136261U;
  for (std::uint32_t i = 0; i < count; ++i) {
    sum = (sum ^ me.memory().load<std::uint32_t>(at + 4 * i)) * 16777619U;
  }
  return sum;
}

void store_record(const Context& me, std::uint32_t at) {
  using Word = reg::CallWord;
  const Call& call = me.call();
  const Memory memory = me.memory();
  std::uint32_t word = 0;
  const auto put = [&](std::uint32_t value) { memory.store(at + 4 * word++, value); };
  while (word < Record::kSaid) put(0);
  for (const Word which : {Word::kOperation, Word::kAlgorithm}) put(call.word(which));
  for (const std::uint32_t value :
       {me.group().id().counter, me.group().id().pid, me.group().size()}) {
    put(value);
  }
  for (const Word which : {Word::kRoot, Word::kCount, Word::kType, Word::kOperator}) {
    put(call.word(which));
  }
  put((call.word(Word::kFlags) & Record::kListed) != 0 ? 0U : call.parameter(0));
  for (const Word which : {Word::kParameter1, Word::kParameter2, Word::kFlags}) {
    put(call.word(which));
  }
  put(checksum_of_lengths(me));
}

/// The records of this process and another.
class Comparison : Record {
 public:
  explicit Comparison(const Context& me)
      : memory_(me.memory()), own_(me.call().scratch()), other_(own_ + kBytes) {
    store_record(me, own_);
  }

  [[nodiscard]] Buffer own() const { return {own_, kBytes}; }
  [[nodiscard]] Buffer other() const { return {other_, kBytes}; }
  [[nodiscard]] Buffer difference() const { return {own_, 4 * kSaid}; }
  [[nodiscard]] bool differs() const { return word(own_, kWhat) != 0; }

  /// Another process's record has come. The first difference that is heard of stays.
  void compare(Pid pid, Pid other) const {
    if (differs()) return;
    if (word(other_, kWhat) != 0) {
      for (std::uint32_t i = 0; i < kSaid; ++i) put(i, word(other_, i));
      return;
    }
    std::uint32_t what = kSaid;
    while (what < kWords && word(own_, what) == word(other_, what)) ++what;
    if (what == kWords) return;
    if (what == kGroup + 1) what = kGroup;  // both words of the identifier
    put(kWhat, what);
    claim(kHere, other, other_, what);
    claim(kThere, pid, own_, what);
  }

  /// `kHere` becomes the one of the two that does not say what this process says.
  void see_from_here() const {
    const std::uint32_t what = word(own_, kWhat);
    for (std::uint32_t i = 0; i < words_of(what); ++i) {
      if (word(own_, what + i) != word(own_, kHere + 1 + i)) return;
    }
    for (std::uint32_t i = 0; i < kClaim; ++i) {
      const std::uint32_t here = word(own_, kHere + i);
      put(kHere + i, word(own_, kThere + i));
      put(kThere + i, here);
    }
  }

 private:
  static std::uint32_t words_of(std::uint32_t what) { return what == kGroup ? 2 : 1; }
  [[nodiscard]] std::uint32_t word(std::uint32_t record, std::uint32_t i) const {
    return memory_.load<std::uint32_t>(record + 4 * i);
  }
  void put(std::uint32_t i, std::uint32_t value) const { memory_.store(own_ + 4 * i, value); }
  void claim(std::uint32_t at, Pid pid, std::uint32_t record, std::uint32_t what) const {
    put(at, pid);
    for (std::uint32_t i = 0; i < words_of(what); ++i) put(at + 1 + i, word(record, what + i));
  }

  Memory memory_;
  std::uint32_t own_, other_;
};

}  // namespace

Task compare_calls(Context& me) {
  const Comparison comparison(me);
  const Ranks ranks(me.group(), 0);
  const TreeOfRanks tree(ranks, 0);
  const std::uint32_t to_parent = tree.to_parent();
  const Topology& topology = me.topology();
  for (std::uint32_t distance = 1; distance < to_parent; distance *= 2) {
    if (!tree.has_child(distance)) continue;
    co_await Transfer(me, Direction::kReceive,
                      message(me, tree.child(distance), comparison.other()));
    comparison.compare(topology.pid(), topology.pid(tree.child(distance)));
  }
  if (to_parent < tree.size()) {
    co_await Transfer(me, Direction::kSend, message(me, tree.parent(to_parent), comparison.own()));
    co_await Transfer(me, Direction::kReceive,
                      message(me, tree.parent(to_parent), comparison.difference()));
  } else if (comparison.differs()) {
    comparison.see_from_here();
  }
  for (std::uint32_t distance = to_parent / 2; distance != 0; distance /= 2) {
    if (!tree.has_child(distance)) continue;
    co_await Transfer(me, Direction::kSend,
                      message(me, tree.child(distance), comparison.difference()));
  }
  co_return comparison.differs() ? reg::CallResult::kCallsDiffer : reg::CallResult::kSuccess;
}

}  // namespace annelid::firmware
