#include "studies/reproduce/bandwidth_study.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace annelid::reproduction::bandwidth {

const Cluster& myrinet() {
  static const Cluster cluster{"Myrinet 2000", 250, 220};  // 7 us
  return cluster;
}
const Cluster& infiniband() {
  static const Cluster cluster{"InfiniBand", 1000, 500};  // 4 us
  return cluster;
}

std::vector<Result> measure(Laboratory& lab, const Study& s) {
  std::vector<Run> runs;
  for (const Rival& c : s.competitors) {
    for (const double bytes : s.bytes) {
      Run run = ideal_one_port(s.processes);
      run.operation = s.operation;
      run.algorithm = c.name;
      run.bytes = static_cast<std::uint64_t>(bytes);
      run.alpha = s.cluster.alpha;
      if (c.steps) {
        const formulas::Cost cost{static_cast<double>(s.cluster.alpha), 1, 0};
        const double best = c.steps->best_packets(cost, bytes / 8);
        run.packets = static_cast<std::uint32_t>(std::max(1.0, std::min(best, bytes / 8)));
      }
      runs.push_back(run);
    }
  }
  const auto measured = lab.measure(runs);
  std::vector<Result> results;
  auto next = measured.begin();
  for (const Rival& c : s.competitors) {
    Result r{c.name, {}, {}};
    for (const double bytes : s.bytes) {
      r.bandwidth.push_back(s.cluster.megabytes_per_second(bytes, static_cast<double>(next->last)));
      r.runs.push_back(*next);
      ++next;
    }
    results.push_back(r);
  }
  return results;
}

double height(int p) { return formulas::two_tree_broadcast_height(p); }

std::string length_text(double bytes) {
  if (bytes >= 1 << 20) return fmt::format("{:g} MiB", bytes / (1 << 20));
  return fmt::format("{:g} KiB", bytes / 1024);
}

Outcome show(const Study& s, const std::vector<Result>& results) {
  Outcome result;
  result.table.columns = {"bytes"};
  Plot plot{fmt::format("{}, {} processes, {}", reference::name_of(s.operation), s.processes,
                        s.cluster.name),
            "bytes",
            "bandwidth, MB/s",
            {},
            true};
  for (const Result& r : results) {
    result.table.columns.push_back(r.name + ", MB/s");
    plot.curves.push_back({r.name, {}});
    for (std::size_t i = 0; i < s.bytes.size(); ++i) {
      plot.curves.back().points.emplace_back(s.bytes[i], r.bandwidth[i]);
    }
  }
  for (std::size_t i = 0; i < s.bytes.size(); ++i) {
    std::vector<std::string> row = {length_text(s.bytes[i])};
    for (const Result& r : results) row.push_back(fmt::format("{:.1f}", r.bandwidth[i]));
    result.table.rows.push_back(row);
  }
  result.plots = {plot};
  result.notes.push_back(
      fmt::format("The paper gives no parameters. Our network is ideal: every two processes are "
                  "one hop apart, and each has one port. The rate is {} MB/s, so one cycle is {:g} "
                  "ns. The start-up takes {} cycles ({:g} us), and combining costs only the NIC's "
                  "time. Each algorithm uses the number of packets that its own formula gives "
                  "(Section 2). Our messages go up to {}, the paper's up to 16 MiB.",
                  s.cluster.bytes_per_us, 8000 / s.cluster.bytes_per_us, s.cluster.alpha,
                  static_cast<double>(s.cluster.alpha) * 8 / s.cluster.bytes_per_us,
                  length_text(s.bytes.back())));
  return result;
}

const Result& of(const std::vector<Result>& results, std::string_view name) {
  return *std::ranges::find(results, name, &Result::name);
}
double factor(const std::vector<Result>& results, std::string_view other) {
  return results.front().bandwidth.back() / of(results, other).bandwidth.back();
}

const std::vector<double>& lengths_to_4_mib() {
  static const std::vector<double> all = {kKiB, 16 * kKiB, 128 * kKiB, kMiB, 4 * kMiB};
  return all;
}
const std::vector<double>& lengths_to_1_mib() {
  static const std::vector<double> all = {kKiB, 16 * kKiB, 128 * kKiB, kMiB};
  return all;
}

OnHardware longest(const std::vector<Result>& results, std::string_view other) {
  return OnHardware({results.front().longest(), of(results, other).longest()});
}

std::string waits_of(const std::vector<Result>& results, std::string_view other) {
  const Measured &trees = results.front().longest(), &rival = of(results, other).longest();
  return fmt::format(
      "Two trees take {} cycles, in which messages waited {} flit-cycles for messages and {} for "
      "control packets; {} takes {} cycles, with {} and {} flit-cycles.",
      trees.last, trees.stepwise + trees.depth, trees.control, other, rival.last,
      rival.stepwise + rival.depth, rival.control);
}

}  // namespace annelid::reproduction::bandwidth
