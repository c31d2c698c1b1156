// All-to-all by the digits of distances, the `index` of CCL by a radix: Bala and others 1995,
// Section 4.2; docs/internals/algorithms/collect-and-exchange.md, "All-to-all". SOURCE: blocks by
// receiver; TARGET: blocks by sender; PARAMETER_1, PARAMETER_0: the radices of the places, or 0: 2;
// SCRATCH: two blocks for each member, if the first radix is below their number.
//
// The first half of SCRATCH holds a block for each distance. The blocks of a step are runs of W
// blocks, W·R apart, where R is the radix of the place, and W the product of those before. Where a
// run is a multiple of 8 bytes, the NIC sends them from there as one
// strided message. Other runs are packed first. A receive cannot be strided. So messages come in
// the second half, and their runs are copied to their distances. All messages of a place have about
// N / W such runs, and those of all places about N. TARGET cannot take the place of the first
// half: its blocks are in the opposite order, so each of them would be a run of its own.
//
// A block is sent at most once in a place. So the steps of a place do not wait for each other. But
// a strided send uses all bytes from its first to its last one. So nothing is copied to the first
// half before all sends of the place are complete. The messages of a place have room for this: N
// blocks, or N / 2 at a time if they are packed, as these need room twice.
#include "firmware/collectives/buffers/blocks.hpp"
#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/communication/window.hpp"

namespace annelid::firmware {

namespace direct_all_to_all {
Task run(Context& me);
}

namespace radix_all_to_all {
namespace {

/// Receives, and sends, that a process has under way at a time. Others may use the rest of the
/// NIC's places.
constexpr std::uint32_t kUnderWay = 16;
using Transfers = Window<kUnderWay>;

/// The radices of the call's words, two in each.
class Radices {
 public:
  static constexpr std::uint32_t kMost = 4;

  explicit Radices(const Call& call) : low_(call.parameter(1)), high_(call.parameter(0)) {
    if (low_ == 0) low_ = 2;
  }
  /// The radix of a place; 0: as the place before. The first one is not 0.
  [[nodiscard]] std::uint32_t word(std::uint32_t place) const {
    return ((place < 2 ? low_ : high_) >> place % 2 * 16) & 0xFFFF;
  }
  [[nodiscard]] bool are_good() const {
    bool ended = false;
    for (std::uint32_t place = 0; place < kMost; ++place) {
      const std::uint32_t radix = word(place);
      if (radix == 1 || (ended && radix != 0)) return false;
      if (radix == 0) ended = true;
    }
    return word(0) != 0;
  }

 private:
  std::uint32_t low_, high_;
};

/// A step: the distances with one digit at one place, in runs of `weight` distances that begin
/// `stride` after each other. The first run begins at `first`, which is how far the message goes.
class Step {
 public:
  Step(std::uint32_t size, Radices radices) : size_(size), radices_(radices) { begin_place(1); }

  [[nodiscard]] bool exists() const { return first_ < size_; }
  [[nodiscard]] std::uint32_t number() const { return number_; }
  [[nodiscard]] std::uint32_t first() const { return first_; }
  [[nodiscard]] std::uint32_t weight() const { return weight_; }  // of the place
  [[nodiscard]] std::uint32_t stride() const { return stride_; }  // radix * weight, or size
  /// A single run in each step.
  [[nodiscard]] bool is_of_last_place() const { return stride_ == size_; }
  /// Blocks of the messages that came before this one since begin_round().
  [[nodiscard]] std::uint32_t before() const { return before_; }
  /// Blocks of the message. They are half of all at most: for each of them, the one with digit 0 in
  /// its place stays.
  [[nodiscard]] std::uint32_t blocks() const {
    const std::uint32_t whole = (size_ - 1) / stride_, rest = size_ - whole * stride_;
    if (rest <= first_) return whole * weight_;
    return whole * weight_ + (rest - first_ < weight_ ? rest - first_ : weight_);
  }

  void begin_round() { before_ = 0; }
  void advance() {
    before_ += blocks();
    ++number_;
    first_ += weight_;
    if (first_ >= stride_) begin_place(stride_);
  }

 private:
  void begin_place(std::uint32_t weight) {
    const std::uint32_t radix = place_ < Radices::kMost ? radices_.word(place_++) : 0;
    if (radix != 0) radix_ = radix;
    const std::uint64_t stride = std::uint64_t{weight} * radix_;
    first_ = weight_ = weight;
    stride_ = stride < size_ ? static_cast<std::uint32_t>(stride) : size_;
  }

