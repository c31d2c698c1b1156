#include "studies/reproduce/latency_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace annelid::reproduction {
namespace {

constexpr std::uint64_t kSourceSeed = 1;

std::vector<std::pair<double, double>> points(const std::vector<double>& x,
                                              const std::vector<double>& y) {
  std::vector<std::pair<double, double>> joined;
  for (std::size_t i = 0; i < x.size(); ++i) joined.emplace_back(x[i], y[i]);
  return joined;
}

Run run_of(const Series& s, double bytes, const reference::Node& root) {
  Run run;
  run.algorithm = s.algorithm;
  run.network = s.network;
  run.root = root;
  run.bytes = static_cast<std::uint64_t>(bytes);
  run.alpha = s.machine.alpha();
  run.gamma = s.machine.gamma();
  return run;
}

/// One length: the runs of all sources.
void add_point(LatencyCurve& curve, std::span<const Measured> runs) {
  const auto n = static_cast<double>(runs.size());
  double largest = 0, mean = 0;
  for (const Measured& m : runs) {
    largest += static_cast<double>(m.last) / n;
    mean += m.mean / n;
    curve.stepwise += m.stepwise;
    curve.depth += m.depth;
    curve.control += m.control;
  }
  curve.largest_us.push_back(curve.series.machine.us(largest));
  curve.mean_us.push_back(curve.series.machine.us(mean));
  curve.typical.push_back(*std::ranges::min_element(runs, {}, [&](const Measured& m) {
    return std::abs(static_cast<double>(m.last) - largest);
  }));
}

}  // namespace

std::vector<LatencyCurve> measure_latency(Laboratory& lab, const std::vector<Series>& series,
                                          const std::vector<double>& bytes) {
  std::vector<Run> runs;
  for (const Series& s : series) {
    for (const double length : bytes) {
      for (const reference::Node& root : random_nodes(s.network, lab.sources(), kSourceSeed)) {
        runs.push_back(run_of(s, length, root));
      }
    }
  }
  const std::vector<Measured> measured = lab.measure(runs);

  std::vector<LatencyCurve> curves;
  std::vector<Measured> firsts;
  auto next = measured.begin();
  for (const Series& s : series) {
    LatencyCurve curve{s, bytes, {}, {}};
    const auto sources =
        static_cast<long>(random_nodes(s.network, lab.sources(), kSourceSeed).size());
    double hops = 0, messages = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      const std::span<const Measured> native(next, next + sources);
      next += sources;
      add_point(curve, native);
      firsts.push_back(native.front());
      for (const Measured& m : native) {
        hops += static_cast<double>(m.hops);
        messages += static_cast<double>(m.messages);
      }
    }
    curve.sources = static_cast<std::size_t>(sources);
    curve.mean_hops = hops / messages;
    curves.push_back(std::move(curve));
  }
  const CoreRatios core = lab.core_ratios(firsts);
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    CoreRatios& of_curve = curves[i / bytes.size()].core;
    of_curve.first.push_back(core.first[i]);
    of_curve.prepared.push_back(core.prepared[i]);
  }
  return curves;
}

OnHardware longest_of(const LatencyCurve& a, const LatencyCurve& b) {
  return OnHardware({a.typical.back(), b.typical.back()});
}

void add_latency(Outcome& outcome, const std::vector<LatencyCurve>& curves,
                 const std::string& title) {
  outcome.table.columns = {"bytes"};
  Plot plot{title, "message length, bytes", "latency, us", {}};
  for (const LatencyCurve& c : curves) {
    outcome.table.columns.push_back(c.series.title + ", largest, us");
    outcome.table.columns.push_back(c.series.title + ", mean, us");
    outcome.table.columns.push_back(c.series.title + ", first / native");
    outcome.table.columns.push_back(c.series.title + ", prepared / native");
    plot.curves.push_back({c.series.title + " largest", points(c.bytes, c.largest_us)});
    plot.curves.push_back({c.series.title + " mean", points(c.bytes, c.mean_us)});
  }
  for (std::size_t i = 0; i < curves.front().bytes.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{:g}", curves.front().bytes[i])};
    for (const LatencyCurve& c : curves) {
      row.push_back(fmt::format("{:.5g}", c.largest_us[i]));
      row.push_back(fmt::format("{:.5g}", c.mean_us[i]));
      row.push_back(fmt::format("{:.2f}", c.core.first[i]));
      row.push_back(fmt::format("{:.2f}", c.core.prepared[i]));
    }
    outcome.table.rows.push_back(std::move(row));
  }
  outcome.plots.push_back(std::move(plot));
  std::string sources;
  std::set<std::string> networks;
  for (const LatencyCurve& c : curves) {
    const std::string network = reference::to_string(c.series.network);
    if (!networks.insert(network).second) continue;
    sources += fmt::format("{}{} on {}", sources.empty() ? "" : ", ", c.sources, network);
  }
  outcome.notes.push_back(fmt::format(
      "The times are means over random sources ({}), with native firmware. The columns \"first / "
      "native\" and \"prepared / native\" compare the largest latency with calls on the RV32 core, "
      "from the first of these sources: an ordinary call, and a start of a prepared call. The core "
      "takes one cycle for most instructions, and a cycle has the length of the paper's machine.",
      sources));
}

double advantage(double fast, double slow) { return 1 - fast / slow; }

std::vector<double> mesh_lengths() { return {32, 128, 512, 1024, 1536, 2048}; }
std::vector<double> torus_lengths() { return {128, 512, 1024, 1536, 2048}; }

}  // namespace annelid::reproduction
