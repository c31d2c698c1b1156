// All-gather, reduce-scatter and all-reduce in rings of all dimensions at the same time:
// docs/internals/algorithms/all-ports.md, "Port rings". Each strand of a block takes the dimensions
// in an order of its own, by the bucket algorithms of Barnett and others 1994, Section 4.
#include <optional>

#include "firmware/collectives/all_ports/counted_dimensions.hpp"
#include "firmware/collectives/buffers/blocks.hpp"
#include "firmware/collectives/buffers/copy.hpp"
#include "firmware/collectives/buffers/padded.hpp"
#include "firmware/collectives/players/ranked.hpp"
#include "firmware/collectives/players/strands.hpp"

namespace annelid::firmware::port_rings {
namespace {

using Operation = reg::Operation;

/// What all strands of a call have in common.
struct Shared {
  explicit Shared(const Context& context) : me(context), dims(context.topology()) {
    const Topology& network = me.topology();
    const std::uint32_t x = network.x().value();
    const std::uint32_t strides[] = {1, x, x * network.y().value()};
    for (std::uint32_t i = 0; i < dims.count; ++i) {
      own[i] = static_cast<std::uint8_t>(dims.coordinate(network.self(), i));
      stride[i] = strides[dims.dimension[i]];
      if (dims.size[i] > longest) longest = dims.size[i];
    }
  }
  [[nodiscard]] std::uint32_t directions() const { return dims.all_wide_rings ? 2 : 1; }
  [[nodiscard]] std::uint32_t strands() const { return directions() * dims.count; }
  /// Returns the dimension of a phase, from 0, if phase 0 is in dimension `first`.
  [[nodiscard]] std::uint32_t dimension(std::uint32_t first, std::uint32_t phase) const {
    const std::uint32_t d = first + phase;
    return d < dims.count ? d : d - dims.count;
  }

  const Context& me;
  CountedDimensions dims;
  std::uint32_t longest = 1;  ///< size of a dimension
  std::uint8_t own[CountedDimensions::kMost];
  std::uint32_t stride[CountedDimensions::kMost];  ///< ranks from one coordinate to the next
};

/// One strand in one phase: data goes once round this process's ring of a dimension. Each member of
/// the ring has a piece. It is a run of the strand's parts (all-reduce), or the strand of several
/// blocks, each a message of its own.
class RingStrand {
 public:
  /// `phase` from 0; `collects`: pieces are collected, else combined.
  RingStrand(const Shared& shared, std::uint32_t strand, std::uint32_t phase, bool collects)
      : shared_(shared), parts_(0, 1), collects_(collects) {
    const Call& call = shared.me.call();
    const std::uint32_t n = shared.dims.count, first = strand / shared.directions();
    up_ = strand % shared.directions() == 0;
    dimension_ = static_cast<std::uint8_t>(shared.dimension(first, phase));
    size_ = shared.dims.size[dimension_];
    part_ = PartSizes(call.bytes(), shared.strands()).run(0, strand, strand + 1);
    const std::uint32_t phase_steps = shared.longest - 1;
    whole_blocks_ = call.operation() != Operation::kAllReduce;
    if (whole_blocks_) {
      for (std::uint32_t f = 0; f < n; ++f) {
        const std::uint32_t d = shared.dimension(first, f);
        if (f < phase) {
          earlier_ = static_cast<std::uint8_t>(earlier_ | 1U << d);
          pieces_ *= shared.dims.size[d];
        } else if (f > phase) {
          base_ += shared.own[d] * shared.stride[d];
        }
      }
      stride_ = shared.stride[dimension_];
      first_step_ = phase * phase_steps;
      is_first_ = phase == 0;
      if (!collects) {  // all of it in reverse
        up_ = !up_;
        first_step_ = (n - phase) * phase_steps + 1 - size_;
        is_first_ = phase + 1 == n;
        is_last_ = phase == 0;
      }
    } else {
      std::uint32_t places = 1;
      for (std::uint32_t f = n; f-- > 0;) {
        const std::uint32_t d = shared.dimension(first, f);
        if (f == phase) stride_ = places;
        if (f < phase) base_ += shared.own[d] * places;
        places *= shared.dims.size[d];
      }
      parts_ = PartSizes(part_.bytes, places);
      first_step_ = (collects ? 2 * n - 1 - phase : phase) * phase_steps;
      is_first_ = phase == 0;
    }
  }

  [[nodiscard]] std::uint32_t rounds() const { return size_; }
  [[nodiscard]] std::uint32_t receives(std::uint32_t round) const {
    return round == 0 ? 0 : pieces_;
  }
  [[nodiscard]] std::uint32_t sends(std::uint32_t round) const {
    return round + 1 == size_ ? 0 : pieces_;
  }
  [[nodiscard]] bool combines() const { return !collects_; }

  [[nodiscard]] StrandMessage receive(std::uint32_t round, std::uint32_t i) const {
    const Call& call = shared_.me.call();
    StrandMessage m = message(round, i, !up_);
    const std::uint32_t at = m.buffer.offset;
    m.step = first_step_ + round;
    m.buffer.offset = partial() + at;
    if (collects_) return m;
    m.operand = (is_first_ ? call.source() : partial()) + at;
    m.stage = stage() + at;
    // The last message of a reduce-scatter makes the own block.
    if (is_last_ && round + 1 == size_) m.buffer.offset = call.target() + part_.offset;
    return m;
  }
  [[nodiscard]] StrandMessage send(std::uint32_t round, std::uint32_t i) const {
    const bool is_own = !collects_ && is_first_ && round == 0;
    StrandMessage m = message(round, i, up_);
    m.step = first_step_ + round + 1;
    m.buffer.offset += is_own ? shared_.me.call().source() : partial();
    return m;
  }

