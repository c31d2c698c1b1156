#include "studies/tune/grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>

#include "base/fnv1a.hpp"
#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/text.hpp"
#include "simulation/machine/memory_layout.hpp"
#include "simulation/scenario/collective_keys.hpp"
#include "simulation/scenario/count_keys.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "simulation/scenario/nic_keys.hpp"
#include "studies/check/cost.hpp"
#include "studies/common/stored_configuration.hpp"
#include "studies/tune/hybrids.hpp"

namespace annelid::studies {
namespace {

using Kind = simulation::Key::Kind;
using reference::Algorithm;

constexpr std::size_t kMostTunePoints = 100'000;
constexpr const char* kCounts = "collective.counts";
/// Where a tuning of hybrids names none; those with which the call is not too long.
constexpr const char* kHybridSizes = "8,1k,16k,128k,1M";

constexpr std::array kTuneKeys = {
    simulation::Key{"tune.operation", Kind::kTexts, "names of operations", "--operation", "NAMES",
                    "The operations to tune, as in broadcast,reduce. All but barrier can be tuned.",
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
};

/// Keys of a collective that a tuning leaves open.
constexpr std::array<std::string_view, 6> kOpenKeys = {"collective.root", "collective.operator",
                                                       "collective.type", "collective.embedding",
                                                       "collective.seed", kCounts};

std::vector<std::uint64_t> read_sizes(const simulation::Settings& s) {
  const simulation::Value* value = s.find("tune.bytes");
  const std::string where = s.origin("tune.bytes");
  if (value == nullptr) return parse_sizes(s.has("tune.hybrids") ? kHybridSizes : "8:64k", where);
  return parse_sizes(simulation::option_text(*value), where);
}

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

/// Values that no run would use.
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

/// Hybrids are compared with each other alone, at the sizes that are given.
void require_hybrids_alone(const simulation::Settings& s) {
  if (!s.has("tune.hybrids")) return;
  if (s.texts("tune.algorithm") != std::vector<std::string>{"intercom"}) {
    throw InputError(s.origin("tune.hybrids"), "a value without \"intercom\" as the only algorithm",
                     "--algorithm intercom beside it");
  }
  s.refuse_idle("tune.refine", "tune.hybrids", "a value in a tuning of hybrids", "nothing");
}

/// Blocks of different lengths have the bytes that they have.
void require_counts_alone(const simulation::Settings& s) {
  if (!s.has(kCounts)) return;
  for (const char* key : {"tune.bytes", "tune.refine"}) {
    s.refuse_idle(key, kCounts, "a value beside " + s.origin(kCounts), "one of the two");
  }
}

/// A case twice would be two tables of the same name.
void require_each_once(const simulation::Settings& s) {
  for (const char* key : {"tune.operation", "tune.algorithm", "tune.ranks", "tune.sizes"}) {
    const simulation::Value* value = s.find(key);
    if (value == nullptr) continue;
    std::set<std::string> seen;
    for (const simulation::Value& item : value->list) {
      if (seen.insert(simulation::option_text(item)).second) continue;
      throw InputError(s.origin(key), item.shown + " twice", "each once");
    }
  }
}

/// What decides the cycles of a run; without the scenario's name.
nlohmann::ordered_json configuration_of(const simulation::Scenario& s, std::uint64_t image) {
  return {{"network", simulation::network_json(s.network)},
          {"router", simulation::router_json(s.network)},
          {"nic", simulation::nic_json(s.nic)},
          {"firmware", name_of(s.firmware)},
          {"image", fmt::format("{:016x}", image)},
          {"collective", simulation::collective_json(s.call().collective, s.network)},
          {"seed", s.call().collective.seed},
          {"bytes", s.call().collective.bytes}};
}

std::uint64_t hash_of(const simulation::FirmwareChoice& firmware, const std::string& where) {
  const nic::Image image = simulation::read_image(firmware, where);
  return fnv1a({reinterpret_cast<const char*>(image.ram.data()), image.ram.size()});
}

/// The cases of a grid, one operation, network and number of processes after the other.
class CaseMaker {
 public:
  CaseMaker(TuneGrid& grid, const simulation::Settings& settings)
      : grid_(grid), settings_(settings) {
    for (const std::string& name : settings.texts("tune.algorithm")) unused_.insert(name);
    named_ = unused_;
  }

  void make() {
    std::vector<std::string> operations = settings_.texts("tune.operation");
    if (operations.empty()) operations = {"broadcast"};
    require_known_names(operations);
    for (const std::string& operation : operations) {
      if (operation == name_of(reference::Operation::kBarrier)) {
        settings_.refuse("tune.operation", "operations that move bytes");
      }
      simulation::Settings s = settings_;
      s.set("collective.operation", simulation::Value::of_text(operation),
            s.origin("tune.operation"));
      make_sizes(s);
    }
    if (unused_.empty()) return;
    std::string known;
    for (const TuneCase& c : grid_.cases) {
      const reference::Network network = simulation::reference_network(c.network);
      known += fmt::format("{}for {} on the {}: {}", known.empty() ? "" : "; ",
                           name_of(c.operation), simulation::describe_network(c.network),
                           simulation::algorithm_names(c.operation, &network));
    }
    throw InputError(settings_.origin("tune.algorithm"), "\"" + *unused_.begin() + "\"", known);
  }

 private:
  /// An algorithm that no operation has is a mistyped one, whatever the network.
  void require_known_names(const std::vector<std::string>& operations) const {
    std::vector<std::string_view> known;
    for (const Algorithm& a : reference::algorithms()) {
      if (std::ranges::find(operations, name_of(a.operation)) == operations.end()) continue;
      if (std::ranges::find(known, a.name) == known.end()) known.push_back(a.name);
    }
    if (known.empty()) return;  // an operation is mistyped, which is said later
    for (const std::string& name : named_) {
      if (std::ranges::find(known, name) != known.end()) continue;
      throw InputError(settings_.origin("tune.algorithm"), "\"" + name + "\"",
                       fmt::format("for {}: {}{}", fmt::join(operations, ", "),
                                   simulation::quoted(known), did_you_mean(name, known)));
    }
  }

  void make_sizes(const simulation::Settings& s) {
    const std::vector<std::string> sizes = s.texts("tune.sizes");
    if (sizes.empty()) make_ranks(s);
    for (const std::string& size : sizes) {
      const auto value = simulation::parse_value(Kind::kIntegers, size);
      if (!value) s.refuse("tune.sizes", s.find_key("tune.sizes")->shape);
      simulation::Settings sized = s;
      sized.set("network.size", *value, s.origin("tune.sizes"));
      make_ranks(sized);
    }
  }

  void make_ranks(const simulation::Settings& s) {
    const systemc::NetworkConfig network =
        simulation::read_network(s, simulation::kControlVcWithNics);
    const auto nodes = static_cast<std::int64_t>(network.nodes());
    std::vector<std::int64_t> ranks = s.integers("tune.ranks");
    if (ranks.empty()) ranks = {nodes};
    for (const std::int64_t processes : ranks) {
      if (processes < 1 || processes > nodes) {
        throw InputError(s.origin("tune.ranks"), std::to_string(processes),
                         fmt::format("1..{}, the nodes of the {}", nodes,
                                     simulation::describe_network(network)));
      }
      make_case(s, network, static_cast<int>(processes));
    }
  }

  void make_case(const simulation::Settings& s, const systemc::NetworkConfig& network,
                 int processes) {
    TuneCase c;
    c.network = network;
    c.processes = processes;
    c.operation = simulation::read_operation(s);
    const bool lengths_alone = grid_.has_counts && named_.empty() && has_lengths(c.operation);
    for (const Algorithm& a : reference::algorithms()) {
      if (a.operation != c.operation || (!a.by_rank && !c.takes_all())) continue;
      if (lengths_alone && !a.takes_lengths) continue;
      if (!a.supports(simulation::reference_network(network))) continue;
      if (a.takes_ranks != nullptr && !a.takes_ranks(processes)) continue;
      if (!named_.empty() && !named_.contains(std::string(a.name))) continue;
      unused_.erase(std::string(a.name));
      if (const auto scenario = called(s, c, a)) c.algorithms.push_back(*scenario);
    }
    if (c.algorithms.empty()) {
      throw InputError(s.origin(named_.empty() ? "tune.operation" : "tune.algorithm"),
                       "no algorithm for " + describe(c), what_there_is(c));
    }
    grid_.cases.push_back(std::move(c));
    if (grid_.has_counts) {
      add_counts();
    } else {
      for (const std::uint64_t bytes : grid_.bytes) add_size(s, bytes);
    }
    if (grid_.points.size() > kMostTunePoints) {
      throw InputError(s.origin("tune.bytes"), fmt::format("more than {} runs", kMostTunePoints),
                       "fewer");
    }
  }

  /// To the last case, whose calls have their lengths.
  void add_counts() {
    const std::size_t last = grid_.cases.size() - 1;
    const std::uint64_t share = grid_.cases.back().algorithms.front().call().collective.bytes;
    if (grid_.hybrids == 0) return grid_.add(last, share);
    grid_.add_hybrids(last, share);
  }

  /// To the last case.
  void add_size(const simulation::Settings& s, std::uint64_t bytes) {
    const std::size_t last = grid_.cases.size() - 1;
    if (grid_.hybrids == 0) return grid_.add(last, bytes);
    simulation::Collective call = grid_.cases.back().algorithms.front().call().collective;
    call.bytes = bytes;
    const bool fits = simulation::longest_buffer(call) <= simulation::kLongestMessage;
    if (fits || s.has("tune.bytes")) grid_.add_hybrids(last, bytes);
  }

  /// The call by an algorithm; nothing if the operator needs an order that it does not keep.
  static std::optional<simulation::Scenario> called(const simulation::Settings& of_case,
                                                    const TuneCase& c, const Algorithm& a) {
    simulation::Settings s = of_case;
    s.set("collective.algorithm", simulation::Value::of_text(std::string(a.name)),
          s.origin("tune.algorithm"));
    if (a.by_rank) {
      set_ranks(s, c);
    } else {
      s.unset("collective.embedding");
    }
    if (simulation::reduces(c.operation) && needs_order(s)) {
      simulation::Settings plain =
          s;  // with an operator that any algorithm takes, to see what the call is
      for (const char* key : {"collective.operator", "collective.type"}) plain.unset(key);
      const simulation::Collective call = simulation::Scenario::from(plain).call().collective;
      if (a.keeps_order == nullptr || !a.keeps_order(call.request())) return std::nullopt;
    }
    return simulation::Scenario::from(s);
  }

  /// Whether an algorithm of the operation takes blocks of different lengths. If none does, the
  /// first algorithm's call is refused with the reason.
  static bool has_lengths(reference::Operation operation) {
    return std::ranges::any_of(reference::algorithms(), [&](const Algorithm& a) {
      return a.operation == operation && a.takes_lengths;
    });
  }

  static bool needs_order(const simulation::Settings& s) {
    return s.text("collective.operator") == name_of(reference::Operator::kAffine);
  }

  /// Where the embedding decides who takes part, or what a result is, it must be the same for all
  /// algorithms: that of the call, or rows.
  static void set_ranks(simulation::Settings& s, const TuneCase& c) {
    if (!c.takes_all()) {
      s.set("collective.ranks", simulation::Value::of_integer(c.processes), s.origin("tune.ranks"));
    }
    const bool is_scan =
        c.operation == reference::Operation::kScan || c.operation == reference::Operation::kExscan;
    if ((is_scan || needs_order(s) || !c.takes_all()) && !s.has("collective.embedding")) {
      s.set("collective.embedding", simulation::Value::of_text("rows"), "collective.embedding");
    }
  }

  static std::string what_there_is(const TuneCase& c) {
    std::string text;
    for (const Algorithm& a : reference::algorithms()) {
      if (a.operation != c.operation) continue;
      text += fmt::format("{}\"{}\" ({}{})", text.empty() ? "" : ", ", a.name, a.sizes,
                          a.by_rank ? "" : ", all nodes");
    }
    return text.empty() ? "an operation that there is an algorithm for" : text;
  }

  TuneGrid& grid_;
  const simulation::Settings& settings_;
  std::set<std::string> named_, unused_;
};

simulation::Scenario with_bytes(const simulation::Settings& settings, std::uint64_t bytes) {
  simulation::Settings s = settings;
  if (s.has(kCounts)) return simulation::Scenario::from(s);
  s.set("collective.bytes", simulation::Value::of_integer(static_cast<std::int64_t>(bytes)),
        s.origin("tune.bytes"));
  return simulation::Scenario::from(s);
}

}  // namespace

std::vector<simulation::Key> tune_keys() {
  std::vector<simulation::Key> keys = simulation::run_keys();
  keys.insert(keys.end(), kTuneKeys.begin(), kTuneKeys.end());
  return keys;
}

std::vector<simulation::Key> tune_option_keys() {
  std::vector<simulation::Key> keys(kTuneKeys.begin(), kTuneKeys.end());
  for (const simulation::Key& key : simulation::run_keys()) {
    const bool is_collective = std::string_view(key.name).starts_with("collective.");
    if (is_collective && std::ranges::find(kOpenKeys, key.name) == kOpenKeys.end()) continue;
    keys.push_back(key);
  }
  return keys;
}

TuneGrid TuneGrid::read(const std::filesystem::path& file,
                        std::span<const simulation::Override> overrides) {
  TuneGrid grid;
  const simulation::Settings settings(tune_keys(), file, overrides);
  require_open_keys(settings);
  require_each_once(settings);
  require_hybrids_alone(settings);
  require_counts_alone(settings);
  grid.name = settings.name("tune");
  grid.has_counts = settings.has(kCounts);
  if (!grid.has_counts) grid.bytes = read_sizes(settings);
  grid.refine = static_cast<int>(settings.integer("tune.refine", 0, 0, 20));
  grid.hybrids = static_cast<int>(settings.integer("tune.hybrids", 0, 1, 1000));
  if (settings.has("tune.sizes")) {
    settings.refuse_idle(
        "network.size", "tune.sizes",
        fmt::format("a value beside {}, which replaces it", settings.origin("tune.sizes")),
        "one of the two");
  }
  CaseMaker(grid, settings).make();
  require_tuned_effect(settings, grid);
  return grid;
}

void TuneGrid::add(std::size_t in_case, std::uint64_t size) {
  const std::vector<simulation::Scenario>& algorithms = cases[in_case].algorithms;
  for (std::size_t curve = 0; curve < algorithms.size(); ++curve) {
    add_point({in_case, curve, size, with_bytes(algorithms[curve].settings, size), {}});
  }
}

void TuneGrid::add_hybrids(std::size_t in_case, std::uint64_t size) {
  const simulation::Scenario open = with_bytes(cases[in_case].algorithms.front().settings, size);
  const auto ranking = ranked_hybrids(open.call().collective, model_start_up(open.firmware));
  add_point({in_case, 0, size, open, {}, 0, {}, ranking.size()});
  for (const HybridCandidate& candidate :
       simulated_hybrids(ranking, static_cast<std::size_t>(hybrids), open.call().collective.hybrid,
                         open.call().collective.seed)) {
    const simulation::Settings s = naming(open.settings, candidate.hybrid);
    add_point({in_case, 0, size, simulation::Scenario::from(s), {}, 0, candidate, ranking.size()});
  }
}

void TuneGrid::add_point(TunePoint point) {
  const simulation::Scenario& run = point.scenario;
  const simulation::Settings& s = run.settings;
  if (firmware_hash_ == 0) firmware_hash_ = hash_of(run.firmware, s.origin("firmware"));
  point.configuration = stored_configuration(configuration_of(run, firmware_hash_));
  const bool rv32 = run.firmware.kind != simulation::FirmwareChoice::Kind::kNative;
  const Algorithm& algorithm = *run.call().collective.algorithm;
  try {
    point.seconds =
        CallCost(algorithm, run.call().collective.network, point.bytes).seconds(point.bytes, rv32);
  } catch (const std::invalid_argument& error) {  // more messages than the reference lists
    throw InputError(s.origin("tune.bytes"),
                     fmt::format("{} by \"{}\": {}", point.bytes, algorithm.name, error.what()),
                     "less, or other algorithms");
  }
  points.push_back(std::move(point));
}

std::string describe(const TuneCase& c) {
  std::string text = fmt::format("{} on the {}, {} processes", name_of(c.operation),
                                 simulation::describe_network(c.network), c.processes);
  if (c.algorithms.empty()) return text;
  const simulation::Collective& call = c.algorithms.front().call().collective;
  return call.lengths.empty() ? text : text + ", blocks of " + simulation::block_text(call);
}

std::string file_name(const TuneCase& c) {
  return fmt::format("{}-{}-{}", name_of(c.operation), simulation::size_text(c.network),
                     c.processes);
}

std::string run_command(const simulation::Scenario& scenario) {
  std::string text = "annelid run";
  for (const std::string& assignment : scenario.settings.assignments()) {
    const std::size_t equals = assignment.find('=');
    const simulation::Key& key = *scenario.settings.find_key(assignment.substr(0, equals));
    if (key.option == nullptr || std::string_view(key.name).starts_with("tune.")) continue;
    text += fmt::format(" {} {}", key.option, shell_word(assignment.substr(equals + 1)));
  }
  return text;
}

}  // namespace annelid::studies
