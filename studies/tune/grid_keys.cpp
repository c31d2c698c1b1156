#include "studies/tune/grid_keys.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/input_error.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "studies/common/call_kind.hpp"

namespace annelid::studies {
namespace {

using Kind = simulation::Key::Kind;

/// Where a tuning of hybrids names none; those with which the call is not too long.
constexpr const char* kHybridSizes = "8,1k,16k,128k,1M";

constexpr std::array kTuneKeys = {
    simulation::Key{
        "tune.operation", Kind::kTexts, "names of operations", "--operation", "NAMES",
        "The operations to tune, as in broadcast,reduce. All that move bytes can be tuned.",
        "broadcast"},
    simulation::Key{"tune.algorithm", Kind::kTexts, "names of algorithms", "--algorithm", "NAMES",
                    "The only algorithms to measure.", "all that run on the network"},
    simulation::Key{
        "tune.bytes", Kind::kLengths, "sizes as \"8:64k\", \"8:1M:4\", [64, 4096] or \"64,4k\"",
        "--bytes", "SIZES",
        "Sizes of a process's block. In 8:64k each size is twice the one before, in 8:1M:4 four "
        "times; 64,4k lists them. k is 1024, M is 1048576.",
        "8:64k"},
    simulation::Key{"tune.ranks", Kind::kIntegers, "integers, processes", "--ranks", "P",
                    "Numbers of processes, as in 4,16,64. With fewer than all nodes only "
                    "algorithms by rank run.",
                    "all nodes"},
    simulation::Key{"tune.sizes", Kind::kTexts, "sizes of networks, as \"4x4\"", "--sizes", "SIZES",
                    "Sizes of several networks, as in 4x4,8x8, in place of --size."},
    simulation::Key{"tune.refine", Kind::kInteger, "an integer, rounds", "--refine", "N",
                    "Rounds of further measurements. Each round measures the geometric middle of "
                    "every two sizes between which the fastest algorithm changes.",
                    "0"},
    simulation::Key{"tune.hybrids", Kind::kInteger, "an integer, hybrids", "--hybrids", "N",
                    "For intercom alone: compares hybrids in place of algorithms. The model ranks "
                    "all of them; the first N and N others drawn by the seed are simulated, and "
                    "the call that leaves the choice to the processes.",
                    "none"},
    simulation::Key{"tune.radices", Kind::kBoolean, "true or false", "--radices", "BOOL",
                    "For all-to-all alone: true measures radix with every radix, and with those "
                    "mixed radices that take the fewest steps or blocks.",
                    "false"},
    simulation::Key{kColumnsKey, Kind::kTexts, "native, first or prepared", "--columns", "KINDS",
                    "Kinds of calls to measure too, and to show in a column each, as in "
                    "native,first,prepared: calls of native firmware, ordinary calls on the "
                    "modelled core, starts of prepared calls on it.",
                    "none"},
};

/// Keys of a collective that a tuning leaves open.
constexpr std::array<std::string_view, 7> kOpenKeys = {"collective.root", "collective.operator",
                                                       "collective.type", "collective.embedding",
                                                       "collective.seed", kCountsKey,
                                                       kPreparedKey};

/// What a tuning measures itself cannot be set.
void require_open_keys(const simulation::Settings& s) {
  if (s.calls() > 0) {
    throw InputError(s.file().string(), "tables [[call]]", "a tuning, which makes its own calls");
  }
  for (const simulation::Key& key : simulation::collective_keys()) {
    if (!s.has(key.name) || std::ranges::find(kOpenKeys, key.name) != kOpenKeys.end()) continue;
    throw InputError(s.origin(key.name), "a value in a tuning",
                     "tune.operation, tune.algorithm, tune.bytes, tune.ranks, or nothing");
  }
}

/// Hybrids are compared with each other alone, at the sizes that are given.
void require_hybrids_alone(const simulation::Settings& s) {
  if (!s.has("tune.hybrids")) return;
  if (s.texts("tune.algorithm") != std::vector<std::string>{"intercom"}) {
    throw InputError(s.origin("tune.hybrids"), "a value without \"intercom\" as the only algorithm",
                     "--algorithm intercom beside it");
  }
  for (const char* key : {"tune.refine", kColumnsKey}) {
    s.refuse_idle(key, "tune.hybrids", "a value in a tuning of hybrids", "nothing");
  }
  if (s.boolean(kPreparedKey, false)) {
    s.refuse_idle(kPreparedKey, "tune.hybrids", "a value in a tuning of hybrids",
                  "--firmware native: prepared calls choose by the tables of native firmware");
  }
}

/// Radices are those of the all-to-all.
void require_radices_alone(const simulation::Settings& s) {
  if (!s.boolean("tune.radices", false)) return;
  if (s.texts("tune.operation") != std::vector<std::string>{"all-to-all"}) {
    throw InputError(s.origin("tune.radices"), "a value without all-to-all as the only operation",
                     "--operation all-to-all beside it");
  }
  const auto algorithms = s.texts("tune.algorithm");
  if (!algorithms.empty() && std::ranges::find(algorithms, "radix") == algorithms.end()) {
    throw InputError(s.origin("tune.radices"), "a value without \"radix\" among the algorithms",
                     "--algorithm radix, or with it");
  }
  s.refuse_idle(kCountsKey, "tune.radices", "a value beside " + s.origin("tune.radices"),
                "one of the two: radix takes no blocks of different lengths");
}

/// Blocks of different lengths have the bytes that they have.
void require_counts_alone(const simulation::Settings& s) {
  if (!s.has(kCountsKey)) return;
  for (const char* key : {"tune.bytes", "tune.refine"}) {
    s.refuse_idle(key, kCountsKey, "a value beside " + s.origin(kCountsKey), "one of the two");
  }
}

/// A case twice would be two tables of the same name.
void require_each_once(const simulation::Settings& s) {
  for (const char* key :
       {"tune.operation", "tune.algorithm", "tune.ranks", "tune.sizes", kColumnsKey}) {
    const simulation::Value* value = s.find(key);
    if (value == nullptr) continue;
    std::set<std::string> seen;
    for (const simulation::Value& item : value->list) {
      if (seen.insert(simulation::option_text(item)).second) continue;
      throw InputError(s.origin(key), item.shown + " twice", "each once");
    }
  }
}

}  // namespace

std::vector<std::uint64_t> read_sizes(const simulation::Settings& s) {
  const simulation::Value* value = s.find("tune.bytes");
  const std::string where = s.origin("tune.bytes");
  if (value == nullptr) return parse_sizes(s.has("tune.hybrids") ? kHybridSizes : "8:64k", where);
  return parse_sizes(simulation::option_text(*value), where);
}

void require_tuning(const simulation::Settings& s) {
  require_open_keys(s);
  require_each_once(s);
  require_hybrids_alone(s);
  require_radices_alone(s);
  require_counts_alone(s);
}

void require_tuned_effect(const simulation::Settings& s, const TuneGrid& grid) {
  const bool by_rank = std::ranges::any_of(grid.cases, [](const TuneCase& c) {
    return std::ranges::any_of(c.algorithms, [](const simulation::Scenario& run) {
      return run.call().collective.algorithm->by_rank;
    });
  });
  if (by_rank) return;
  s.refuse_idle("collective.embedding", "tune.algorithm",
                "a value for algorithms that use the nodes' coordinates", "an algorithm by rank");
}

std::vector<simulation::Key> tune_keys() {
  std::vector<simulation::Key> keys = simulation::run_keys();
  keys.insert(keys.end(), kTuneKeys.begin(), kTuneKeys.end());
  return keys;
}

std::vector<simulation::Key> tune_option_keys() {
  std::vector<simulation::Key> keys(kTuneKeys.begin(), kTuneKeys.end());
  for (simulation::Key key : simulation::run_keys()) {
    if (std::string_view(key.name) == kPreparedKey) {
      key.help =
          "true measures starts of prepared calls, the second one of each, and leaves tables for "
          "prepared calls.";
    }
    const bool is_collective = std::string_view(key.name).starts_with("collective.");
    if (is_collective && std::ranges::find(kOpenKeys, key.name) == kOpenKeys.end()) continue;
    keys.push_back(key);
  }
  return keys;
}

}  // namespace annelid::studies
