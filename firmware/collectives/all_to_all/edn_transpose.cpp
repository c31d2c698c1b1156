// Transposition of 2^k x 2^k blocks in k steps, by dominating nodes on the diagonals of blocks:
// Tsai, Section 3.6; docs/internals/algorithms/collect-and-exchange.md, whose words these are.
// SOURCE: the block of this process, (x, y); TARGET: that of (y, x). SCRATCH: two areas of 5^h
// blocks, each rounded up to eight bytes, where h = floor(k/2).
//
// Base 4 digits from the lowest: a node's level is the first digit in which x and y differ, or h.
// It collects the blocks of the nodes that differ in lower digits, sends them on to its relay and
// gets back from there those of its mirror image's, which it hands out.
#include "firmware/collectives/buffers/blocks.hpp"
#include "firmware/collectives/buffers/copy.hpp"

namespace annelid::firmware::edn_transpose {
namespace {

constexpr std::uint32_t kMostLevels = 4;   // 256 x 256
constexpr std::uint32_t kMostSenders = 4;  // to a relay in a step

/// f{u, v}, u != v: 4 bits each, v in the nibble, u in the word.
constexpr std::array<std::uint16_t, 4> kRelays = {0x021F, 0x31F1, 0x2F12, 0xF230};
constexpr std::uint32_t relay(std::uint32_t u, std::uint32_t v) { return kRelays[u] >> 4 * v & 15; }
static_assert(relay(0, 1) == 1 && relay(0, 2) == 2 && relay(0, 3) == 0 && relay(1, 2) == 1 &&
              relay(1, 3) == 3 && relay(2, 3) == 2);
static_assert(relay(1, 0) == 1 && relay(2, 0) == 2 && relay(3, 0) == 0 && relay(2, 1) == 1 &&
              relay(3, 1) == 3 && relay(3, 2) == 2);

constexpr std::uint32_t digit(std::uint32_t coordinate, std::uint32_t i) {
  return coordinate >> 2 * i & 3;
}
constexpr std::uint32_t with_digit(std::uint32_t coordinate, std::uint32_t i, std::uint32_t value) {
  return (coordinate & ~(3U << 2 * i)) | value << 2 * i;
}
Address with_digits(Address a, std::uint32_t i, std::uint32_t x_digit, std::uint32_t y_digit) {
  return {static_cast<std::uint8_t>(with_digit(a.x, i, x_digit)),
          static_cast<std::uint8_t>(with_digit(a.y, i, y_digit))};
}

/// Visits the digits (u, v) of those that send to a node with digit d twice, by ascending (v, u).
/// Gives their number.
template <typename Visit>
std::uint32_t for_each_sender(std::uint32_t d, Visit visit) {
  std::uint32_t count = 0;
  for (std::uint32_t v = 0; v < 4; ++v) {
    for (std::uint32_t u = 0; u < 4; ++u) {
      if (u != v && relay(u, v) == d) visit(u, v, count++);
    }
  }
  return count;
}

/// k and h of a mesh of 2^k nodes a side.
struct Levels {
  std::uint32_t k = 0, h = 0;
  explicit Levels(int side) {
    while (1 << k < side) ++k;
    h = k / 2;
  }
  /// Bytes of an area, the most that any node holds.
  [[nodiscard]] std::uint64_t area(std::uint32_t block) const {
    std::uint64_t bytes = block;
    for (std::uint32_t i = 0; i < h; ++i) bytes *= 5;
    return (bytes + 7) & ~std::uint64_t{7};
  }
};

}  // namespace

CallResult check(const Context& me) {
  const Size size = me.topology().size();
  if (!me.group().is_all() || size.x != size.y || size.z != 1 || (size.x & (size.x - 1)) != 0) {
    return CallResult::kDoesNotFit;
  }
  const std::uint64_t area = Levels(size.x).area(me.call().bytes());
  const CallResult blocks = check_blocks(me, 1, 1);
  if (blocks != CallResult::kSuccess) return blocks;
  const bool good = area <= reg::kMaxMessageBytes && me.in_memory(me.call().scratch(), 2 * area);
  return good ? CallResult::kSuccess : CallResult::kBadArgument;
}

Task run(Context& me) {
  const std::uint32_t bytes = me.call().bytes();
  const Levels levels(me.topology().size().x);
  const Address self = me.topology().self();
  std::uint32_t level = 0;
  while (level < levels.h && digit(self.x, level) == digit(self.y, level)) ++level;

  // What this node collects. Blocks that it holds before each step: blocks[step - 1].
  const Blocks held{level > 0 ? me.call().scratch() : me.call().source(), bytes};
  std::array<std::uint32_t, kMostLevels + 1> blocks;
  blocks[0] = 1;
  if (level > 0) {
    Exchange own = copy(me, source_block(me), held.at(0));
    Batch<kMostLevels * kMostSenders> received;
    for (std::uint32_t i = 0; i < level; ++i) {
      const std::uint32_t now = blocks[i];
      const std::uint32_t senders = for_each_sender(
          digit(self.x, i), [&](std::uint32_t u, std::uint32_t v, std::uint32_t number) {
            received.add(
                me, Direction::kReceive,
                message(me, with_digits(self, i, u, v), held.at((1 + number) * now, now), i + 1));
          });
      blocks[i + 1] = now * (1 + senders);
    }
    co_await received;
    co_await own;
  }

  // What the mirror image collected.
  Blocks mirrored = held;
  const bool to_relay = level < levels.h;
  if (to_relay || self.x != self.y) {
    if (level > 0) {
      mirrored.offset += static_cast<std::uint32_t>(levels.area(bytes));
    } else {
      mirrored.offset = me.call().target();
    }
    const std::uint32_t via = relay(digit(self.x, level), digit(self.y, level)) & 3;
    const Address peer = to_relay ? with_digits(self, level, via, via) : Address{self.y, self.x};
    co_await Exchange(me, message(me, peer, held.at(0, blocks[level]), level + 1),
                      message(me, peer, mirrored.at(0, blocks[level]), levels.k - level));
  }
  if (mirrored.offset == me.call().target()) co_return CallResult::kSuccess;
  Exchange own = copy(me, mirrored.at(0), target_block(me));
  for (std::uint32_t i = level; i-- > 0;) {
    Batch<kMostSenders> sent;
    for_each_sender(digit(self.x, i), [&](std::uint32_t u, std::uint32_t v, std::uint32_t number) {
      sent.add(me, Direction::kSend,
               message(me, with_digits(self, i, v, u),
                       mirrored.at((1 + number) * blocks[i], blocks[i]), levels.k - i));
    });
    co_await sent;
  }
  co_await own;
  co_return CallResult::kSuccess;
}

}  // namespace annelid::firmware::edn_transpose
