// The core may run ahead of the network. Whatever the limits of its runs, the same accesses happen
// in the same cycles, and it ends in the same state.
#include <gmock/gmock.h>

#include <functional>
#include <optional>

#include "testbench/core/assemble.hpp"

namespace annelid::test {
namespace {

struct Event {
  Cycle time;
  std::uint32_t pc, address, value;
  bool store;
  friend bool operator==(const Event&, const Event&) = default;
};

struct History {
  std::vector<Event> accesses;
  std::vector<Cycle> wakes;
  Cycle end = 0;
  std::uint64_t instructions = 0;
  std::vector<std::uint32_t> registers;
  friend bool operator==(const History&, const History&) = default;
};

/// An event line that is up in a quarter of the cycles, in no pattern that a loop could fall into
/// step with.
bool event_in(Cycle t) { return static_cast<std::uint32_t>(t * 2654435761u) < 0x40000000u; }

/// The first cycle after `t` with the line up.
Cycle event_after(Cycle t) {
  do ++t;
  while (!event_in(t));
  return t;
}

// A mix of all cost classes, with sleeps and accesses at odd distances.
const char* const kProgram = R"(
    li s1, 60
    li a1, 0x12345
    la s2, data
1:  lw a0, 4(s0)
    mul a1, a1, a0
    addi a1, a1, 77
    andi a2, a1, 7
    beqz a2, 2f
    sw a1, 0(s2)
    lh a3, 1(s2)
    sb a3, 8(s0)
    divu a4, a1, a2
    wfi
    csrr a5, mcycle
    sw a5, 12(s0)
2:  bltu a4, a1, 3f
    csrr a6, instret
    sw a6, 16(s0)
3:  addi s1, s1, -1
    bnez s1, 1b
    ebreak
    .data
data: .word 0, 0
    .text)";

/// `limit(now)` is how far the next call of run() may go.
History history(const std::function<Cycle(Cycle)>& limit) {
  const Image image = assemble(li("s0", kOutside) + kProgram);
  Core core(image, 1);
  History h;
  for (;;) {
    const Cycle now = core.time(), end = limit(now);
    switch (core.run(end, {})) {
      case Core::State::kRunning:
        break;
      case Core::State::kBus: {
        const BusAccess a = core.access();
        h.accesses.push_back({core.time(), core.pc(), a.address, a.store ? a.value : 0, a.store});
        core.finish(static_cast<std::uint32_t>(core.time() * 2654435761u));
        break;
      }
      case Core::State::kAsleep: {
        const Cycle executed = core.time() - 1;
        h.wakes.push_back(event_in(executed) ? core.time() : event_after(executed));
        core.wake(h.wakes.back());
        break;
      }
      case Core::State::kHalted:
        EXPECT_EQ(core.trap().cause, 3u);
        h.end = core.time();
        h.instructions = core.instructions();
        for (int i = 0; i < 32; ++i) h.registers.push_back(core.reg(i));
        return h;
    }
  }
}

TEST(CoreRunAhead, AnyLimitsGiveTheSameAccessesInTheSameCycles) {
  History all = history([](Cycle) { return kNever; });
  EXPECT_GT(all.accesses.size(), 150u);
  EXPECT_GT(all.wakes.size(), 30u);
  for (const Cycle step : {1, 2, 3, 7, 35, 1000}) {
    const History some = history([step](Cycle now) { return now + step; });
    EXPECT_EQ(some, all) << step;
  }
  std::uint32_t random = 1;
  EXPECT_EQ(history([&random](Cycle now) {
              random = random * 1664525u + 1013904223u;
              return now + 1 + (random >> 28);
            }),
            all);
}

}  // namespace
}  // namespace annelid::test
