#include "studies/tune/hybrid_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reference/intercom/choice.hpp"
#include "studies/tune/enumerator.hpp"

namespace annelid::studies {
namespace {

constexpr double kAsFast = 1.01;
constexpr std::uint64_t kWord = 8;

const HybridRun* simulated_run(const HybridLength& length, const reference::HybridChoice& hybrid) {
  const auto same = [&](const HybridRun& run) { return run.candidate.hybrid == hybrid; };
  const auto found = std::ranges::find_if(length.runs, same);
  return found == length.runs.end() ? nullptr : &*found;
}

bool is_as_fast(const HybridLength& length, const reference::HybridChoice& hybrid) {
  const HybridRun* const run = simulated_run(length, hybrid);
  return run != nullptr &&
         static_cast<double>(run->cycles) <= kAsFast * static_cast<double>(length.best().cycles);
}

std::uint64_t middle_of(std::uint64_t low, std::uint64_t high) {
  const double middle = std::sqrt(static_cast<double>(low) * static_cast<double>(high));
  return static_cast<std::uint64_t>(std::ceil(middle / kWord)) * kWord;
}

std::string row_text(const simulation::TunedHybrid& choice) {
  if (!choice.hybrid) return fmt::format("TUNED_RULE({})\n", choice.from);
  return fmt::format(
      "TUNED_HYBRID({}, {}, {}, {})\n", choice.from, choice.hybrid->is_long ? "kLong" : "kShort",
      choice.hybrid->far_first ? "kFarFirst" : "kNearFirst", fmt::join(choice.hybrid->sizes, ", "));
}

}  // namespace

std::vector<simulation::TunedHybrid> tuned_choices(const std::vector<HybridLength>& lengths) {
  std::vector<simulation::TunedHybrid> choices;
  std::uint64_t before = 0;
  for (const HybridLength& length : lengths) {
    if (choices.empty() || !is_as_fast(length, *choices.back().hybrid)) {
      choices.push_back({choices.empty() ? length.bytes : middle_of(before, length.bytes),
                         length.best().candidate.hybrid});
    }
    before = length.bytes;
  }
  choices.push_back({before + 1, std::nullopt});
  return choices;
}

std::vector<simulation::TunedHybrids> hybrid_tables(const TuneGrid& grid,
                                                    const std::vector<HybridResult>& results) {
  std::vector<simulation::TunedHybrids> tables;
  if (grid.has_counts) return tables;
  for (const HybridResult& result : results) {
    const simulation::Scenario& run = result.of->algorithms.front();
    const simulation::Collective& call = run.call().collective;
    const std::vector<int> extents = reference::intercom::extents_of(call.network, call.ranks);
    const bool in_order = call.reduces() && !reference::commutes(call.op);
    if (in_order || !simulation::can_be_tuned(extents)) continue;
    tables.push_back({result.of->operation, call.network.has_rings(),
                      run.firmware.kind == simulation::FirmwareChoice::Kind::kNative, extents,
                      tuned_choices(result.lengths)});
  }
  return tables;
}

std::string hybrids_header(const std::vector<simulation::TunedHybrids>& tables,
                           const std::string& name) {
  std::string text = fmt::format(
      "// Written by `annelid tune` ({}): which hybrid of InterCom is the fastest from so many\n"
      "// bytes on. TUNED_HYBRIDS(firmware, operation, rings, extents), and its rows\n"
      "// TUNED_HYBRID(from bytes, template, order, sizes), TUNED_RULE(from bytes):\n"
      "// docs/internals/algorithms/intercom.md, \"Choosing\".\n",
      name);
  for (const simulation::TunedHybrids& table : tables) {
    std::vector<int> extents = table.extents;
    extents.resize(3, 0);
    text += fmt::format("\nTUNED_HYBRIDS({}, {}, {}, {})\n", table.native ? "kNative" : "kRv32",
                        enumerator(name_of(table.operation)), table.rings ? "kRings" : "kMesh",
                        fmt::join(extents, ", "));
    for (const simulation::TunedHybrid& choice : table.choices) text += row_text(choice);
  }
  return text;
}

}  // namespace annelid::studies
