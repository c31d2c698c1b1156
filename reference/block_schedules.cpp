#include "reference/block_schedules.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace annelid::reference {
namespace {

#define BLOCK(w, h, d, steps)
#define M(step, from, to) {step, from, to},
constexpr BlockMessage kMessages[] = {
#include "schedules/blocks.inc"
};
#undef M
#undef BLOCK

struct BlockLine {
  int w, h, d, steps;
};
#define BLOCK(w, h, d, steps) {w, h, d, steps},
#define M(step, from, to)
constexpr BlockLine kBlocks[] = {
#include "schedules/blocks.inc"
};
#undef M
#undef BLOCK

struct PlanLine {
  int steps, x, y, w, h;
};
#define PLAN(steps, x, y, w, h) {steps, x, y, w, h},
constexpr PlanLine kPlans[] = {
#include "schedules/plans.inc"
};
#undef PLAN

std::vector<BlockSchedule> with_messages() {
  std::vector<BlockSchedule> blocks;
  std::span<const BlockMessage> rest(kMessages);
  for (const BlockLine& b : kBlocks) {
    const auto count = static_cast<std::size_t>(b.w * b.h * b.d - 1);
    blocks.push_back({b.w, b.h, b.d, b.steps, rest.first(count)});
    rest = rest.subspan(count);
  }
  return blocks;
}

/// ceil(log3 n): a line's holders have two channels each.
int steps_of_line(int n) { return n == 1 ? 0 : 1 + steps_of_line((n + 2) / 3); }

}  // namespace

std::span<const BlockSchedule> block_schedules() {
  static const std::vector<BlockSchedule> blocks = with_messages();
  return blocks;
}

const BlockSchedule& block_schedule(std::array<int, 3> size) {
  const auto blocks = block_schedules();
  const auto found = std::ranges::find_if(blocks, [&](const BlockSchedule& b) {
    return std::array{b.w, b.h, b.d} == size;
  });
  if (found == blocks.end()) throw std::out_of_range("block_schedule: not in the table");
  return *found;
}

Cut cut_of(std::array<int, 3> mesh) {
  const auto [x, y, z] = mesh;
  if (x * y == 1) return {{1, 1, 3}, steps_of_line(z)};
  const auto* found = std::ranges::find_if(
      kPlans, [x = x, y = y](const PlanLine& p) { return p.x >= x && p.y >= y; });
  if (found == std::end(kPlans)) throw std::out_of_range("cut_of: sizes are 1 to 256");
  return {{found->w, found->h, 1}, found->steps + steps_of_line(z)};
}

}  // namespace annelid::reference
