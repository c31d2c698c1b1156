// Broadcast of a message in k packets along a Fibonacci tree: docs/internals/algorithms/trees.md;
// Tsai, Section 5.3. PARAMETER_1: k, or 0: by the message's length. Over a group other than ALL by
// rank.
#include "firmware/collectives/buffers/grid.hpp"
#include "firmware/communication/window.hpp"

namespace annelid::firmware::fibonacci_tree {
namespace {

constexpr std::uint32_t kMostPackets = 64;
constexpr std::uint32_t kPacketsByLength = 16, kBytesByLength = 512;  // where the caller leaves it

std::uint32_t packets_of(const Call& call) {
  if (call.parameter(1) != 0) return call.parameter(1);
  const std::uint32_t packets = (call.bytes() + kBytesByLength - 1) / kBytesByLength;
  return packets < 1 ? 1 : packets < kPacketsByLength ? packets : kPacketsByLength;
}

/// N(t), the most nodes that can have all k packets after t steps: N(t) = N(t-k) + N(t-1), and 1
/// for t < k. Goes up and down in t, with the last k + 1 values at hand.
class Reach {
 public:
  explicit Reach(std::uint32_t k) : k_(k) {
    for (std::uint32_t i = 0; i <= k; ++i) values_[i] = 1;
  }
  /// To the smallest t with N(t) >= nodes, from any larger one; upwards from t = 0 at first.
  void rise_to(std::uint32_t nodes) {
    while (at(0) < nodes) {
      ++t_;
      const std::uint32_t next = t_ < k_ ? 1 : at(k_ - 1) + at(0);
      newest_ = newest_ == k_ ? 0 : newest_ + 1;
      values_[newest_] = next;
    }
  }
  void fall_to(std::uint32_t nodes) {
    while (t_ > 0 && at(1) >= nodes) {
      --t_;
      // N(t-k) of what is now t, from N(t) and N(t-1), into the place of the old N(t).
      const std::uint32_t oldest = k_ == 1 ? at(1) / 2 : at(1) - at(2);
      values_[newest_] = oldest;
      newest_ = newest_ == 0 ? k_ : newest_ - 1;
    }
  }
  /// N(t-1), N(t-k).
  [[nodiscard]] std::uint32_t before() const { return at(1); }
  [[nodiscard]] std::uint32_t before_packets() const { return at(k_); }

 private:
  [[nodiscard]] std::uint32_t at(std::uint32_t back) const {  // N(t - back), back <= k
    return values_[back <= newest_ ? newest_ - back : newest_ + k_ + 1 - back];
  }
  std::uint32_t k_, t_ = 0, newest_ = 0;
  std::array<std::uint32_t, kMostPackets + 1> values_;
};

/// The list, from the root on, as one member of it sees it.
class Tree {
 public:
  Tree(std::uint32_t own, std::uint32_t size, std::uint32_t k)
      : k_(k), own_(own), length_(size), reach_(k) {
    reach_.rise_to(size);
  }
  /// To the next child of this member: its index and the step of its first packet. Or, while this
  /// member is not the holder of its segment, down to where it is. False if it has no more.
  bool next_child(std::uint32_t& child, std::uint32_t& step) {
    while (length_ > 1) {
      reach_.fall_to(length_);
      const std::uint32_t before = reach_.before(), before_packets = reach_.before_packets();
      const std::uint32_t low = length_ > before + 1 ? length_ - before : 1;
      const std::uint32_t high = length_ - 1 < before_packets ? length_ - 1 : before_packets;
      const std::uint32_t own_part = (low + high) / 2, other = first_ + own_part;
      const std::uint32_t sent = step_ + children_ * k_ + 1;  // the first packet
      ++children_;
      if (own_ >= other) {
        parent_ = first_;
        first_ = other;
        length_ -= own_part;
        step_ = sent;
        children_ = 0;
        continue;
      }
      length_ = own_part;
      if (own_ != first_) continue;
      child = other;
      step = sent;
      return true;
    }
    return false;
  }
  /// Who sends to this member, and the step of its first packet, after the first next_child().
  [[nodiscard]] std::uint32_t parent() const { return parent_; }
  [[nodiscard]] std::uint32_t first_step() const { return step_; }

 private:
  std::uint32_t k_, own_, first_ = 0, length_, step_ = 0, children_ = 0, parent_ = 0;
  Reach reach_;
};

}  // namespace

CallResult check(const Context& me) {
  const Call& call = me.call();
  const bool good = call.root() < me.group().size() && call.parameter(0) == 0 &&
                    call.parameter(1) <= kMostPackets && me.is_message(call.source(), call.bytes());
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run(Context& me) {
  const Grid grid(me.group());
  const std::uint32_t size = me.group().size(), packets = packets_of(me.call());
  const Parts parts(source_block(me), packets);
  const std::uint32_t root_place = grid.place(me.call().root());
  const auto address = [&](std::uint32_t index) {
    const std::uint32_t place = root_place + index;
    return grid.at_place(place < size ? place : place - size);
  };
  const std::uint32_t place = grid.place(me.group().rank());
  const std::uint32_t own = place >= root_place ? place - root_place : place + size - root_place;

  Tree tree(own, size, packets);
  std::uint32_t child = 0, step = 0;
  bool sends = tree.next_child(child, step);
  Window<16> receives;
  std::uint32_t posted = 0;
  const Address parent = address(tree.parent());
  const std::uint32_t first_step = tree.first_step();
  const auto post = [&] {
    receives.add(me, Direction::kReceive,
                 message(me, parent, parts.at(posted, 1), first_step + posted));
    ++posted;
  };
  if (own != 0) {
    while (posted < packets && !receives.full()) post();
  }
  // To the first child as the packets come, then to the others.
  for (bool receiving = own != 0; receiving || sends; receiving = false) {
    const Address to = sends ? address(child) : parent;
    for (std::uint32_t packet = 0; packet < packets; ++packet) {
      if (receiving) {
        co_await receives.oldest();
        if (posted < packets) post();
      }
      if (!sends) continue;
      co_await Transfer(me, Direction::kSend, message(me, to, parts.at(packet, 1), step + packet));
    }
    sends = sends && tree.next_child(child, step);
  }
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware::fibonacci_tree
