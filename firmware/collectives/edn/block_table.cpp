// A byte for a cell: 8 KiB in all.
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
constexpr std::size_t cells_of(const BlockLine& line) {
  return static_cast<std::size_t>(line.c == 0 ? kLargestSolid * kLargestSolid
                                              : line.a * line.b * line.c);
}
constexpr std::size_t kWords = [] {
  std::size_t words = 0;
  for (const BlockLine& line : kLines) words += line.block ? (cells_of(line) + 3) / 4 : 0;
  return words;
}();

struct Packed {
  std::array<std::uint32_t, kWords> words;       // of bytes, in blocks, as Messages says
  std::array<std::uint16_t, kBlocks + 1> first;  // of a block's; no word of one that is missing
};
constexpr Packed pack() {
  Packed packed{};
  for (std::uint32_t& word : packed.words) word = Messages::kNobody * 0x01010101;
  std::size_t block = 0, first = 0, end = 0;
  for (const BlockLine& line : kLines) {
    if (line.block) {
      const std::size_t number = line.c == 0 ? ring_block_number(static_cast<std::size_t>(line.a))
                                             : block_number(line.a, line.b, line.c);
      if (number < block) stop("blocks of another order");
      first = end;
      end += (cells_of(line) + 3) / 4;
      while (block <= number) packed.first[block++] = static_cast<std::uint16_t>(first);
    } else {
      const auto step = static_cast<std::uint32_t>(line.a),
                 from = static_cast<std::uint32_t>(line.b), to = static_cast<std::uint32_t>(line.c);
      if (step > kMostSteps || from >= Messages::kNobody) stop("a message that needs more bits");
      const std::uint32_t byte = step == 1 ? Messages::kFromEntry : from | (step - 2) << 7;
      packed.words[first + to / 4] ^= (byte ^ Messages::kNobody) << 8 * (to % 4);
    }
  }
  if (block != kBlocks) stop("blocks are missing");
  packed.first[block] = static_cast<std::uint16_t>(end);
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

}  // namespace

const std::uint32_t* messages_of(std::size_t block) {
  return kPacked.words.data() + kPacked.first[block];
}

int steps_of(std::size_t block) {
  int steps = 0;
  for (std::uint32_t i = kPacked.first[block]; i < kPacked.first[block + 1]; ++i) {
    for (std::uint32_t bytes = kPacked.words[i]; bytes != 0; bytes >>= 8) {
      const std::uint32_t byte = bytes & 0xFF;
      if (byte > Messages::kFromEntry) return 3;
      if (byte == Messages::kNobody) continue;
      const int step = byte == Messages::kFromEntry ? 1 : 2;
      steps = step > steps ? step : steps;
    }
  }
  return steps;
}

Division cut_of(int x, int y) {
  if (is_whole(x, y)) return {steps_of(block_number(x, y, 1)), x, y};
  const Plan& plan = plan_of(x, y);
  const int columns = quotient_rounded_up(x, plan.w), rows = quotient_rounded_up(y, plan.h);
  const int coarser = columns * rows > 1 ? plan_of(columns, rows).steps : 0;
  return {plan.steps - coarser, plan.w, plan.h};
}

}  // namespace annelid::firmware::block_table
