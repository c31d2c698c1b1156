// Figure 3.29 of Tsai 1997 (Section 3.6): matrix transposition by extended dominating nodes and
// directly, on 8 x 8, 16 x 16 and 32 x 32 meshes.
#include <fmt/format.h>

#include <set>

#include "reference/contention.hpp"
#include "reference/critical_path.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/latency_study.hpp"

namespace annelid::reproduction {
namespace {

using reference::Network;
using reference::Operation;

Run transposition(const char* algorithm, int n, double bytes, const Machine& machine) {
  Run run;
  run.operation = Operation::kTranspose;
  run.algorithm = algorithm;
  run.network = {n, n};
  run.bytes = static_cast<std::uint64_t>(bytes);
  run.alpha = machine.alpha();
  run.gamma = machine.gamma();
  return run;
}

/// Messages of a schedule that share a channel with one of the same step.
long in_contention(const char* algorithm, int n) {
  const Network net{n, n};
  reference::Request request;
  request.network = net;
  request.bytes = 8;
  const auto schedule =
      reference::find_algorithm(Operation::kTranspose, algorithm)->schedule(request);
  std::size_t messages = 0;
  for (const auto& step : reference::contention(net, schedule)) {
    std::set<reference::Message> sharing;
    for (const auto& conflict : step.conflicts) {
      sharing.insert(conflict.first);
      sharing.insert(conflict.second);
    }
    messages += sharing.size();
  }
  return static_cast<long>(messages);
}

/// When a transposition by EDN would end if every message were one block long, cycles.
double end_with_single_blocks(int n, double bytes, const Machine& machine) {
  const Network net{n, n};
  reference::Request request;
  request.network = net;
  request.bytes = 8;
  auto schedule = reference::find_algorithm(Operation::kTranspose, "edn")->schedule(request);
  for (reference::Step& step : schedule.steps) {
    for (reference::Message& m : step) m.bytes = static_cast<std::uint64_t>(bytes);
  }
  reference::Timing timing;
  timing.alpha = machine.alpha();
  timing.gamma = machine.gamma();
  return static_cast<double>(reference::predict(net, schedule, timing).end);
}

/// The largest and mean latencies of both on one machine, and what is said of 32 x 32.
void add_machine(Laboratory& lab, const Machine& machine, Outcome& result) {
  Plot largest{"(a) largest, " + machine.name, "block, bytes", "latency, us", {}};
  Plot mean{"(b) mean, " + machine.name, "block, bytes", "latency, us", {}};
  double largest_ratio = 0, mean_ratio = 0, single_ratio = 0;
  for (const int n : {8, 16, 32}) {
    std::vector<Run> runs;
    for (const char* algorithm : {"edn", "direct"}) {
      for (const double bytes : torus_lengths()) {
        runs.push_back(transposition(algorithm, n, bytes, machine));
      }
    }
    const auto measured = lab.measure(runs);
    const std::size_t lengths = torus_lengths().size();
    for (const std::size_t algorithm : {0, 1}) {
      const std::string name = fmt::format("{} {}x{}", algorithm == 0 ? "EDN" : "direct", n, n);
      largest.curves.push_back({name, {}});
      mean.curves.push_back({name, {}});
      for (std::size_t i = 0; i < lengths; ++i) {
        const Measurement& m = measured[algorithm * lengths + i];
        const double bytes = torus_lengths()[i];
        const double last_us = machine.us(static_cast<double>(m.last));
        largest.curves.back().points.emplace_back(bytes, last_us);
        mean.curves.back().points.emplace_back(bytes, machine.us(m.mean));
        result.table.rows.push_back({machine.name, name, fmt::format("{:g}", bytes),
                                     fmt::format("{:.5g}", last_us),
                                     fmt::format("{:.5g}", machine.us(m.mean)),
                                     std::to_string(m.stepwise), std::to_string(m.control)});
      }
    }
    if (n == 32) {
      const Measurement &edn = measured[lengths - 1], &direct = measured.back();
      largest_ratio = static_cast<double>(edn.last) / static_cast<double>(direct.last);
      mean_ratio = edn.mean / direct.mean;
      single_ratio = end_with_single_blocks(n, torus_lengths().back(), machine) /
                     static_cast<double>(direct.last);
    }
  }
  result.plots.push_back(largest);
  result.plots.push_back(mean);
  const std::string why = fmt::format(
      "Blocks gather on their path to the diagonals. The messages of the five steps hold 1, 5, 25, "
      "5 and 1 blocks, which makes 37 one after the other. The busiest channel of the direct "
      "approach carries only 31. If every message were one block long, EDN would take {:.2f} of "
      "the direct approach's time. Our hypothesis is that messages did not grow in the paper's "
      "simulation.",
      single_ratio);
  result.claims.push_back(below("ratio of largest latencies, EDN to direct, 32x32, " + machine.name,
                                1.0 / 3, "less than one third", largest_ratio, why));
  result.claims.push_back(number("ratio of mean latencies, EDN to direct, 32x32, " + machine.name,
                                 0.5, 1, mean_ratio, kApproximately, {}, why));
  result.notes.push_back(machine.conversion());
}

}  // namespace

Outcome figure_3_29(Laboratory& lab) {
  Outcome result;
  result.table.columns = {"machine",
                          "algorithm",
                          "bytes",
                          "largest, us",
                          "mean, us",
                          "flit-cycles blocked stepwise",
                          "flit-cycles blocked by control packets"};
  for (const Machine& machine : {t3d(), ncube_2()}) add_machine(lab, machine, result);
  for (const int n : {8, 16, 32}) {
    result.claims.push_back(count(fmt::format("messages in contention, direct, n = {}", n),
                                  n * n - n - 2, in_contention("direct", n)));
    // k even: none; k odd: 3n/4 at most.
    const bool odd = n != 16;
    result.claims.push_back(
        count(fmt::format("messages in contention, EDN, n = {}", n), odd ? 3 * n / 4 : 0,
              in_contention("edn", n),
              "The paper lets the blocks on the main diagonal begin to scatter early, and says "
              "that they can contend. In Annelid they wait one step, and nothing contends."));
  }
  result.notes.emplace_back(
      "The paper does not say which machine's parameters it used, so we show both machines. The "
      "claims are for blocks of 2048 bytes. The mean is taken over the nodes off the main "
      "diagonal.");
  return result;
}

}  // namespace annelid::reproduction
