#include "studies/reproduce/latency_study.hpp"

#include <fmt/format.h>

namespace annelid::reproduction {
namespace {

constexpr std::uint64_t kSourceSeed = 1;

std::vector<std::pair<double, double>> points(const std::vector<double>& x,
                                              const std::vector<double>& y) {
  std::vector<std::pair<double, double>> joined;
  for (std::size_t i = 0; i < x.size(); ++i) joined.emplace_back(x[i], y[i]);
  return joined;
}

}  // namespace

std::vector<LatencyCurve> measure_latency(Laboratory& lab, const std::vector<Series>& series,
                                          const std::vector<double>& bytes) {
  std::vector<Run> runs;
  for (const Series& s : series) {
    for (const double length : bytes) {
      for (const reference::Node& root : random_nodes(s.network, lab.sources(), kSourceSeed)) {
        Run run;
        run.algorithm = s.algorithm;
        run.network = s.network;
        run.root = root;
        run.bytes = static_cast<std::uint64_t>(length);
        run.alpha = s.machine.alpha();
        run.gamma = s.machine.gamma();
        runs.push_back(run);
      }
    }
  }
  const std::vector<Measurement> measured = lab.measure(runs);

  std::vector<LatencyCurve> curves;
  auto next = measured.begin();
  for (const Series& s : series) {
    LatencyCurve curve{s, bytes, {}, {}};
    const std::size_t sources = random_nodes(s.network, lab.sources(), kSourceSeed).size();
    const auto n = static_cast<double>(sources);
    double hops = 0, messages = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      double largest = 0, mean = 0;
      for (std::size_t source = 0; source < sources; ++source, ++next) {
        largest += s.machine.us(static_cast<double>(next->last)) / n;
        mean += s.machine.us(next->mean) / n;
        hops += static_cast<double>(next->hops);
        messages += static_cast<double>(next->messages);
        curve.stepwise += next->stepwise;
        curve.depth += next->depth;
        curve.control += next->control;
      }
      curve.largest_us.push_back(largest);
      curve.mean_us.push_back(mean);
    }
    curve.mean_hops = hops / messages;
    curves.push_back(std::move(curve));
  }
  return curves;
}

void add_latency(Outcome& outcome, const std::vector<LatencyCurve>& curves,
                 const std::string& title) {
  outcome.table.columns = {"bytes"};
  Plot plot{title, "message length, bytes", "latency, us", {}};
  for (const LatencyCurve& c : curves) {
    outcome.table.columns.push_back(c.series.title + ", largest, us");
    outcome.table.columns.push_back(c.series.title + ", mean, us");
    plot.curves.push_back({c.series.title + " largest", points(c.bytes, c.largest_us)});
    plot.curves.push_back({c.series.title + " mean", points(c.bytes, c.mean_us)});
  }
  for (std::size_t i = 0; i < curves.front().bytes.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{:g}", curves.front().bytes[i])};
    for (const LatencyCurve& c : curves) {
      row.push_back(fmt::format("{:.5g}", c.largest_us[i]));
      row.push_back(fmt::format("{:.5g}", c.mean_us[i]));
    }
    outcome.table.rows.push_back(std::move(row));
  }
  outcome.plots.push_back(std::move(plot));
}

double advantage(double fast, double slow) { return 1 - fast / slow; }

std::vector<double> mesh_lengths() { return {32, 128, 512, 1024, 1536, 2048}; }
std::vector<double> torus_lengths() { return {128, 512, 1024, 1536, 2048}; }

}  // namespace annelid::reproduction
