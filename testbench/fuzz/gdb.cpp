#include "testbench/fuzz/gdb.hpp"

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "testbench/simulation/gdb_machine.hpp"

namespace annelid::fuzz {
namespace {

constexpr int kNodes = 2;
constexpr Cycle kCycles = 300;

/// A loop with accesses to all that the core reaches, and with sleep.
constexpr std::array<std::uint32_t, 12> kProgram = {
    0x400002b7,  //       lui   t0, 0x40000
    0x800003b7,  //       lui   t2, 0x80000
    0x08000313,  //       li    t1, 128
    0x30431073,  //       csrw  mie, t1
    0x0063a023,  // loop: sw    t1, 0(t2)
    0x0202ae03,  //       lw    t3, 32(t0)     CYCLE
    0x21c02023,  //       sw    t3, 512(zero)
    0x014e0e13,  //       addi  t3, t3, 20
    0x03c2ac23,  //       sw    t3, 56(t0)     TIMER
    0x0202ae23,  //       sw    zero, 60(t0)   TIMER_HIGH
    0x10500073,  //       wfi
    0xfe5ff06f,  //       j     loop
};

nic::Image image() {
  nic::Image image;
  image.ram.resize(sizeof kProgram);
  std::memcpy(image.ram.data(), kProgram.data(), sizeof kProgram);
  image.code_end = sizeof kProgram;
  return image;
}

}  // namespace

void read_gdb(const std::filesystem::path& file) {
  static const nic::Image kImage = image();
  std::ifstream in(file, std::ios::binary);
  const std::string said{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  test::talk_to_nobody(kImage, kNodes, said, kCycles);
}

}  // namespace annelid::fuzz
