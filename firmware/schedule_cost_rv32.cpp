// A program for the core that finds the schedules that node memory asks for: kind, processes,
// process; it leaves digest, instructions and cycles behind them, and sleeps.
#include "firmware/schedule_cost.hpp"
#include "interface/registers.hpp"

namespace {

struct Counters {
  [[nodiscard]] std::uint32_t instructions() const {
    std::uint32_t now = 0;
    asm volatile("csrr %0, minstret" : "=r"(now)::"memory");
    return now;
  }
  [[nodiscard]] std::uint32_t cycles() const {
    std::uint32_t now = 0;
    asm volatile("csrr %0, mcycle" : "=r"(now)::"memory");
    return now;
  }
};

}  // namespace

extern "C" [[noreturn]] void firmware_main() {
  using namespace annelid::firmware;
  auto* words = reinterpret_cast<volatile std::uint32_t*>(annelid::reg::kMemoryBase);
  for (;;) {
    const auto kind = static_cast<ScheduleKind>(words[0]);
    const ScheduleCost cost = schedule_cost(kind, words[1], words[2], Counters{});
    words[3] = cost.digest;
    words[4] = cost.instructions;
    words[5] = cost.cycles;
    asm volatile("wfi" ::: "memory");
  }
}
