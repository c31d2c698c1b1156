// Simulates the points of a model's fit, and the runs that check it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/input_error.hpp"
#include "reference/costs/between.hpp"
#include "simulation/run.hpp"
#include "simulation/scenario/network_keys.hpp"
#include "studies/common/call_kind.hpp"
#include "studies/tau/models.hpp"
#include "studies/tau/run_options.hpp"

namespace annelid::studies {
namespace {

using reference::models::Model;
using MeasuredPoint = reference::models::Point;
using simulation::Cause;
using simulation::Key;
using simulation::Override;
using simulation::RunResult;
using simulation::Scenario;
namespace models = reference::models;

constexpr std::string_view kPointSize = "network.size";
constexpr std::string_view kPointTopology = "network.topology";
constexpr const char* kPointNodes = "4x4";
constexpr const char* kPointNetwork = "ideal";
/// Only a collective has them.
constexpr std::array<std::string_view, 3> kAlgorithmKeys = {
    "collective.operation", "collective.algorithm", "collective.embedding"};

constexpr std::array<double, 4> kStreams = {1, 2, 4, 8};  // messages, fitted
constexpr std::array<double, 2> kOtherStreams = {3, 16};  // and predicted
constexpr int kMostLevels = 4;                            // of a binomial tree
constexpr std::array<std::uint64_t, 5> kLengths = {8, 64, 512, 4096, 32768};

/// A run, and the point that it gives.
struct WantedRun {
  MeasuredPoint point;
  std::string algorithm = {};  ///< of a broadcast; empty: as the user says
  std::string what = {};       ///< of a check
  int levels = 0;              ///< of a binomial tree that is a check
};

Override set_option(const char* key, const char* option, std::string text) {
  return {key, option, std::move(text)};
}

/// The user's options, and the network that is the default here.
std::vector<Override> machine_of(const PointRuns& runs) {
  std::vector<Override> machine;
  if (!replaces(runs.overrides, kPointSize)) {
    machine.push_back(set_option("network.size", "--size", kPointNodes));
  }
  if (!replaces(runs.overrides, kPointTopology)) {
    machine.push_back(set_option("network.topology", "--topology", kPointNetwork));
  }
  machine.insert(machine.end(), runs.overrides.begin(), runs.overrides.end());
  add_starts(machine);
  return machine;
}

std::vector<Override> overrides_of(const WantedRun& run, const std::vector<Override>& machine) {
  std::vector<Override> all = machine;
  if (!run.algorithm.empty()) {
    all.push_back(set_option("collective.operation", "--operation", "broadcast"));
    all.push_back(set_option("collective.algorithm", "--algorithm", run.algorithm));
  } else if (!replaces(machine, "collective.algorithm")) {
    all.push_back(set_option("collective.algorithm", "--algorithm", "binomial"));
  }
  const auto text = [](double number) { return fmt::format("{}", number); };
  all.push_back(set_option("collective.ranks", "--ranks", text(run.point.nodes)));
  if (run.algorithm == "linear-pipeline") {
    all.push_back(set_option("collective.packets", "--packets", text(run.point.messages)));
  }
  all.push_back(
      set_option("collective.bytes", "--bytes", text(run.point.messages * run.point.bytes)));
  return all;
}

/// The cycles of the critical path that a processor was busy: its firmware, start-ups and copies.
double busy(const RunResult& result, NodeId node, bool at_node) {
  double cycles = 0;
  for (const simulation::Stretch& s : result.account.stretches) {
    const bool works = s.cause == Cause::kStartUp || s.cause == Cause::kFirmware ||
                       s.cause == Cause::kCopies || s.cause == Cause::kCombining;
    if (works && (s.node == node) == at_node) cycles += static_cast<double>(s.cycles);
  }
  return cycles;
}

/// Simulates the run, and sets its times.
void simulate_point(WantedRun& run, const std::vector<Override>& machine, bool account) {
  const Scenario scenario = Scenario::read({}, overrides_of(run, machine));
  const RunResult result = simulation::run(scenario, {.account = account});
  result.require_passed();
  run.point.time = static_cast<double>(result.cycles);
  if (!account) return;
  run.point.sender = busy(result, 0, true);  // rank 0 is at node 0
  run.point.receiver = busy(result, 0, false);
}

std::vector<std::uint64_t> lengths_of(Model model, const PointRuns& runs) {
  std::vector<std::uint64_t> lengths = runs.bytes;
  if (lengths.empty()) lengths.assign(kLengths.begin(), kLengths.end());
  const bool one_length = model == Model::kPostal || model == Model::kLogP;
  if (one_length) {
    if (runs.bytes.size() > 1) {
      throw InputError("--bytes", fmt::format("{} lengths", runs.bytes.size()),
                       fmt::format("one for {}, which has no length", models::name_of(model)));
    }
    lengths.resize(1);
  } else if (lengths.size() < 2) {
    throw InputError("--bytes", "one length",
                     fmt::format("at least two for {}", models::name_of(model)));
  }
  for (const std::uint64_t length : lengths) {
    if (length > 0 && length % 8 == 0) continue;
    throw InputError("--bytes", fmt::format("{}", length),
                     "a multiple of 8, so that all messages of a stream have the same length");
  }
  return lengths;
}

/// Streams of messages between two processes.
std::vector<WantedRun> wanted_streams(std::span<const double> messages,
                                      const std::vector<std::uint64_t>& lengths) {
  std::vector<WantedRun> all;
  for (const std::uint64_t length : lengths) {
    for (const double k : messages) {
      const MeasuredPoint point{2, k, static_cast<double>(length), 0};
      all.push_back({point, "linear-pipeline",
                     fmt::format("{} message{} of {} bytes", k, k == 1 ? "" : "s", length)});
    }
  }
  return all;
}

/// A binomial tree, and the one of half its levels, whose time is taken from its own: what a call
/// of the tree's algorithm needs to begin is in both.
std::vector<WantedRun> wanted_trees(int nodes, std::uint64_t length) {
  int levels = kMostLevels;
  while ((1 << levels) > nodes) --levels;
  if (levels < 2) return {};
  const auto tree = [&](int height) {
    const MeasuredPoint point{static_cast<double>(1 << height), 1, static_cast<double>(length), 0};
    return WantedRun{point, "binomial", {}, height};
  };
  WantedRun run = tree(levels);
  run.what = fmt::format("broadcast of {} bytes to {} less that to {}", length, 1 << levels,
                         1 << levels / 2);
  return {tree(levels / 2), run};
}

std::vector<WantedRun> wanted_collectives(const std::vector<int>& nodes,
                                          const std::vector<std::uint64_t>& lengths) {
  std::vector<WantedRun> all;
  for (const int n : nodes) {
    for (const std::uint64_t length : lengths) {
      const MeasuredPoint point{static_cast<double>(n), 1, static_cast<double>(length), 0};
      all.push_back({point, "", fmt::format("{} nodes, {} bytes", n, length)});
    }
  }
  return all;
}

/// Powers of two, or what the user says.
std::vector<int> nodes_of(const PointRuns& runs, int most) {
  std::vector<int> nodes = runs.nodes;
  if (nodes.empty()) {
    for (int n = 2; n <= most; n *= 2) nodes.push_back(n);
  }
  std::ranges::sort(nodes);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (nodes.back() > most) {
    throw InputError("--nodes", fmt::format("{}", nodes.back()),
                     fmt::format("at most the {} nodes of the network", most));
  }
  return nodes;
}

ModelCheck tree_check(const models::ModelFit& fit, const WantedRun& smaller,
                      const WantedRun& larger) {
  const auto more = fit.predict_binomial(larger.levels, larger.point.bytes);
  const auto less = fit.predict_binomial(smaller.levels, smaller.point.bytes);
  return {larger.what, more && less ? std::optional(*more - *less) : std::nullopt,
          larger.point.time - smaller.point.time};
}

struct Plan {
  std::vector<WantedRun> fitted, checks;
};

Plan plan_of(Model model, const PointRuns& runs, int nodes) {
  const std::vector<std::uint64_t> lengths = lengths_of(model, runs);
  const std::vector<std::uint64_t> between = reference::lengths_between(lengths);
  Plan plan;
  const auto add = [](std::vector<WantedRun>& to, std::vector<WantedRun> more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  constexpr std::array kOne = {1.0};
  switch (model) {
    case Model::kHockney:
      add(plan.fitted, wanted_streams(kOne, lengths));
      add(plan.checks, wanted_streams(kOne, between));
      break;
    case Model::kXuHwang: {
      const std::vector<int> counts = nodes_of(runs, nodes);
      add(plan.fitted, wanted_collectives(counts, lengths));
      add(plan.checks, wanted_collectives(reference::counts_between(counts), lengths));
      break;
    }
    case Model::kLogGP:
      add(plan.fitted, wanted_streams(kStreams, lengths));
      add(plan.checks, wanted_streams(kOtherStreams, between));
      add(plan.checks, wanted_trees(nodes, lengths.front()));
      add(plan.checks, wanted_trees(nodes, lengths.back()));
      break;
    default:
      add(plan.fitted, wanted_streams(kStreams, lengths));
      add(plan.checks, wanted_streams(kOtherStreams, lengths));
      add(plan.checks, wanted_trees(nodes, lengths.front()));
  }
  return plan;
}

void require_options_of_model(Model model, const PointRuns& runs) {
  if (model == Model::kXuHwang) return;
  for (const Override& o : runs.overrides) {
    if (std::ranges::find(kAlgorithmKeys, o.key) == kAlgorithmKeys.end()) continue;
    throw InputError(o.option, fmt::format("a value for {}", models::name_of(model)),
                     "one only for --fit xu-hwang: the other models have messages between two "
                     "nodes");
  }
  if (!runs.nodes.empty()) {
    throw InputError("--nodes", fmt::format("a value for {}", models::name_of(model)),
                     "one only for --fit xu-hwang or with files of times");
  }
}

}  // namespace

std::vector<Key> point_run_keys() {
  std::vector<Key> keys;
  for (Key key : simulation::run_keys()) {
    const std::string_view name = key.name;
    const bool is_collective = name.starts_with("collective.");
    const bool is_algorithm = std::ranges::find(kAlgorithmKeys, name) != kAlgorithmKeys.end();
    if (is_collective && !is_algorithm && name != kPreparedKey) continue;
    if (name == kPointSize) key.otherwise = kPointNodes;
    if (name == kPointTopology) key.otherwise = kPointNetwork;
    if (name == "collective.algorithm") {
      key.help = "An algorithm by rank of the operation, for --fit xu-hwang.";
      key.otherwise = "binomial";
    }
    if (name == kPreparedKey) {
      key.help = "true simulates starts of prepared calls, the second one of each.";
    }
    keys.push_back(key);
  }
  return keys;
}

ModelReport simulate_model(Model model, const PointRuns& runs, Progress& progress) {
  require_options_of_model(model, runs);
  const std::vector<Override> machine = machine_of(runs);
  std::vector<Override> network;
  std::ranges::copy_if(machine, std::back_inserter(network),
                       [](const Override& o) { return !o.key.starts_with("collective."); });
  const Scenario scenario = Scenario::read({}, network);
  if (scenario.network.nodes() < 2) {
    throw InputError(scenario.origin("network.size"), "1 node", "at least 2");
  }
  Plan plan = plan_of(model, runs, static_cast<int>(scenario.network.nodes()));
  const bool account = models::is_of_streams(model);

  ModelReport report;
  report.unit = "cycles";
  report.title = fmt::format(
      "{}, {}; alpha {}, gamma {}, {}{}",
      models::is_of_streams(model) || model == Model::kHockney ? "messages between two nodes"
                                                               : "a collective operation",
      simulation::describe_network(scenario.network), scenario.nic.alpha, scenario.nic.gamma,
      name_of(scenario.firmware), are_prepared(machine) ? ", prepared" : "");
  std::vector<MeasuredPoint> points;
  std::size_t done = 0;
  const std::size_t all = plan.fitted.size() + plan.checks.size();
  const auto simulate = [&](WantedRun& run) {
    progress.show(fmt::format("{}: run {} of {}", models::name_of(model), ++done, all));
    simulate_point(run, machine, account && run.levels == 0);
  };
  for (WantedRun& run : plan.fitted) {
    simulate(run);
    points.push_back(run.point);
    report.commands.push_back(command_of(overrides_of(run, machine)) +
                              (account ? " --account" : ""));
  }
  report.fit = models::fit(model, points);
  const WantedRun* smaller = nullptr;  // tree
  for (WantedRun& run : plan.checks) {
    simulate(run);
    if (run.levels == 0) {
      report.checks.push_back({run.what, report.fit.predict(run.point), run.point.time});
    } else if (smaller == nullptr) {
      smaller = &run;
    } else {
      report.checks.push_back(tree_check(report.fit, *std::exchange(smaller, nullptr), run));
    }
  }
  progress.clear();
  return report;
}

}  // namespace annelid::studies