 private:
  [[nodiscard]] bool scatters() const {
    return shared_.me.call().operation() == Operation::kReduceScatter;
  }
  /// Where results lie while they are made.
  [[nodiscard]] std::uint32_t partial() const {
    const Call& call = shared_.me.call();
    return scatters() ? call.scratch() : call.target();
  }
  [[nodiscard]] std::uint32_t stage() const {
    const Call& call = shared_.me.call();
    return call.scratch() + (scatters() ? shared_.me.group().size() * padded(call.bytes()) : 0);
  }

  /// What a process passes on in this round, as an offset from where all blocks, or the block,
  /// begin. The peer is the neighbour above or below.
  [[nodiscard]] StrandMessage message(std::uint32_t round, std::uint32_t i, bool above) const {
    const std::uint32_t own = shared_.own[dimension_];
    const auto wrapped = [this](std::uint32_t c) { return c < size_ ? c : c - size_; };
    StrandMessage m;
    m.peer = shared_.dims.with(shared_.me.topology().self(), dimension_,
                               wrapped(above ? own + 1 : own + size_ - 1));
    const std::uint32_t behind = round + (collects_ ? 0 : 1);
    const std::uint32_t coordinate = wrapped(up_ ? own + size_ - behind : own + behind);
    std::uint32_t unit = base_ + coordinate * stride_;
    if (!whole_blocks_) {
      m.buffer = parts_.run(part_.offset, unit, unit + stride_);
      return m;
    }
    for (std::uint32_t d = 0; i != 0; ++d) {  // the i-th of all coordinates in earlier dimensions
      if ((earlier_ >> d & 1) == 0) continue;
      const std::uint32_t size = shared_.dims.size[d], above_d = i / size;
      unit += (i - above_d * size) * shared_.stride[d];
      i = above_d;
    }
    m.buffer = {unit * shared_.me.call().bytes() + part_.offset, part_.bytes};
    return m;
  }

  const Shared& shared_;
  Buffer part_;      // the strand's part of a block
  PartSizes parts_;  // the parts of all places in it
  std::uint32_t base_ = 0, stride_ = 1, pieces_ = 1, first_step_ = 0;
  std::uint16_t size_;
  std::uint8_t dimension_, earlier_ = 0;  // bit d: an earlier phase is in dimension d
  bool up_, collects_, whole_blocks_, is_first_ = false, is_last_ = false;
};

/// The own block at its place in TARGET.
Task copy_block(Context& me, std::uint32_t place) {
  const std::uint32_t bytes = me.call().bytes();
  co_await copy(me, {me.call().source(), bytes}, {me.call().target() + place * bytes, bytes});
  co_return CallResult::kSuccess;
}

}  // namespace

CallResult check(const Context& me) {
  const Call& call = me.call();
  if (!me.group().is_all()) return CallResult::kDoesNotFit;
  if (call.parameter(2) != 0) return CallResult::kBadArgument;
  const std::uint32_t nodes = me.group().size(), bytes = call.bytes();
  switch (call.operation()) {
    case Operation::kAllReduce:
      return check_ranked(me, kAnyParameter, false);
    case Operation::kAllGather:
      return check_blocks(me, 1, nodes);
    default:
      break;
  }
  if (bytes > reg::kMaxMessageBytes || !is_ranked_operator(call, false))
    return CallResult::kBadArgument;
  const std::uint64_t all = std::uint64_t{nodes} * bytes;
  const std::uint64_t scratch = std::uint64_t{3 * nodes} * padded(bytes);
  const bool good = me.in_memory(call.scratch(), scratch) &&
                    are_apart(call.scratch(), scratch, call.source(), all) &&
                    are_apart(call.scratch(), scratch, call.target(), bytes);
  return good ? check_blocks(me, nodes, 1) : CallResult::kBadArgument;
}

// The frames of six strands leave little room, so all phases are in this one.
Task run(Context& me) {
  const Operation operation = me.call().operation();
  const Shared& shared = me.make<Shared>(me);
  const bool gathers = operation == Operation::kAllGather;
  if (gathers || shared.dims.count == 0) {
    const CallResult copied = co_await copy_block(me, gathers ? me.group().rank() : 0);
    if (copied != CallResult::kSuccess) co_return copied;
  }
  const std::uint32_t n = shared.dims.count;
  const std::uint32_t phases = operation == Operation::kAllReduce ? 2 * n : n;
  std::optional<Task> strands[2 * CountedDimensions::kMost];
  CallResult result = CallResult::kSuccess;
  for (std::uint32_t i = 0; i < phases && result == CallResult::kSuccess; ++i) {
    // An all-reduce combines in phases 0 .. n - 1, and collects in n - 1 .. 0.
    const bool collects = gathers || i >= n;
    const std::uint32_t phase = i >= n                                   ? 2 * n - 1 - i
                                : operation == Operation::kReduceScatter ? n - 1 - i
                                                                         : i;
    // Each block is received once. Partial results are made in the first phase, and combined with
    // more in the others.
    me.node().record_fresh_receives(gathers || i == 0);
    for (std::uint32_t s = 0; s < shared.strands(); ++s) {
      strands[s].emplace(play_strand<4, 2>(me, RingStrand(shared, s, phase, collects)));
      strands[s]->start();
    }
    for (std::uint32_t s = 0; s < shared.strands(); ++s) {
      Task& strand = *strands[s];
      const CallResult played = co_await strand;
      if (played != CallResult::kSuccess) result = played;
      strands[s].reset();
    }
  }
  co_return result;
}

}  // namespace annelid::firmware::port_rings
