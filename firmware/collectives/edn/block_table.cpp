// 16 bits for a message: 14.5 KiB in all.
#include "firmware/collectives/edn/block_table.hpp"

#include "firmware/platform/stop.hpp"

namespace annelid::firmware::block_table {
namespace {

/// A line of blocks.inc.
struct BlockLine {
  bool block;
  int a, b, c;  // block: w, h, d; message: step, from, to
  int steps;    // of a block
};
#define BLOCK(w, h, d, steps) BlockLine{true, w, h, d, steps},
#define RING_BLOCK(rings) BlockLine{true, rings, 0, 0, 2},
#define M(step, from, to) BlockLine{false, step, from, to, 0},
constexpr BlockLine kLines[] = {
#include "schedules/blocks.inc"
#include "schedules/rings.inc"
};
#undef RING_BLOCK
#undef M
#undef BLOCK

constexpr std::size_t kBlocks = ring_block_number(3) + 1;
constexpr std::size_t count_messages() {
  std::size_t n = 0;
  for (const BlockLine& line : kLines) n += line.block ? 0 : 1;
  return n;
}
constexpr std::size_t kMessages = count_messages();

struct Packed {
  std::array<std::uint16_t, kMessages> messages;  // 15:9 from, 8:7 step, 6:0 to
  std::array<std::uint16_t, kBlocks + 1> first;   // of a block's; no message of one that is missing
};
constexpr Packed pack() {
  Packed packed{};
  std::size_t block = 0, message = 0;
  for (const BlockLine& line : kLines) {
    if (line.block) {
      const std::size_t number = line.c == 0 ? ring_block_number(static_cast<std::size_t>(line.a))
                                             : block_number(line.a, line.b, line.c);
      if (number < block) stop("blocks of another order");
      while (block <= number) packed.first[block++] = static_cast<std::uint16_t>(message);
    } else {
      if (line.a > 3 || line.b > 127 || line.c > 127) stop("a message that needs more bits");
      packed.messages[message++] = static_cast<std::uint16_t>(line.b << 9 | line.a << 7 | line.c);
    }
  }
  if (block != kBlocks) stop("blocks are missing");
  packed.first[block] = static_cast<std::uint16_t>(message);
  return packed;
}
constexpr Packed kPacked = pack();

struct Plan {
  std::uint8_t steps, last_x, last_y, w, h;  // last: x - 1, y - 1
};
#define PLAN(steps, x, y, w, h) \
  {steps, static_cast<std::uint8_t>((x)-1), static_cast<std::uint8_t>((y)-1), w, h},
constexpr Plan kPlans[] = {
#include "schedules/plans.inc"
};
#undef PLAN

constexpr const Plan& plan_of(int x, int y) {
  for (const Plan& plan : kPlans) {
    if (x - 1 <= plan.last_x && y - 1 <= plan.last_y) return plan;
  }
  stop("no plan for the mesh");
}

// Meshes that are one block, as this takes fewer steps than their plan: a bit for each x, by y.
constexpr auto kWhole = [] {
  std::array<std::uint16_t, kLargest> whole{};
  for (const BlockLine& line : kLines) {
    if (!line.block || line.c != 1 || line.a * line.b == 1) continue;
    if (line.steps < plan_of(line.a, line.b).steps)
      whole[static_cast<std::size_t>(line.b - 1)] |= static_cast<std::uint16_t>(1 << (line.a - 1));
  }
  return whole;
}();
bool is_whole(int x, int y) {
  return x <= kLargest && y <= kLargest && (kWhole[static_cast<std::size_t>(y - 1)] >> (x - 1) & 1);
}

constexpr BlockMessage unpack(std::uint32_t word) {
  return {static_cast<std::uint8_t>(word >> 7 & 3), static_cast<std::uint8_t>(word >> 9),
          static_cast<std::uint8_t>(word & 0x7F)};
}

}  // namespace

Range messages_of(std::size_t block) { return {kPacked.first[block], kPacked.first[block + 1]}; }

int steps_of(std::size_t block) {
  int steps = 0;
  const Range range = messages_of(block);
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    const int step = unpack(kPacked.messages[i]).step;
    steps = step > steps ? step : steps;
  }
  return steps;
}

BlockMessage message_at(std::uint32_t number) { return unpack(kPacked.messages[number]); }

std::uint32_t first_from(Range range, int cell) {
  std::uint32_t begin = range.begin, end = range.end;
  const std::uint32_t least = static_cast<std::uint32_t>(cell) << 9;
  while (begin < end) {
    const std::uint32_t middle = (begin + end) / 2;
    if (kPacked.messages[middle] < least) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

BlockMessage message_to(Range range, int cell) {
  for (std::uint32_t i = range.begin; i < range.end; ++i) {
    if ((kPacked.messages[i] & 0x7F) == static_cast<std::uint32_t>(cell))
      return unpack(kPacked.messages[i]);
  }
  stop("no message of the block reaches the cell");
}

Division cut_of(int x, int y) {
  if (is_whole(x, y)) return {steps_of(block_number(x, y, 1)), x, y};
  const Plan& plan = plan_of(x, y);
  const int columns = quotient_rounded_up(x, plan.w), rows = quotient_rounded_up(y, plan.h);
  const int coarser = columns * rows > 1 ? plan_of(columns, rows).steps : 0;
  return {plan.steps - coarser, plan.w, plan.h};
}

}  // namespace annelid::firmware::block_table
