// Figures 7 to 9 of Sanders, Speck and Traeff 2009 (Sections 6.2 and 6.3): bandwidth of reduction
// and scan by two trees and by their competitors.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

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

/// The algorithm that comes second, and how far behind two trees it is.
std::vector<Claim> second_best_claims(const std::vector<Result>& results, const Printed& name,
                                      std::string_view expected, const Reason& more) {
  const Result& second = second_best(results);
  return {
      words(
          "the second best algorithm, longest messages", name, second.name == expected, second.name,
          OnHardware(
              {results.front().longest(), of(results, expected).longest(), second.longest()}),
          fact(fmt::format("{} {}", waits_of(results, expected), waits_of(results, second.name))) +
              more),
      number("ratio of bandwidths, two trees to the second best (" + second.name + ")",
             printed("2Tree 2009, 6.2", "about a factor 1.5").meaning({1.5, 1}),
             factor(results, second.name), longest(results, second.name), kApproximately,
             fact("In the paper's model (Section 2), two trees have up to twice the bandwidth of a "
                  "single one. " +
                  waits_of(results, second.name)))};
}

/// The pipelined binary tree with other numbers of packets than its formula gives: whether the
/// second place hangs on it.
Reason tie_by_packets(Laboratory& lab, const Study& s, const std::vector<Result>& results) {
  const Measured& by_formula = of(results, "binary-tree").longest();
  constexpr std::uint32_t kStep = 5, kSteps = 4;
  const std::uint32_t middle = by_formula.run().packets / kStep * kStep;
  std::vector<Run> runs;
  for (std::uint32_t i = 0; i <= 2 * kSteps; ++i) {
    if (middle + i * kStep <= kSteps * kStep) continue;
    runs.push_back(by_formula.run());
    runs.back().packets = middle + i * kStep - kSteps * kStep;
  }
  if (runs.empty()) return {};
  const std::vector<Measured> measured = lab.measure(runs);
  const Measured& best = *std::ranges::min_element(measured, {}, &Measured::last);
  const Measured& butterfly = of(results, kImprovedButterfly).longest();
  return fact(fmt::format(
      "With the {} packets of its formula, the binary tree takes {} cycles with {}. With {}, it "
      "takes "
      "{}, and {} takes {}: {}",
      by_formula.run().packets, by_formula.last, length_text(s.bytes.back()), best.run().packets,
      best.last, kImprovedButterfly, butterfly.last,
      best.last < butterfly.last ? "the second place is a tie that one parameter decides."
                                 : "other packets leave the second place as it is."));
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

/// At which lengths the linear pipeline beats two trees.
struct Crossover {
  bool holds = true;  ///< faster at all lengths beyond the printed one, and at no other
  std::string slower, faster;
  [[nodiscard]] std::string text() const {
    return fmt::format("slower at {}; faster at {}", slower.empty() ? "no length" : slower,
                       faster.empty() ? "no length" : faster);
  }
};
Crossover crossover_of(const Study& s, const std::vector<Result>& results, double printed_bytes) {
  const auto& linear = of(results, "linear-pipeline").bandwidth;
  const auto& trees = results.front().bandwidth;
  Crossover found;
  for (std::size_t i = 0; i < s.bytes.size(); ++i) {
    found.holds = found.holds && (linear[i] > trees[i]) == (s.bytes[i] > printed_bytes);
    std::string& list = linear[i] > trees[i] ? found.faster : found.slower;
    list += (list.empty() ? "" : ", ") + length_text(s.bytes[i]);
  }
  return found;
}

constexpr const char* kCrossover =
    "the linear pipeline is slower for shorter messages, and faster for longer ones";

Claim crossover_claim(const Study& s, const std::vector<Result>& results, const Printed& paper,
                      double printed_bytes) {
  const Crossover found = crossover_of(s, results, printed_bytes);
  return words(kCrossover, paper, found.holds, found.text(), longest(results, "linear-pipeline"),
               fact(waits_of(results, "linear-pipeline")));
}

/// Where we do not simulate as long messages as the paper's, there is no verdict.
Claim crossover_out_of_reach(const Study& s, const Printed& paper) {
  return not_yet(kCrossover, paper,
                 fmt::format("We simulate messages of up to {}, and the paper's crossover is "
                             "beyond. What came out for shorter messages stands below as ours.",
                             length_text(s.bytes.back())));
}

/// The part of it that is within reach.
Claim slower_below(const Study& s, const std::vector<Result>& results, const Printed& paper,
                   double printed_bytes) {
  const Crossover found = crossover_of(s, results, printed_bytes);
  return as_ours(words("the linear pipeline is slower for all shorter messages that we simulate",
                       paper, found.holds, found.text(), longest(results, "linear-pipeline"),
                       fact(waits_of(results, "linear-pipeline"))));
}

/// The paper's formulas say something else than its measurement.
Claim crossover_by_formulas(const Study& s, const Printed& paper, double printed_bytes) {
  const auto crossing = formula_crossover(s);
  return as_ours(words(
      "by the formulas of Section 2 with the best packets, the linear pipeline is faster", paper,
      crossing && *crossing > printed_bytes / 2 && *crossing <= 2 * printed_bytes,
      crossing ? "from " + length_text(*crossing) + " on" : "nowhere up to 1 GiB", ByFormula{},
      fact("Both times have the term beta n. For p > 2 log p, the pipeline's p alpha + 2 "
           "sqrt(alpha beta n p) exceeds the 2 alpha log p + sqrt(8 alpha beta n log p) of "
           "two trees at every start-up and length. So the crossover on the cluster follows "
           "from no start-up. On meshes, where messages share channels, it can appear: see their "
           "rows.")));
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

std::vector<Claim> scan_claims(const Study& s, const std::vector<Result>& results) {
  return {
      number(
          "ratio of bandwidths, two trees to simultaneous binomial trees, longest messages",
          printed("2Tree 2009, 6.3", "almost three times").meaning({3, 1}),
          factor(results, "simultaneous-binomial"), longest(results, "simultaneous-binomial"),
          kApproximately,
          fact(fmt::format("In the model, two trees gain at most ceil(log p) / 2, which is {:.1f} "
                           "times. {}",
                           formulas::fewest_steps(static_cast<std::uint64_t>(s.processes), 1) / 2.0,
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
}

}  // namespace
}  // namespace bandwidth

Outcome two_tree_figure_7(Laboratory& lab) {
  using namespace bandwidth;
  const Study s = reduction_study(28, myrinet(), lengths_to_4_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  const Printed second = printed("2Tree 2009, 6.2", "the pipelined binary tree"),
                crossover = printed("2Tree 2009, 6.2", "larger than 1MByte");
  const Reason tie = tie_by_packets(lab, s, results) +
                     fact(
                         "On the cluster, a change of protocol made the butterfly suddenly slower "
                         "(Section 6.2). Our network has none.");
  const reference::Network mesh{7, 4};
  std::vector<Place> places = other_places(mesh);
  places.push_back({"7x4 mesh, four virtual channels", mesh, CallKind::kNative, 4});
  places.push_back({"7x4 mesh, all-port", mesh, CallKind::kNative, 1, true});
  add_claims(lab, result, s, results, places, {64 * kKiB, 256 * kKiB, kMiB, s.bytes.back()},
             [&](const Study& there, const std::vector<Result>& found) {
               std::vector<Claim> claims = second_best_claims(
                   found, second, "binary-tree", there.place.name.empty() ? tie : Reason());
               claims.push_back(crossover_claim(there, found, crossover, kMiB));
               return claims;
             });
  result.claims.push_back(crossover_by_formulas(s, crossover, kMiB));
  claim_start_ups(lab, result, s);
  return result;
}

Outcome two_tree_figure_8(Laboratory& lab) {
  using namespace bandwidth;
  const Study s = reduction_study(150, infiniband(), lengths_to_1_mib());
  const auto results = measure(lab, s);
  Outcome result = show(s, results);
  const Printed second = printed("2Tree 2009, 6.2", "the butterfly"),
                crossover = printed("2Tree 2009, 6.2", "or 16Mbyte");
  add_claims(lab, result, s, results, other_places({15, 10}), {64 * kKiB, 256 * kKiB, kMiB},
             [&](const Study& there, const std::vector<Result>& found) {
               std::vector<Claim> claims =
                   second_best_claims(found, second, kImprovedButterfly, {});
               claims.push_back(two_butterflies(there, found));
               if (!there.place.name.empty()) {
                 claims.push_back(slower_below(there, found, crossover, 16 * kMiB));
               }
               return claims;
             });
  result.claims.push_back(crossover_out_of_reach(s, crossover));
  result.claims.push_back(slower_below(s, results, crossover, 16 * kMiB));
  result.claims.push_back(crossover_by_formulas(s, crossover, 16 * kMiB));
  result.notes.emplace_back(
      "The improved butterfly is the elimination butterfly of the paper's reference [15]. "
      "MVAPICH's is Rabenseifner's algorithm, which the paper's reference [22] describes.");
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
  add_claims(lab, result, s, results, other_places({9, 3}), {s.bytes.back()}, scan_claims);
  return result;
}

}  // namespace annelid::reproduction
