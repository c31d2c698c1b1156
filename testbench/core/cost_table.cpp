#include "testbench/core/cost_table.hpp"

#include <map>
#include <set>

namespace annelid::test {

bool is_branch(const std::string& mnemonic) {
  static const std::set<std::string> kBranches = {"beq", "bne", "blt", "bge", "bltu", "bgeu"};
  return kBranches.contains(mnemonic);
}

// The address is from the immediate of the word: I-type of loads, S-type of stores.
bool crosses(const std::string& mnemonic, std::uint32_t word,
             const std::array<std::uint32_t, 32>& x) {
  static const std::map<std::string, std::uint32_t> kBytes = {
      {"lh", 2}, {"lhu", 2}, {"sh", 2}, {"lw", 4}, {"sw", 4}};
  const auto bytes = kBytes.find(mnemonic);
  if (bytes == kBytes.end()) return false;
  const std::uint32_t lower = mnemonic[0] == 's' ? word >> 7 & 31 : word >> 20 & 31;
  const std::uint32_t upper = word >> 25;  // a sign counts for nothing modulo 4
  return (x[word >> 15 & 31] + 32 * upper + lower) % 4 + bytes->second > 4;
}

Cycle cost(const std::string& mnemonic, bool jumped) {
  static const std::map<std::string, Cycle> kCosts = {
      {"lb", 2},    {"lh", 2},     {"lw", 2},    {"lbu", 2},     {"lhu", 2},   {"mul", 2},
      {"mulh", 2},  {"mulhsu", 2}, {"mulhu", 2}, {"div", 34},    {"divu", 34}, {"rem", 34},
      {"remu", 34}, {"jal", 3},    {"jalr", 3},  {"fence.i", 3}, {"mret", 3}};
  if (is_branch(mnemonic)) return jumped ? 3 : 1;
  const auto entry = kCosts.find(mnemonic);
  return entry == kCosts.end() ? 1 : entry->second;
}

}  // namespace annelid::test
