#include "simulation/program/core_profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace annelid::simulation {
namespace {

constexpr std::uint32_t kWfi = 0x10500073;

}  // namespace

CoreProfile::CoreProfile(const nic::Image& image) : function_of_(nic::kRamBytes / 4) {
  for (const nic::Image::Function& f : image.functions) counts_.push_back({f.name});
  counts_.push_back({"?"});
  for (std::size_t word = 0; word < function_of_.size(); ++word) {
    const auto* f = image.find_function(static_cast<std::uint32_t>(4 * word));
    function_of_[word] = f == nullptr ? image.functions.size()
                                      : static_cast<std::size_t>(f - image.functions.data());
  }
}

/// What was under way lasted up to this cycle; but for its first cycle a WFI's time is sleep. A
/// core that is ahead of the network when the run ends has begun its last instruction after the
/// end.
void CoreProfile::Node::until(Cycle cycle) {
  if (ended_ || cycle <= since_) return;
  const Cycle awake = slept_ ? 1 : cycle - since_;
  profile_.counts_[function_].cycles += awake;
  profile_.asleep_ += cycle - since_ - awake;
}

void CoreProfile::Node::retired(const nic::Retired& i) {
  until(i.cycle);
  function_ = profile_.function_of_[i.pc / 4];
  since_ = i.cycle;
  slept_ = i.word == kWfi;
  ended_ = false;
  ++profile_.counts_[function_].instructions;
}

void CoreProfile::Node::trapped(Cycle cycle, const nic::Trap& trap) {
  until(cycle);
  if (trap.pc / 4 < profile_.function_of_.size()) {
    function_ = profile_.function_of_[trap.pc / 4];
  }
  since_ = cycle;
  slept_ = ended_ = false;
}

void CoreProfile::Node::end(Cycle cycle) {
  until(cycle);
  ended_ = true;
}

std::string CoreProfile::table() const {
  std::vector<Count> rows;
  std::uint64_t cycles = 0, instructions = 0;
  for (const Count& c : counts_) {
    if (c.cycles > 0 || c.instructions > 0) rows.push_back(c);
    cycles += c.cycles;
    instructions += c.instructions;
  }
  std::ranges::stable_sort(rows, std::ranges::greater(), &Count::cycles);
  std::string text =
      fmt::format("{:>7} {:>14} {:>14}  {}\n", "percent", "cycles", "instructions", "function");
  for (const Count& c : rows) {
    text += fmt::format("{:>7.2f} {:>14} {:>14}  {}\n",
                        100.0 * static_cast<double>(c.cycles) / static_cast<double>(cycles),
                        c.cycles, c.instructions, one_line(c.name));
  }
  text += fmt::format("{:>7} {:>14} {:>14}  {}\n", "", cycles, instructions, "all, awake");
  text += fmt::format("{:>7} {:>14} {:>14}  {}\n", "", asleep_, "", "asleep in WFI");
  return text;
}

}  // namespace annelid::simulation
