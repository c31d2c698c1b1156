// The embedded program: what the core's loader and the rule of no global state rely on.
#include "firmware/image.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "interface/registers.hpp"

namespace annelid {
namespace {

// The parts of the ELF format that are needed here (System V ABI, 32 bits, little-endian).
template <typename T>
T get(std::size_t at) {
  T value{};
  const std::span<const std::byte> image = firmware_image();
  if (at + sizeof value > image.size()) {
    ADD_FAILURE() << "the file ends before offset " << at;
    return value;
  }
  std::memcpy(&value, image.data() + at, sizeof value);
  return value;
}

struct Section {
  std::string name;
  std::uint32_t type = 0, flags = 0, address = 0, offset = 0, bytes = 0, link = 0;
};

std::vector<Section> sections() {
  std::vector<Section> result;
  const auto table = get<std::uint32_t>(0x20);
  const auto entry = get<std::uint16_t>(0x2E), count = get<std::uint16_t>(0x30);
  const auto names = get<std::uint32_t>(table + entry * get<std::uint16_t>(0x32) + 16U);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t at = table + i * entry;
    Section s{"",
              get<std::uint32_t>(at + 4),
              get<std::uint32_t>(at + 8),
              get<std::uint32_t>(at + 12),
              get<std::uint32_t>(at + 16),
              get<std::uint32_t>(at + 20),
              get<std::uint32_t>(at + 24)};
    for (std::uint32_t c = names + get<std::uint32_t>(at); get<char>(c) != 0; ++c) {
      s.name += get<char>(c);
    }
    result.push_back(s);
  }
  return result;
}

constexpr std::uint32_t kProgramBits = 1, kSymbolTable = 2, kNoBits = 8;  // section types
constexpr std::uint32_t kWritable = 1, kAllocated = 2;                    // section flags

TEST(FirmwareImage, DoesNotSayWhereItWasBuilt) {
  for (const auto& image : {firmware_image(), schedule_cost_image()}) {
    const std::string_view text(reinterpret_cast<const char*>(image.data()), image.size());
    EXPECT_EQ(text.find(ANNELID_SOURCE_DIR), std::string_view::npos);
    EXPECT_NE(text.find("/annelid/firmware/platform"), std::string_view::npos);
  }
}

TEST(FirmwareImage, IsAnRv32ExecutableThatStartsAtAddress0) {
  EXPECT_EQ(get<std::uint32_t>(0), 0x464C457FU);  // 7F 'E' 'L' 'F'
  EXPECT_EQ(get<std::uint8_t>(4), 1);             // 32 bits
  EXPECT_EQ(get<std::uint8_t>(5), 1);             // little-endian
  EXPECT_EQ(get<std::uint16_t>(16), 2);           // executable
  EXPECT_EQ(get<std::uint16_t>(18), 243);         // RISC-V
  EXPECT_EQ(get<std::uint32_t>(24), 0U);          // entry
  EXPECT_EQ(get<std::uint32_t>(36) & 7, 0U);      // no compressed code, no float ABI
}

TEST(FirmwareImage, LoadsAtAddress0AndLeavesRoomForTheNodeAndTheStack) {
  const auto table = get<std::uint32_t>(28);
  const auto entry = get<std::uint16_t>(42), count = get<std::uint16_t>(44);
  std::uint32_t loaded = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t at = table + i * entry;
    if (get<std::uint32_t>(at) != 1) continue;  // PT_LOAD
    EXPECT_EQ(get<std::uint32_t>(at + 8), 0U);  // address
    const auto in_file = get<std::uint32_t>(at + 16), in_memory = get<std::uint32_t>(at + 20);
    EXPECT_EQ(in_file, in_memory);
    EXPECT_EQ(get<std::uint32_t>(at + 24) & 2, 0U) << "writable";
    loaded += in_memory;
  }
  EXPECT_GT(loaded, 0U);
  EXPECT_LT(loaded, reg::kRamBytes - 40 * 1024);     // for the node and the stack (link.ld)
  EXPECT_LT(firmware_image().size(), 1150U * 1024);  // with line numbers
  std::printf("firmware: %u bytes in RAM, %zu bytes of ELF\n", loaded, firmware_image().size());
}

TEST(FirmwareImage, HasNoGlobalMutableState) {
  std::size_t allocated = 0, variables = 0, symbols = 0;
  const std::vector<Section> all = sections();
  for (const Section& section : all) {
    if ((section.flags & kAllocated) != 0 && section.bytes > 0) {
      ++allocated;
      EXPECT_EQ(section.flags & kWritable, 0U) << section.name;
      EXPECT_EQ(section.type, kProgramBits) << section.name;
      EXPECT_NE(section.type, kNoBits) << section.name;
    }
    if (section.type != kSymbolTable) continue;
    for (std::uint32_t at = section.offset; at < section.offset + section.bytes; at += 16) {
      const auto home = get<std::uint16_t>(at + 14);
      const bool object = (get<std::uint8_t>(at + 12) & 15) == 1;
      ++symbols;
      if (!object || home >= all.size()) continue;
      ++variables;
      EXPECT_EQ(all[home].flags & kWritable, 0U) << "a variable in " << all[home].name;
    }
  }
  EXPECT_GE(allocated, 2U);  // code and constants: the loop saw them
  EXPECT_GE(variables, 1U);  // the table of collectives
  EXPECT_GT(symbols, 20U);   // for the names of functions in reports
}

}  // namespace
}  // namespace annelid
