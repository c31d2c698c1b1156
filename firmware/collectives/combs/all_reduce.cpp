// All-reduce along the comb trees of a mesh, in packets: docs/internals/algorithms/combs.md.
// PARAMETER_1: packets of a tree, or 0: by the block's length.
#include <cstddef>
#include <new>

#include "firmware/collectives/combs/combs.hpp"
#include "firmware/collectives/players/ranked.hpp"

namespace annelid::firmware::combs {
namespace {

/// One direction of a channel: its next message, and the transfers that are under way, the oldest
/// of which leaves first. All are complete when the call ends.
struct Lane {
  static constexpr std::uint32_t kMost = 3;
  struct Room {
    alignas(Transfer) std::byte transfer[sizeof(Transfer)];
    std::uint32_t tree, number;
  };

  Lane() {}  // not = default, which would clear the room
  [[nodiscard]] Room& at(std::uint32_t i) { return room[(first + i) % kMost]; }
  [[nodiscard]] Transfer& transfer(std::uint32_t i) {
    return *std::launder(reinterpret_cast<Transfer*>(at(i).transfer));
  }
  void drop_complete() {
    for (; count != 0 && transfer(0).await_ready(); --count) first = (first + 1) % kMost;
  }

  Place place;
  Packet packet;
  std::uint32_t first = 0, count = 0;
  union {
    Room room[kMost];
  };
};

/// `while (!player.done()) co_await player;`
///
/// What comes over a channel, and what goes out over one, has the order of all messages. So each
/// message meets its receive at the neighbour, and leaves do not run ahead of what passes through
/// other nodes. Channels do not wait for each other. Each transfer that completes lets the player
/// look for what it can begin.
class Player {
 public:
  explicit Player(Context& me);
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// Begins what it can. If not all is complete, the player is to be awaited.
  [[nodiscard]] bool done();
  [[nodiscard]] bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> waiter);
  void await_resume() {}

 private:
  [[nodiscard]] Lane& lane(std::uint32_t i, bool comes) { return lanes_[2 * i + (comes ? 1 : 0)]; }
  bool begin(std::uint32_t i, bool comes);
  [[nodiscard]] bool may_send(std::uint32_t i, const Relatives& relatives);
  void start(std::uint32_t i, bool comes, const Relatives& relatives, std::uint32_t area);

  Context& me_;
  Combs combs_;
  Join any_{};  // of all transfers; the next one that completes sets it off
  Lane lanes_[2 * Combs::kMostNeighbours];
};

Player::Player(Context& me) : me_(me), combs_(me.call(), me.topology()) {
  for (std::uint32_t i = 0; i < 2 * combs_.neighbours(); ++i)
    combs_.next(lanes_[i].place, i / 2, i % 2 != 0, lanes_[i].packet);
}

/// Whether everything has come that a message is made of: what comes one step before.
bool Player::may_send(std::uint32_t i, const Relatives& relatives) {
  const Lane& out = lane(i, false);
  const std::uint32_t index = out.place.tree.index;
  const std::uint32_t from =
      out.packet.up || relatives.parent == 0 ? relatives.children : relatives.parent;
  for (std::uint32_t j = 0; j < combs_.neighbours(); ++j) {
    if ((from >> j & 1) == 0) continue;
    Lane& in = lane(j, true);
    if (in.place.is_at_most(out.place.step - 1, index)) return false;
    for (std::uint32_t k = 0; k < in.count; ++k) {
      const Lane::Room& room = in.at(k);
      if (room.tree == index && room.number == out.packet.number && !in.transfer(k).await_ready())
        return false;
    }
  }
  return true;
}

/// Starts the next transfer of a lane. `area`: the children before.
void Player::start(std::uint32_t i, bool comes, const Relatives& relatives, std::uint32_t area) {
  const Call& call = me_.call();
  Lane& own = lane(i, comes);
  const Packet& packet = own.packet;
  const std::uint32_t at = packet.bytes.offset;
  Lane::Room& room = own.at(own.count);
  room.tree = own.place.tree.index;
  room.number = packet.number;
  // What goes up is the own block, or what has been combined; what comes down is the result.
  std::uint32_t block = call.target();
  if (packet.up && relatives.parent != 0)
    block = relatives.children == 0 ? call.source() : scratch_area(call, 0);
  const Message m{combs_.neighbour(i), block + at, packet.bytes.bytes, me_.tag(),
                  own.place.step + 1};
  if (comes) {
    // The first child's message is combined with the own block, the others with what that has made.
    ReceiveOptions options;
    if (packet.up) {
      options.combine = combining(static_cast<reg::Operator>(call.operator_code()), call.type()) |
                        (area == 0 ? reg::kRecvCombineApartField.in(1) : 0);
      options.operand = call.source() + at;
      options.stage = area == 0 ? m.offset : scratch_area(call, area) + at;
    }
    new (room.transfer) Transfer(me_, m, options);
  } else {
    new (room.transfer) Transfer(me_, Direction::kSend, m);
  }
  (void)own.transfer(own.count++).join(any_);
  combs_.next(own.place, i, comes, own.packet);
}

/// Begins what it can in a lane. Returns whether it has.
bool Player::begin(std::uint32_t i, bool comes) {
  Lane& own = lane(i, comes);
  bool begins = false;
  for (own.drop_complete(); own.count != Lane::kMost && !combs_.is_over(own.place);) {
    const Relatives relatives = combs_.relatives(own.place.tree);
    std::uint32_t area = 0;
    if (!comes) {
      if (!may_send(i, relatives)) return begins;
    } else if (own.packet.up) {
      // The receives of the children before come first: the order of posting is that of operands.
      for (std::uint32_t j = 0; j < i; ++j) {
        if ((relatives.children >> j & 1) == 0) continue;
        if (lane(j, true).place.is_at_most(own.place.step, own.place.tree.index)) return begins;
        ++area;
      }
    }
    start(i, comes, relatives, area);
    begins = true;
  }
  return begins;
}

bool Player::done() {
  const std::uint32_t lanes = 2 * combs_.neighbours();
  for (bool begins = true; begins;) {
    begins = false;
    for (std::uint32_t i = 0; i < lanes; ++i) begins = begin(i / 2, i % 2 != 0) || begins;
  }
  for (std::uint32_t i = 0; i < lanes; ++i) {
    if (lanes_[i].count != 0) return false;
  }
  return true;
}

void Player::await_suspend(std::coroutine_handle<> waiter) {
  any_ = {waiter, 1};
  Lane* under_way = lanes_;
  while (under_way->count == 0) ++under_way;
  me_.node().awaits(under_way->transfer(0));
}

}  // namespace

CallResult check(const Context& me) {
  if (!me.group().is_all() || me.group().size() == 1 || me.node().recording())
    return CallResult::kDoesNotFit;
  if (me.call().parameter(2) != 0) return CallResult::kBadArgument;
  return check_ranked(me, kPacketBits, false);
}

Task run(Context& me) {
  Player player(me);
  while (!player.done()) co_await player;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware::combs
