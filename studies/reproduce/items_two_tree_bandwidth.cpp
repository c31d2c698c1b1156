// Figures 5 to 9 of Sanders, Speck and Traeff 2009 (Section 6): bandwidth of broadcast, reduction
// and scan by two trees and by their competitors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "reference/two_tree_formulas.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"

namespace annelid::reproduction {
namespace {

namespace formulas = reference::formulas;
using reference::Operation;

/// The paper names neither latency nor bandwidth: these are what such clusters had.
struct Cluster {
  std::string name;
  double bytes_per_us;  ///< of a link, either way
  std::uint64_t alpha;  ///< cycles; one is 8 bytes at that rate
  [[nodiscard]] double megabytes_per_second(double bytes, double cycles) const {
    return bytes / cycles * bytes_per_us / 8;
  }
};
const Cluster& myrinet() {
  static const Cluster cluster{"Myrinet 2000", 250, 220};  // 7 us
  return cluster;
}
const Cluster& infiniband() {
  static const Cluster cluster{"InfiniBand", 1000, 500};  // 4 us
  return cluster;
}

struct Rival {
  std::string name;
  /// How its packets are chosen; nothing: it has none.
  std::optional<formulas::Pipelined> steps;
};

struct Study {
  Operation operation;
  int processes;
  Cluster cluster;
  std::vector<double> bytes;
  std::vector<Rival> competitors;  ///< two trees first
};

struct Result {
  std::string name;
  std::vector<double> bandwidth;  ///< MB/s by length
  std::uint64_t depth = 0;        ///< flit-cycles blocked by another step, longest messages
};

/// On the network of the paper's model: every two processes one hop apart, one port each.
std::vector<Result> measure(Laboratory& lab, const Study& s) {
  std::vector<Run> runs;
  for (const Rival& c : s.competitors) {
    for (const double bytes : s.bytes) {
      Run run;
      run.operation = s.operation;
      run.algorithm = c.name;
      run.network = {s.processes, 1, 1, {}, true};
      run.one_port = true;
      run.local_vcs = 4;
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
    Result r{c.name, {}, 0};
    for (const double bytes : s.bytes) {
      r.bandwidth.push_back(s.cluster.megabytes_per_second(bytes, static_cast<double>(next->last)));
      r.depth = next->depth;
      ++next;
    }
    results.push_back(r);
  }
  return results;
}

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
/// How many times the bandwidth of another algorithm two trees have, for the longest messages.
double factor(const std::vector<Result>& results, std::string_view other) {
  return results.front().bandwidth.back() / of(results, other).bandwidth.back();
}

constexpr double kKiB = 1024, kMiB = 1024.0 * 1024;
const std::vector<double>& lengths_to_4_mib() {
  static const std::vector<double> all = {kKiB, 16 * kKiB, 128 * kKiB, kMiB, 4 * kMiB};
  return all;
}
const std::vector<double>& lengths_to_1_mib() {
  static const std::vector<double> all = {kKiB, 16 * kKiB, 128 * kKiB, kMiB};
  return all;
}

double height(int p) { return formulas::two_tree_broadcast_height(p); }

Study broadcast_study(int p, const Cluster& cluster, const std::vector<double>& bytes) {
  // A circulant graph takes k - 1 + ceil(log2 p) steps.
  const double rounds = formulas::fewest_steps(static_cast<std::uint64_t>(p), 1);
  return {Operation::kBroadcast,
          p,
          cluster,
          bytes,
          {{"two-tree", formulas::two_tree_steps(height(p))},
           {"circulant", formulas::Pipelined{rounds - 1, 1, 1}},
           {"scatter-allgather", {}},
           {"binomial", {}},
           {"binary-tree", formulas::pipelined_binary_tree_steps(p)},
           {"linear-pipeline", formulas::linear_pipeline_steps(p)}}};
}
/// Without the plain butterfly for many processes: its whole blocks take minutes to simulate.
Study reduction_study(int p, const Cluster& cluster, const std::vector<double>& bytes) {
  constexpr int kMany = 100;
  Study study{Operation::kReduce,
              p,
              cluster,
              bytes,
              {{"two-tree", formulas::two_tree_steps(height(p))},
               {"rabenseifner", {}},
               {"binomial", {}},
               {"binary-tree", formulas::pipelined_binary_tree_steps(p)},
               {"linear-pipeline", formulas::linear_pipeline_steps(p)}}};
  if (p < kMany) study.competitors.push_back({"butterfly", {}});
  return study;
}

Claim faster_by(const std::vector<Result>& results, const char* other, double times,
                const std::string& why = {}) {
  return above(fmt::format("ratio of bandwidths, two trees to {}, longest messages", other), times,
               fmt::format("more than {:g}", times), factor(results, other), why);
}

Claim as_the_circulant_graph(const std::vector<Result>& results) {
  return number(
      "ratio of bandwidths, two trees to the circulant graph, longest messages", 1, 2,
      factor(results, "circulant"), kApproximately, {},
      fmt::format("Nothing keeps the rounds apart. On the circulant graph, a packet of a later "
                  "round arrives from another process while the packet of this round is still "
                  "arriving, and both share the receiver's only port. Waiting for messages of "
                  "another step cost {} flit-cycles (two trees: {}).",
                  of(results, "circulant").depth, results.front().depth));
}

/// What reductions and scans wait for, and where to see it.
std::string lost_to_other_steps(const std::vector<Result>& results) {
  return fmt::format(
      "With two trees, waiting for packets of other steps at the receiver's only port cost {} "
      "flit-cycles. `annelid run --account` shows each run's cycles by cause.",
      results.front().depth);
}

/// From which length on the linear pipeline beats two trees.
Claim linear_pipeline_wins(const Study& s, const std::vector<Result>& results, double paper) {
  const auto& linear = of(results, "linear-pipeline").bandwidth;
  std::optional<double> from;
  for (std::size_t i = s.bytes.size(); i-- > 0;) {
    if (linear[i] <= results.front().bandwidth[i]) break;
    from = s.bytes[i];
  }
  const bool reached = paper < s.bytes.back();
  const bool holds = reached ? from && *from > paper / 2 : !from;
  return words("the linear pipeline is faster only for long messages",
               "beyond " + length_text(paper), holds,
               from ? "from " + length_text(*from) : "not up to " + length_text(s.bytes.back()),
               "Where the two cross depends on the start-up, which the paper does not give.");
}

const char* const kAsymptotic =
    "In the paper's model (Section 2), a single tree reaches half of the bandwidth and a binomial "
    "tree 1 / log p of it. Two trees can gain no more than that.";

}  // namespace

Outcome two_tree_figure_5(Laboratory& lab) {
  const Study s = broadcast_study(28, myrinet(), lengths_to_4_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  result.claims = {as_the_circulant_graph(results),
                   faster_by(results, "scatter-allgather", 1.5, kAsymptotic),
                   faster_by(results, "binary-tree", 1.5, kAsymptotic),
                   above("ratio of bandwidths, two trees to the binomial tree", 3, "3",
                         factor(results, "binomial"), kAsymptotic),
                   words("two trees are better than the linear pipeline even for large messages",
                         "better", factor(results, "linear-pipeline") > 1,
                         fmt::format("x {:.2f}", factor(results, "linear-pipeline")),
                         "With the best packets, a linear pipeline of 28 processes has its full "
                         "bandwidth by this length. The paper's pipeline had not.")};
  return result;
}

Outcome two_tree_figure_6(Laboratory& lab) {
  const Study s = broadcast_study(150, infiniband(), lengths_to_1_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  result.claims = {
      as_the_circulant_graph(results),
      words("two trees are better than the linear pipeline even for large messages", "better",
            factor(results, "linear-pipeline") > 1,
            fmt::format("x {:.2f}", factor(results, "linear-pipeline"))),
      words("for small messages, the circulant graph is faster (half the latency)", "faster",
            of(results, "circulant").bandwidth.front() > results.front().bandwidth.front(),
            fmt::format("x {:.2f} at 1 KiB", of(results, "circulant").bandwidth.front() /
                                                 results.front().bandwidth.front()))};
  return result;
}

Outcome two_tree_figure_7(Laboratory& lab) {
  const Study s = reduction_study(28, myrinet(), lengths_to_4_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  result.claims = {
      number("ratio of bandwidths, two trees to the pipelined binary tree (the second best)", 1.5,
             1, factor(results, "binary-tree"), kApproximately, {},
             "In the paper's model (Section 2), two trees have up to twice the bandwidth of a "
             "single one. Here they come close to that. " +
                 lost_to_other_steps(results)),
      linear_pipeline_wins(s, results, kMiB)};
  return result;
}

Outcome two_tree_figure_8(Laboratory& lab) {
  const Study s = reduction_study(150, infiniband(), lengths_to_1_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  result.claims = {
      number("ratio of bandwidths, two trees to the butterfly of [15] (the second best)", 1.5, 1,
             factor(results, "rabenseifner"), kApproximately, {},
             "Two trees gain more here. The messages have 1 MiB and not 16, and the network shares "
             "nothing but the processes' own ports."),
      linear_pipeline_wins(s, results, 16 * kMiB)};
  return result;
}

Outcome two_tree_figure_9(Laboratory& lab) {
  constexpr int kProcesses = 27;
  const Study s{Operation::kScan,
                kProcesses,
                myrinet(),
                lengths_to_4_mib(),
                {{"two-tree", formulas::two_tree_scan_steps(height(kProcesses))},
                 {"simultaneous-binomial", {}},
                 {"doubly-pipelined", formulas::doubly_pipelined_scan_steps(kProcesses)},
                 {"linear-pipeline", formulas::linear_pipeline_steps(kProcesses)}}};
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  result.claims = {number("ratio of bandwidths, two trees to simultaneous binomial trees", 3, 0,
                          factor(results, "simultaneous-binomial"), kApproximately, {},
                          "In the model, two trees gain at most log p / 2, which is 2.4 times. " +
                              lost_to_other_steps(results)),
                   number("ratio of bandwidths, two trees to the doubly pipelined binary tree",
                          4.0 / 3, 2, factor(results, "doubly-pipelined"), kApproximately, {},
                          "In the model, 3 beta m stands against 2 beta m, which is 1.5 times. " +
                              lost_to_other_steps(results)),
                   words("for very large messages, the linear pipeline is faster", "faster",
                         factor(results, "linear-pipeline") < 1,
                         fmt::format("x {:.2f}", 1 / factor(results, "linear-pipeline")))};
  return result;
}

}  // namespace annelid::reproduction
