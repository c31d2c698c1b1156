#include "studies/reproduce/laboratory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace annelid::reproduction {
namespace {

using reference::Network;
using reference::Node;

int dimensions(const Network& net) { return net.z > 1 ? 3 : net.y > 1 ? 2 : 1; }

std::string joined(const std::array<int, 3>& values, int dims, std::string_view between) {
  return fmt::format("{}", fmt::join(values.begin(), values.begin() + dims, between));
}

/// Operations whose ROOT means something.
bool has_root(reference::Operation operation) {
  using enum reference::Operation;
  return operation == kBroadcast || operation == kReduce || operation == kGather ||
         operation == kScatter;
}

}  // namespace

bool Run::moves_data() const {
  using enum reference::Operation;
  return operation != kBarrier && operation != kSyncIn && operation != kSyncOut;
}

Run ideal_one_port(int processes) {
  Run run;
  run.network = {processes, 1, 1, {}, true};
  run.one_port = true;
  run.local_vcs = 4;
  return run;
}

std::vector<std::string> Run::arguments() const {
  const int dims = dimensions(network);
  std::vector<std::string> words = {"--firmware",  calls == CallKind::kNative ? "native" : "rv32",
                                    "--operation", std::string(reference::name_of(operation)),
                                    "--algorithm", algorithm,
                                    "--size",      joined(network.size(), dims, "x")};
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  if (network.ideal) add("--topology", "ideal");
  if (network.has_rings()) add("--topology", "torus");
  if (one_port) add("--router", "one-port");
  if (vcs != 1) add("--vcs", std::to_string(vcs));
  if (local_vcs != 1) add("--local-vcs", std::to_string(local_vcs));
  add("--control-vc", control_vc ? "true" : "false");
  if (has_root(operation)) add("--root", joined({root.x, root.y, root.z}, dims, ","));
  if (!counts.empty()) {
    add("--counts", counts);
  } else if (moves_data()) {
    add("--bytes", std::to_string(bytes));
  }
  if (half_duplex) add("--half-duplex", "true");
  if (!group.empty()) add("--group", group);
  if (ranks != 0) add("--ranks", std::to_string(ranks));
  if (packets != 0) add("--packets", std::to_string(packets));
  if (parameter != 0) add("--parameter", std::to_string(parameter));
  if (hybrid) {
    if (!hybrid->sizes.empty())
      add("--logical-mesh", fmt::format("{}", fmt::join(hybrid->sizes, "x")));
    add("--template", hybrid->is_long ? "long" : "short");
    add("--dimensions", hybrid->far_first ? "far-first" : "near-first");
  }
  if (alpha != 0) add("--alpha", std::to_string(alpha));
  if (gamma != 0) add("--gamma", std::to_string(gamma));
  if (calls == CallKind::kPrepared) {
    words.emplace_back("--prepared");
    add("--repeat", std::to_string(studies::kMeasuredStarts));
  }
  return words;
}

std::string Run::line() const {
  std::string text;
  for (const std::string& word : arguments()) text += (text.empty() ? "" : " ") + word;
  return text;
}

// A value that is forgotten here only keeps runs on machines of their own.
Run Run::machine() const {
  Run same = *this;
  same.operation = reference::Operation::kBarrier;
  same.algorithm = "dissemination";
  same.root = {};
  same.bytes = 0;
  same.counts.clear();
  same.packets = same.parameter = 0;
  same.hybrid.reset();
  same.ranks = 0;
  same.group.clear();
  return same;
}

std::uint64_t Measurement::cycles() const {
  return std::accumulate(account.begin(), account.end(), std::uint64_t{0});
}

std::vector<Measured> Laboratory::measure(std::vector<Run> runs) {
  const std::vector<Measurement> results = results_of(runs);
  std::vector<Measured> measured;
  measured.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    measured.push_back(Measured(std::move(runs[i]), results.at(i)));
  }
  return measured;
}

CoreRatios Laboratory::core_ratios(const std::vector<Measured>& native) {
  constexpr std::array kKinds = {CallKind::kFirst, CallKind::kPrepared};
  std::vector<Run> runs;
  runs.reserve(kKinds.size() * native.size());
  for (const CallKind kind : kKinds) {
    for (const Measured& m : native) {
      runs.push_back(m.run());
      runs.back().calls = kind;
    }
  }
  const std::vector<Measured> on_core = measure(runs);
  CoreRatios ratios;
  auto next = on_core.begin();
  for (std::vector<double>* const of_kind : {&ratios.first, &ratios.prepared}) {
    for (const Measured& m : native) {
      of_kind->push_back(static_cast<double>((next++)->last) / static_cast<double>(m.last));
    }
  }
  return ratios;
}

std::string MessageTrace::size() const {
  return joined(network.size(), network.z > 1 ? 3 : 2, "x");
}
std::string MessageTrace::command() const {
  return fmt::format("annelid traffic --trace {}.csv --size {}", name, size());
}

Played Laboratory::play(const MessageTrace& trace) {
  Played played;
  for (const TraceTimes& t : times_of(trace)) {
    played.arrived_.push_back(t.arrived);
    played.waited_.push_back(t.arrived - t.created - t.alone);
  }
  return played;
}

CoreCost Laboratory::schedule_cost(CoreSchedule schedule, int processes) {
  constexpr int kAll = 1000, kAsked = 997;
  int stride = processes <= kAll ? 1 : processes / kAsked;
  // So that the processes that are asked do not have the same last digits, or bits.
  while (std::gcd(stride, 10) != 1) ++stride;
  CoreCost cost;
  double sum = 0;
  for (int process = 0; process < processes; process += stride) {
    const std::uint64_t cycles = cycles_of(schedule, processes, process);
    sum += static_cast<double>(cycles);
    cost.most_ = std::max(cost.most_, cycles);
    ++cost.asked_;
  }
  cost.mean_ = sum / cost.asked_;
  return cost;
}

std::vector<Node> random_nodes(const Network& network, int count, std::uint64_t seed) {
  std::vector<int> numbers(static_cast<std::size_t>(network.nodes()));
  std::iota(numbers.begin(), numbers.end(), 0);
  const auto wanted = std::min(static_cast<std::size_t>(count), numbers.size());
  // Fisher and Yates's shuffle, with splitmix64: the same nodes with every standard library.
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < wanted; ++i) {
    std::uint64_t draw = (seed += 0x9E3779B97F4A7C15U);
    draw = (draw ^ draw >> 30U) * 0xBF58476D1CE4E5B9U;
    draw = (draw ^ draw >> 27U) * 0x94D049BB133111EBU;
    draw ^= draw >> 31U;
    std::swap(numbers[i], numbers[i + draw % (numbers.size() - i)]);
    nodes.push_back(reference::node_at(network, numbers[i]));
  }
  return nodes;
}

}  // namespace annelid::reproduction
