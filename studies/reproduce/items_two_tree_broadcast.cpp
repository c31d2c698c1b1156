// Figures 5 and 6 of Sanders, Speck and Traeff 2009 (Section 6.1): bandwidth of broadcast by two
// trees and by their competitors. Broadcasts of half-duplex processes (Section 5.2).
#include <fmt/format.h>

#include <algorithm>

#include "studies/reproduce/bandwidth_study.hpp"

namespace annelid::reproduction {
using reference::Operation;

namespace bandwidth {
namespace {

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
Claim faster_by(const std::vector<Result>& results, const char* other, const Reason& why) {
  return above(fmt::format("ratio of bandwidths, two trees to {}, longest messages", other),
               printed("2Tree 2009, 6.1", "more than 1.5 times").meaning({1.5, 1}),
               factor(results, other), longest(results, other), why);
}

Claim as_the_circulant_graph(const std::vector<Result>& results) {
  return number(
      "ratio of bandwidths, two trees to the circulant graph, longest messages",
      printed("2Tree 2009, 6.1", "asymptotically ... the same bandwidth").meaning({1, 2}),
      factor(results, "circulant"), longest(results, "circulant"), kApproximately,
      fact((factor(results, "circulant") > 1
                ? "Nothing keeps the rounds of the circulant graph apart, so packets of two rounds "
                  "share the receiver's only port. "
                : "") +
           waits_of(results, "circulant")));
}

const char* const kAsymptotic =
    "In the paper's model (Section 2), a single tree reaches half of the bandwidth and a binomial "
    "tree 1 / log p of it. Two trees can gain no more than that.";

/// Whether two trees beat another algorithm at every length.
bool better_everywhere(const std::vector<Result>& results, std::string_view other) {
  const auto& rival = of(results, other).bandwidth;
  bool better = true;
  for (std::size_t i = 0; i < rival.size(); ++i) {
    better = better && results.front().bandwidth[i] > rival[i];
  }
  return better;
}

/// Cycles per flit of very long messages: the slope between 256 and 512 KiB, in packets of 256
/// words.
struct Slope {
  double cycles_per_flit = 0;
  Measured longest;
};
struct Sloped {
  Operation operation;
  const char* algorithm;
  std::uint32_t trees;
  bool half_duplex;
};
Slope slope_of(Laboratory& lab, const Sloped& what) {
  constexpr std::uint64_t kShort = 1 << 18, kLong = 1 << 19, kPacketBytes = 2048;
  constexpr int kProcesses = 29;
  std::vector<Run> runs;
  for (const std::uint64_t bytes : {kShort, kLong}) {
    Run& run = runs.emplace_back(ideal_one_port(kProcesses));
    run.operation = what.operation;
    run.algorithm = what.algorithm;
    run.half_duplex = what.half_duplex;
    run.bytes = bytes;
    run.packets = static_cast<std::uint32_t>(bytes / kPacketBytes / what.trees);
  }
  const std::vector<Measured> measured = lab.measure(runs);
  const auto cycles = static_cast<double>(measured[1].last - measured[0].last);
  return {cycles / (static_cast<double>(kLong - kShort) / 8), measured[1]};
}

}  // namespace
}  // namespace bandwidth

Outcome two_tree_simplex(Laboratory& lab) {
  using namespace bandwidth;
  const Slope couples = slope_of(lab, {Operation::kBroadcast, "two-tree-couples", 2, true});
  const Slope single = slope_of(lab, {Operation::kBroadcast, "binary-tree", 1, true});
  const Slope scan = slope_of(lab, {Operation::kScan, "two-tree-couples", 2, true});
  const Slope duplex_scan = slope_of(lab, {Operation::kScan, "two-tree", 2, false});
  Outcome result;
  result.table.columns = {"operation",
                          "algorithm",
                          "NICs",
                          "bytes",
                          "packets of a tree",
                          "cycles",
                          "slope, cycles per flit"};
  for (const Slope* s : {&couples, &single, &scan, &duplex_scan}) {
    const Run& run = s->longest.run();
    result.table.rows.push_back({std::string(reference::name_of(run.operation)), run.algorithm,
                                 run.half_duplex ? "half-duplex" : "full-duplex",
                                 std::to_string(run.bytes), std::to_string(run.packets),
                                 std::to_string(s->longest.last),
                                 fmt::format("{:.3f}", s->cycles_per_flit)});
  }
  const char* const kExtra =
      "A packet of 256 words has two more flits, and its offer takes cycles that the model does "
      "not have.";
  result.claims = {
      number("cycles per flit of a long broadcast, two trees of couples",
             printed("2Tree 2009, 5.2", "2 beta n").meaning({2, 1}), couples.cycles_per_flit,
             OnHardware({couples.longest}), kApproximately, fact(kExtra)),
      above("cycles per flit of a long broadcast, single binary tree",
            printed("2Tree 2009, 5.2", ">= 3 beta n").meaning({3, 1}), single.cycles_per_flit,
            OnHardware({single.longest})),
      number(
          "cycles per flit of a long scan, couples with half-duplex NICs to two trees with "
          "full-duplex NICs",
          printed("2Tree 2009, 5.2", "In time step 2j, a couple imitates step j").meaning({2, 1}),
          scan.cycles_per_flit / duplex_scan.cycles_per_flit,
          OnHardware({scan.longest, duplex_scan.longest}), kApproximately, fact(kExtra))};
  result.notes.emplace_back(
      "A process with a half-duplex NIC cannot send and receive at the same time. The slope is "
      "that between 256 and 512 KiB, for 29 processes on an ideal network, without start-up, in "
      "packets of 256 words.");
  return result;
}

Outcome two_tree_figure_5(Laboratory& lab) {
  using namespace bandwidth;
  const Study s = broadcast_study(28, myrinet(), lengths_to_4_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  result.claims = {
      as_the_circulant_graph(results), faster_by(results, "scatter-allgather", fact(kAsymptotic)),
      faster_by(results, "binary-tree", fact(kAsymptotic)),
      number("ratio of bandwidths, two trees to the binomial tree, longest messages",
             printed("2Tree 2009, 6.1", "a factor 3 higher").meaning({3, 1}),
             factor(results, "binomial"), longest(results, "binomial"), kApproximately,
             fact(fmt::format("In the paper's model (Section 2), a binomial tree takes ceil(log p) "
                              "= {} times as long as two trees for very long messages. {}",
                              formulas::fewest_steps(28, 1), waits_of(results, "binomial")))),
      words("two trees against the linear pipeline, at every length",
            printed("2Tree 2009, 6.1", "even for large m ... fare better"),
            better_everywhere(results, "linear-pipeline"),
            fmt::format("x {:.2f} at the longest", factor(results, "linear-pipeline")),
            longest(results, "linear-pipeline"), fact(waits_of(results, "linear-pipeline")))};
  return result;
}

Outcome two_tree_figure_6(Laboratory& lab) {
  using namespace bandwidth;
  const Study s = broadcast_study(150, infiniband(), lengths_to_1_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  const Result& circulant = of(results, "circulant");
  result.claims = {
      as_the_circulant_graph(results),
      words("two trees against the linear pipeline, at every length",
            printed("2Tree 2009, 6.1", "even for large m ... fare better"),
            better_everywhere(results, "linear-pipeline"),
            fmt::format("x {:.2f} at the longest", factor(results, "linear-pipeline")),
            longest(results, "linear-pipeline"), fact(waits_of(results, "linear-pipeline"))),
      words("two trees against the circulant graph, 1 KiB",
            printed("2Tree 2009, 6.1", "can ... not compete for small problems"),
            circulant.bandwidth.front() > results.front().bandwidth.front(),
            fmt::format("the circulant graph is faster x {:.2f}",
                        circulant.bandwidth.front() / results.front().bandwidth.front()),
            OnHardware({results.front().runs.front(), circulant.runs.front()}))};
  return result;
}

}  // namespace annelid::reproduction
