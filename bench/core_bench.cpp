// How fast the core runs alone, in runs as long as the NIC asks for: a hash over bytes in RAM, with
// loads, stores, multiplications, shifts and data-dependent branches; and a loop of ALU operations,
// shifts and branches.
#include <benchmark/benchmark.h>

#include <cstring>
#include <span>

#include "nic/core.hpp"

namespace annelid {
namespace {

constexpr std::uint32_t kHash[] = {
    // fill 1 KiB at 0x1000 with squares
    0x00000413,  // 00: addi x8, x0, 0
    0x000014b7,  // 04: lui x9, 1
    0x3ff47293,  // 08: andi x5, x8, 1023
    0x00548333,  // 0c: add x6, x9, x5
    0x028403b3,  // 10: mul x7, x8, x8
    0x00730023,  // 14: sb x7, 0(x6)
    0x00140413,  // 18: addi x8, x8, 1
    0x3ff47293,  // 1c: andi x5, x8, 1023
    0xfe0294e3,  // 20: bne x5, x0, 08
    // for ever: hash them, a byte a time
    0x00000513,  // 24: addi x10, x0, 0
    0x40000593,  // 28: addi x11, x0, 1024
    0x00048613,  // 2c: addi x12, x9, 0
    0x00064683,  // 30: lbu x13, 0(x12)
    0x00551713,  // 34: slli x14, x10, 5
    0x01b55793,  // 38: srli x15, x10, 27
    0x00f76533,  // 3c: or x10, x14, x15
    0x00d54533,  // 40: xor x10, x10, x13
    0x0016f813,  // 44: andi x16, x13, 1
    0x00080463,  // 48: beq x16, x0, 50
    0x04d50513,  // 4c: addi x10, x10, 77
    0x02d508b3,  // 50: mul x17, x10, x13
    0x41162023,  // 54: sw x17, 1024(x12)
    0x00160613,  // 58: addi x12, x12, 1
    0xfff58593,  // 5c: addi x11, x11, -1
    0xfc0598e3,  // 60: bne x11, x0, 30
    0xfc1ff06f,  // 64: jal x0, 24
};

constexpr std::uint32_t kAlu[] = {
    0x800007b7,  // 00: lui x15, 0x80000
    // for ever: one of the two branches over an instruction is taken in most rounds
    0x00128293,  // 04: addi x5, x5, 1
    0x00329313,  // 08: slli x6, x5, 3
    0x0063c3b3,  // 0c: xor x7, x7, x6
    0x0053d413,  // 10: srli x8, x7, 5
    0x008484b3,  // 14: add x9, x9, x8
    0x0074f513,  // 18: andi x10, x9, 7
    0x00051463,  // 1c: bne x10, x0, 24
    0x405484b3,  // 20: sub x9, x9, x5
    0x0074b5b3,  // 24: sltu x11, x9, x7
    0x0065e633,  // 28: or x12, x11, x6
    0x40265693,  // 2c: srai x13, x12, 2
    0x00a69733,  // 30: sll x14, x13, x10
    0x00058463,  // 34: beq x11, x0, 3c
    0x0553c393,  // 38: xori x7, x7, 85
    0x00977833,  // 3c: and x16, x14, x9
    0x06482893,  // 40: slti x17, x16, 100
    0xfcf8e0e3,  // 44: bltu x17, x15, 04
};

/// The argument is the cycles that each call of run() may take.
void run_core(benchmark::State& state, std::span<const std::uint32_t> program) {
  nic::Image image;
  image.ram.resize(program.size_bytes());
  std::memcpy(image.ram.data(), program.data(), program.size_bytes());
  nic::Core core(image, 0);
  const auto cycles = static_cast<Cycle>(state.range(0));
  for (auto _ : state) {
    if (core.run(core.time() + cycles, {}) != nic::Core::State::kRunning) {
      state.SkipWithError("the program trapped");
      return;
    }
  }
  state.counters["instructions/s"] =
      benchmark::Counter(static_cast<double>(core.instructions()), benchmark::Counter::kIsRate);
  state.counters["cycles/s"] =
      benchmark::Counter(static_cast<double>(core.time()), benchmark::Counter::kIsRate);
}
void core_hash(benchmark::State& state) { run_core(state, kHash); }
void core_alu(benchmark::State& state) { run_core(state, kAlu); }
BENCHMARK(core_hash)->Arg(1)->Arg(10)->Arg(100)->Arg(100000);
BENCHMARK(core_alu)->Arg(1)->Arg(10)->Arg(100)->Arg(100000);

}  // namespace
}  // namespace annelid

BENCHMARK_MAIN();