  std::uint32_t size_;
  Radices radices_;
  std::uint32_t place_ = 0, radix_ = 0;  // the next place; the radix of this one
  std::uint32_t number_ = 1, first_ = 0, weight_ = 0, stride_ = 0, before_ = 0;
};

/// Blocks to copy, in runs that lie apart. The last run may be shorter.
struct Runs {
  std::uint32_t from, to, bytes;
  std::uint32_t run, from_step, to_step;
};
/// At TARGET the last block comes after the first one.
Task copy_runs(Context& me, Runs runs) {
  const Blocks target = target_blocks(me);
  Batch<8> copies;
  while (runs.bytes > 0) {
    const std::uint32_t run = runs.bytes < runs.run ? runs.bytes : runs.run;
    if (!copies.has_room(2)) co_await copies;
    add_copy(me, copies, runs.to, {runs.from, run});
    runs.bytes -= run;
    runs.from += runs.from_step;
    runs.to =
        runs.to == target.offset ? target.at(me.group().size() - 1).offset : runs.to + runs.to_step;
  }
  co_await copies;
  co_return CallResult::kSuccess;
}

/// The runs of the distances [first, end), from one place to TARGET.
Runs to_target(const Context& me, std::uint32_t from, std::uint32_t first, std::uint32_t end) {
  const Blocks target = target_blocks(me);
  return {from,
          target.at(rank_before(me.group(), first)).offset,
          (end - first) * target.bytes,
          target.bytes,
          target.bytes,
          0 - target.bytes};
}

Task exchange(Context& me) {
  const Group& group = me.group();
  const std::uint32_t size = group.size(), bytes = me.call().bytes();
  const Blocks source = source_blocks(me), held{me.call().scratch(), bytes};
  const Blocks arrived{held.at(size).offset, bytes}, packed{arrived.at(size / 2).offset, bytes};
  Transfers receives, sends;

  // SOURCE in the order of distances.
  for (std::uint32_t d = 0; d < size; d = d == 0 ? size - group.rank() : size) {
    const std::uint32_t first = d == 0 ? group.rank() : 0, end = d == 0 ? size : group.rank();
    const Address self = me.topology().self();
    receives.add(me, Direction::kReceive, message(me, self, held.at(d, end - first)));
    sends.add(me, Direction::kSend, message(me, self, source.at(first, end - first)));
  }

  Step round(size, Radices(me.call())), next = round;
  for (std::uint32_t done = 0; done < size; done = round.weight()) {  // those below are in TARGET
    // What is under way: the steps from `round` to `next`.
    while (!receives.empty()) co_await receives.oldest();
    while (!sends.empty()) co_await sends.oldest();
    const bool at_end = !next.exists();
    for (; !at_end && round.number() < next.number(); round.advance()) {
      const std::uint32_t run = round.weight() * bytes;
      const CallResult result =
          co_await copy_runs(me, {arrived.at(round.before()).offset, held.at(round.first()).offset,
                                  round.blocks() * bytes, run, run, round.stride() * bytes});
      if (result != CallResult::kSuccess) co_return result;
    }

    // A round: no steps at the end, or steps of one place whose messages have room at once. If
    // nothing is packed, these are all steps of the place.
    next.begin_round();
    round = next;
    const std::uint32_t run = round.weight() * bytes, stride = round.stride() * bytes;
    const bool apart = !round.is_of_last_place(), packs = apart && run % 8 != 0;
    const std::uint32_t room = packs ? size / 2 : size;
    const auto in_round = [&](const Step& step) {
      return step.exists() && step.weight() == round.weight() &&
             step.before() + step.blocks() <= room;
    };
    Step posted = round;
    const auto post = [&] {
      const std::uint32_t from = rank_before(group, posted.first());
      receives.add(me, Direction::kReceive,
                   message(me, group.address(from), arrived.at(posted.before(), posted.blocks()),
                           posted.number()));
      posted.advance();
    };
    // As in the direct all-to-all, no two wait for each other.
    while (in_round(posted) && !receives.full()) post();
    for (; in_round(next); next.advance()) {
      if (sends.full()) co_await sends.oldest();
      Buffer buffer = held.at(next.first(), next.blocks());
      SendOptions options;
      if (packs) {
        const std::uint32_t to = packed.at(next.before()).offset;
        const CallResult result =
            co_await copy_runs(me, {buffer.offset, to, buffer.bytes, run, stride, run});
        if (result != CallResult::kSuccess) co_return result;
        buffer.offset = to;
      } else if (apart) {
        options.block = run;
        options.stride = stride;
      }
      const std::uint32_t to = rank_after(group, next.first());
      sends.add(me, message(me, group.address(to), buffer, next.number()), options);
      if (!in_round(posted)) continue;
      co_await receives.oldest();
      post();
    }
    // While the messages come: what the places before have brought to its end. What the last one
    // has brought is in the order of distances already.
    const std::uint32_t from = at_end ? arrived.offset : held.at(done).offset;
    const CallResult result = co_await copy_runs(me, to_target(me, from, done, round.weight()));
    if (result != CallResult::kSuccess) co_return result;
  }
  co_return CallResult::kSuccess;
}

/// Whether each message has one block, which no other place sends again.
bool is_direct(const Context& me) { return Radices(me.call()).word(0) >= me.group().size(); }

}  // namespace

CallResult check(const Context& me) {
  const Call& call = me.call();
  const std::uint32_t size = me.group().size();
  if (!Radices(call).are_good()) return CallResult::kBadArgument;
  if (!is_direct(me)) {
    const std::uint64_t all = std::uint64_t{size} * call.bytes();  // the longest copy
    if (all > reg::kMaxMessageBytes || !me.in_memory(call.scratch(), 2 * all) ||
        !are_apart(call.scratch(), 2 * all, call.source(), all) ||
        !are_apart(call.scratch(), 2 * all, call.target(), all)) {
      return CallResult::kBadArgument;
    }
  }
  return check_blocks(me, size, size);
}

Task run(Context& me) { return is_direct(me) ? direct_all_to_all::run(me) : exchange(me); }

}  // namespace radix_all_to_all

}  // namespace annelid::firmware
