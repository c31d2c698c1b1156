// The register map is written twice: in docs/internals/nic/registers.md for people, in
// interface/registers.toml for machines (here through the header generated from it). They must
// agree.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <vector>

#include "interface/registers.hpp"

namespace annelid {
namespace {

struct Row {
  std::string name, access, meaning;
};

/// The lines of a page of the NIC's specification.
std::vector<std::string> lines_of(const std::string& page) {
  std::ifstream file(ANNELID_SOURCE_DIR "/docs/internals/nic/" + page);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// By offset.
std::map<std::uint32_t, Row> documented_registers() {
  const std::regex row(R"(\| (0x[0-9A-F]{3}) \| `(\w+)`(?: … `\w+`)? \| (ro|wo|rw) \| (.*) \|)");
  std::map<std::uint32_t, Row> rows;
  for (const std::string& line : lines_of("registers.md")) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    const auto offset = static_cast<std::uint32_t>(std::stoul(match[1], nullptr, 16));
    EXPECT_EQ(rows.count(offset), 0U) << line;
    rows[offset] = {match[2], match[3], match[4]};
  }
  return rows;
}

TEST(RegisterMap, DocumentAndTomlHaveTheSameNamesOffsetsAndAccess) {
  const auto rows = documented_registers();
  EXPECT_EQ(rows.size(), std::size(reg::kRegisters));
  for (const reg::Register& r : reg::kRegisters) {
    ASSERT_EQ(rows.count(r.offset), 1U) << r.name << " is not in docs/internals/nic/registers.md";
    const Row& row = rows.at(r.offset);
    const std::string name = r.words == 1 ? r.name : std::string(r.name) + "_0";
    EXPECT_EQ(row.name, name);
    const std::string access = r.readable ? (r.writable ? "rw" : "ro") : "wo";
    EXPECT_EQ(row.access, access) << r.name;
  }
}

TEST(RegisterMap, ResetValuesThatTheDocumentNamesAreThoseOfTheToml) {
  const std::regex value(R"(reset value (0x[0-9A-F]+|\d+))");
  const auto rows = documented_registers();
  int named = 0;
  for (const reg::Register& r : reg::kRegisters) {
    std::smatch match;
    const std::string& meaning = rows.at(r.offset).meaning;
    if (!std::regex_search(meaning, match, value)) continue;
    ++named;
    EXPECT_EQ(r.reset, std::stoul(match[1], nullptr, 0)) << r.name;
  }
  EXPECT_EQ(named, 11);
}

/// The rows "| 8 `OVERLAP` | ..." of the document.
TEST(RegisterMap, ErrorCausesAreThoseOfTheDocument) {
  using reg::ErrorCause;
  const std::map<std::string, ErrorCause> causes = {{"SEND_OVERFLOW", ErrorCause::kSendOverflow},
                                                    {"RECV_OVERFLOW", ErrorCause::kRecvOverflow},
                                                    {"BAD_ADDRESS", ErrorCause::kBadAddress},
                                                    {"BAD_RANGE", ErrorCause::kBadRange},
                                                    {"TOO_LONG", ErrorCause::kTooLong},
                                                    {"BAD_PORT", ErrorCause::kBadPort},
                                                    {"BAD_PACKET", ErrorCause::kBadPacket},
                                                    {"OVERLAP", ErrorCause::kOverlap},
                                                    {"BAD_COMBINE", ErrorCause::kBadCombine},
                                                    {"BAD_COUNTER", ErrorCause::kBadCounter},
                                                    {"BAD_CALL", ErrorCause::kBadCall},
                                                    {"LIST_OVERFLOW", ErrorCause::kListOverflow},
                                                    {"BAD_LIST", ErrorCause::kBadList}};
  const std::regex row(R"(\| (\d+) `(\w+)` \|.*)");
  std::size_t found = 0;
  for (const std::string& line : lines_of("errors.md")) {
    std::smatch match;
    if (!std::regex_match(line, match, row)) continue;
    ++found;
    ASSERT_EQ(causes.count(match[2]), 1U) << line;
    EXPECT_EQ(static_cast<std::uint32_t>(causes.at(match[2])), std::stoul(match[1])) << line;
  }
  EXPECT_EQ(found, causes.size());
}

TEST(RegisterMap, FieldsCutAndPlaceBits) {
  EXPECT_EQ(reg::kAwaitStepField.of(0x12345678), 0x5678U);
  EXPECT_EQ(reg::kAwaitWhatField.in(0x1ff), 0xff000000U);
  EXPECT_EQ(reg::kCompletionValidField.mask(), 0x80000000U);
  EXPECT_EQ(reg::kNodeYField.of(0x070503), 5U);
}

}  // namespace
}  // namespace annelid
