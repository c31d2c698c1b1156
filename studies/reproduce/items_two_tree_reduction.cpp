// Figures 7 to 9 of Sanders, Speck and Traeff 2009 (Sections 6.2 and 6.3): bandwidth of reduction
// and scan by two trees and by their competitors.
#include <fmt/format.h>

#include <algorithm>

#include "studies/reproduce/bandwidth_study.hpp"

namespace annelid::reproduction {
namespace bandwidth {
namespace {

using reference::Operation;

/// The butterfly of reference [15], and the one of MVAPICH, which reference [22] describes.
constexpr const char *kImprovedButterfly = "elimination-butterfly",
                     *kMvapichButterfly = "rabenseifner";

Study reduction_study(int p, const Cluster& cluster, const std::vector<double>& bytes) {
  return {Operation::kReduce,
          p,
          cluster,
          bytes,
          {{"two-tree", formulas::two_tree_steps(height(p))},
           {kImprovedButterfly, {}},
           {kMvapichButterfly, {}},
           {"binomial", {}},
           {"binary-tree", formulas::pipelined_binary_tree_steps(p)},
           {"linear-pipeline", formulas::linear_pipeline_steps(p)}}};
}

/// What the words of a butterfly's schedule say of long messages.
std::string butterflies_by_words(int p) {
  int round = 0;
  while ((p >> round & 1) == 0) ++round;
  return fmt::format(
      "For long messages, MVAPICH's butterfly takes less than 3 beta n: beta n to fold {} "
      "processes "
      "to a power of two, and 2 beta n to halve and to gather. That of [15] takes less than 2 beta "
      "n and {} beta n more, as its eliminations begin in round {}. So the ratio by words is "
      "{:.2f}.",
      p, fmt::format("1/{}", 2 << round), round, 3 / (2 + 1.0 / (2 << round)));
}

Claim two_butterflies(const Study& s, const std::vector<Result>& results) {
  const Result &improved = of(results, kImprovedButterfly),
               &mvapich = of(results, kMvapichButterfly);
  return number(
      "ratio of bandwidths, the improved butterfly to MVAPICH's, longest messages",
      printed("2Tree 2009, 6.2", "almost a factor 2").meaning({2, 1}),
      improved.bandwidth.back() / mvapich.bandwidth.back(),
      OnHardware({improved.longest(), mvapich.longest()}), kApproximately,
      fact(butterflies_by_words(s.processes) + " The paper calls its own factor surprising.") +
          hypothesis("it owes something to what MVAPICH does besides the schedule."));
}

/// The best of the others that are no linear pipeline, with the longest messages.
const Result& second_best(const std::vector<Result>& results) {
  const Result* best = nullptr;
  for (std::size_t i = 1; i < results.size(); ++i) {
    if (results[i].name == "linear-pipeline") continue;
    if (best == nullptr || results[i].bandwidth.back() > best->bandwidth.back()) best = &results[i];
  }
  return *best;
}

/// Which algorithm comes second, and how far behind two trees it is.
/// `and_more` is what else is known of the expected one.
void claim_second_best(Outcome& result, const std::vector<Result>& results, const Printed& name,
                       std::string_view expected, std::string_view and_more = {}) {
  const Result& second = second_best(results);
  result.claims.push_back(words(
      "the second best algorithm, longest messages", name, second.name == expected, second.name,
      OnHardware({results.front().longest(), of(results, expected).longest(), second.longest()}),
      fact(fmt::format("{} {}{}", waits_of(results, expected), waits_of(results, second.name),
                       and_more))));
  result.claims.push_back(
      number("ratio of bandwidths, two trees to the second best (" + second.name + ")",
             printed("2Tree 2009, 6.2", "about a factor 1.5").meaning({1.5, 1}),
             factor(results, second.name), longest(results, second.name), kApproximately,
             fact("In the paper's model (Section 2), two trees have up to twice the bandwidth of a "
                  "single one. " +
                  waits_of(results, second.name))));
}

/// The length from which on the linear pipeline beats two trees by the formulas, with each one's
/// best number of packets; nothing if it does so nowhere up to 1 GiB.
std::optional<double> formula_crossover(const Study& s) {
  const formulas::Cost cost{static_cast<double>(s.cluster.alpha), 1, 0};
  std::optional<double> from;
  for (double bytes = 1 << 30; bytes >= 1024; bytes /= 2) {
    const double trees = s.competitors.front().steps->best(cost, bytes / 8);
    if (formulas::linear_pipeline_steps(s.processes).best(cost, bytes / 8) >= trees) break;
    from = bytes;
  }
  return from;
}

/// Two claims about the linear pipeline: from which length on it beats two trees, as far as we
/// simulate; and by the formulas of Section 2.
void claim_crossover(Outcome& result, const Study& s, const std::vector<Result>& results,
                     const Printed& paper, double printed_bytes) {
  const auto& linear = of(results, "linear-pipeline").bandwidth;
  const auto& trees = results.front().bandwidth;
  bool holds = true;
  std::string slower, faster;
  for (std::size_t i = 0; i < s.bytes.size(); ++i) {
    holds = holds && (linear[i] > trees[i]) == (s.bytes[i] > printed_bytes);
    std::string& list = linear[i] > trees[i] ? faster : slower;
    list += (list.empty() ? "" : ", ") + length_text(s.bytes[i]);
  }
  const auto crossing = formula_crossover(s);
  const std::string by_formula =
      crossing ? "from " + length_text(*crossing) + " on" : "nowhere up to 1 GiB";
  const bool reached = s.bytes.back() > printed_bytes;
  result.claims.push_back(words(
      reached ? "the linear pipeline is slower for shorter messages, and faster for longer ones"
              : "the linear pipeline is slower for all shorter messages that we simulate",
      paper, holds,
      fmt::format("slower at {}; faster at {}", slower.empty() ? "no length" : slower,
                  faster.empty() ? "no length" : faster),
      longest(results, "linear-pipeline"),
      fact(fmt::format("With a start-up of {} cycles, the formulas of Section 2 make the "
                       "pipeline faster {}. {}",
                       s.cluster.alpha, by_formula, waits_of(results, "linear-pipeline")))));
  result.claims.push_back(
      words("by the formulas of Section 2 with the best packets, the linear pipeline is faster",
            paper, crossing && *crossing > printed_bytes / 2 && *crossing <= 2 * printed_bytes,
            by_formula, ByFormula{},
            fact("Both times have the term beta n. For p > 2 log p, the pipeline's p alpha + 2 "
                 "sqrt(alpha beta n p) exceeds the 2 alpha log p + sqrt(8 alpha beta n log p) of "
                 "two trees at every start-up and length. So the crossover on the cluster follows "
                 "from no start-up.") +
                hypothesis("two trees had the larger constant per byte there.")));
}

/// Whether some start-up makes the linear pipeline faster: 1 MiB, with three of them.
void claim_start_ups(Laboratory& lab, Outcome& result, Study s) {
  std::erase_if(s.competitors,
                [](const Rival& r) { return r.name != "two-tree" && r.name != "linear-pipeline"; });
  s.bytes = {kMiB};
  bool slower = true;
  std::string cycles;
  std::vector<Measured> runs;
  for (const std::uint64_t alpha : {20, 220, 2000}) {
    s.cluster.alpha = alpha;
    const auto results = measure(lab, s);
    const Measured &trees = results.front().longest(),
                   &pipeline = of(results, "linear-pipeline").longest();
    slower = slower && pipeline.last > trees.last;
    cycles += fmt::format("{}{} and {} with a start-up of {}", cycles.empty() ? "" : "; ",
                          pipeline.last, trees.last, alpha);
    runs.insert(runs.end(), {pipeline, trees});
  }
  result.claims.push_back(
      words("the linear pipeline is slower than two trees at 1 MiB, whatever the start-up",
            Formula{"Section 2: at every start-up"}, slower, cycles + " cycles", OnHardware(runs)));
}

}  // namespace
}  // namespace bandwidth

Outcome two_tree_figure_7(Laboratory& lab) {
  using namespace bandwidth;
  const Study s = reduction_study(28, myrinet(), lengths_to_4_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  claim_second_best(result, results, printed("2Tree 2009, 6.2", "the pipelined binary tree"),
                    "binary-tree",
                    " On the cluster, a change of protocol made the butterfly suddenly slower "
                    "(Section 6.2). Our network has none.");
  claim_crossover(result, s, results, printed("2Tree 2009, 6.2", "larger than 1MByte"), kMiB);
  claim_start_ups(lab, result, s);
  return result;
}

Outcome two_tree_figure_8(Laboratory& lab) {
  using namespace bandwidth;
  const Study s = reduction_study(150, infiniband(), lengths_to_1_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  claim_second_best(result, results, printed("2Tree 2009, 6.2", "the butterfly"),
                    kImprovedButterfly);
  result.claims.push_back(two_butterflies(s, results));
  result.notes.emplace_back(
      "The improved butterfly is the elimination butterfly of the paper's reference [15]. "
      "MVAPICH's is Rabenseifner's algorithm, which the paper's reference [22] describes.");
  claim_crossover(result, s, results, printed("2Tree 2009, 6.2", "or 16Mbyte"), 16 * kMiB);
  return result;
}

Outcome two_tree_figure_9(Laboratory& lab) {
  using namespace bandwidth;
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
  result.claims = {
      number(
          "ratio of bandwidths, two trees to simultaneous binomial trees, longest messages",
          printed("2Tree 2009, 6.3", "almost three times").meaning({3, 1}),
          factor(results, "simultaneous-binomial"), longest(results, "simultaneous-binomial"),
          kApproximately,
          fact(fmt::format("In the model, two trees gain at most ceil(log p) / 2, which is {:.1f} "
                           "times. {}",
                           formulas::fewest_steps(kProcesses, 1) / 2.0,
                           waits_of(results, "simultaneous-binomial")))),
      number("ratio of bandwidths, two trees to the doubly pipelined binary tree",
             printed("2Tree 2009, 6.3", "about one third better").meaning({4.0 / 3, 2}),
             factor(results, "doubly-pipelined"), longest(results, "doubly-pipelined"),
             kApproximately,
             fact("In the model, 3 beta m stands against 2 beta m, which is 1.5 times. " +
                  waits_of(results, "doubly-pipelined"))),
      number(
          "ratio of bandwidths, the linear pipeline to two trees, longest messages",
          printed("2Tree 2009, 6.3", "beta m compared to 2 beta m").meaning({2, 1}),
          1 / factor(results, "linear-pipeline"), longest(results, "linear-pipeline"),
          kApproximately,
          fact("Both bounds are for endless messages. " + waits_of(results, "linear-pipeline")))};
  return result;
}

}  // namespace annelid::reproduction
