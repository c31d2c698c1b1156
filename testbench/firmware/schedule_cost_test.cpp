// The schedules of ranks on the core: the same as on the host, and what finding one costs (2Tree,
// Section 6.4). Parameter space: schedule, number of processes up to 100,000, process.
#include "firmware/schedule_cost.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <span>
#include <vector>

#include "firmware/image.hpp"
#include "testbench/firmware/support/firmware_on_core.hpp"

namespace annelid::firmware {
namespace {

nic::Image program() {
  const std::span<const std::byte> elf = schedule_cost_image();
  return nic::load_elf({elf.begin(), elf.end()});
}

struct NoCounters {
  [[nodiscard]] std::uint32_t instructions() const { return 0; }
  [[nodiscard]] std::uint32_t cycles() const { return 0; }
};

struct Cost {
  double sum = 0;
  std::uint32_t most = 0, count = 0;
  void add(std::uint32_t value) {
    sum += value;
    most = std::max(most, value);
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / count; }
};

TEST(ScheduleCost, TheCoreFindsTheHostsSchedulesInFewInstructions) {
  const nic::Image image = program();
  FakeBus bus({}, {1, 1, 1});
  FirmwareOnCore core(image, bus);
  const struct {
    const char* name;
    ScheduleKind kind;
    std::uint32_t most_cycles;  // at 100,000
  } kinds[] = {
      // "Never takes more than 1.5 us" at 2.1 GHz.
      {"two-tree", ScheduleKind::kTwoTree, 3150},
      {"two-tree-shifted", ScheduleKind::kTwoTreeShifted, 3150},
      {"two-tree, scan", ScheduleKind::kTwoTreeScan, 3150},
      // Table 1 says 48,803.58 us for all processes' schedules.
      {"circulant, receives", ScheduleKind::kCirculantReceives, 10'000},
      {"circulant, sends", ScheduleKind::kCirculantSends, 10'000},
  };
  std::printf("%-22s %8s %22s %22s\n", "", "p", "instructions mean/most", "cycles mean/most");
  for (const auto& kind : kinds) {
    for (const std::uint32_t p : {100U, 1000U, 10'000U, 65'536U, 100'000U}) {
      Cost instructions, cycles;
      const std::uint32_t stride = p <= 1000 ? 1 : p / 997;
      for (std::uint32_t r = 0; r < p; r += stride) {
        const std::uint32_t words[] = {static_cast<std::uint32_t>(kind.kind), p, r};
        bus.put(0, words, sizeof words);
        core.run();
        ASSERT_EQ(bus.get<std::uint32_t>(12), schedule_cost(kind.kind, p, r, NoCounters{}).digest)
            << kind.name << ", process " << r << " of " << p;
        instructions.add(bus.get<std::uint32_t>(16));
        cycles.add(bus.get<std::uint32_t>(20));
      }
      std::printf("%-22s %8u %13.0f %8u %13.0f %8u\n", kind.name, p, instructions.mean(),
                  instructions.most, cycles.mean(), cycles.most);
      EXPECT_LE(cycles.most, kind.most_cycles) << kind.name << ", " << p;
      EXPECT_GT(instructions.most, 50U);
    }
  }
}

}  // namespace
}  // namespace annelid::firmware
