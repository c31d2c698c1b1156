// CCL's model of time (Bala and others 1995, Section 4.1), fitted to runs on a mesh and on a torus.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "reference/costs/ccl_model.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"

namespace annelid::reproduction {
namespace {

namespace ccl = reference::ccl;

constexpr int kModelNodes = 16;
constexpr std::uint64_t kStartUp = 28;
constexpr std::array<std::uint64_t, 3> kModelLengths = {64, 512, 4096};

Run run_of_call(const ccl::Call& call, const reference::Network& network) {
  Run run;
  run.operation = call.operation;
  run.algorithm = call.algorithm;
  run.parameter = call.parameter;
  run.ranks = call.nodes;
  run.bytes = call.bytes;
  run.network = network;
  run.one_port = true;  // "each process can send one message and, simultaneously, receive another"
  run.alpha = kStartUp;
  return run;
}

ccl::Point point_of(const Measured& m) {
  return {static_cast<double>(m.steps), static_cast<double>(m.in_sequence),
          static_cast<double>(m.bytes), static_cast<double>(m.cycles())};
}

/// Runs that are for the same, on one network.
struct ModelRuns {
  std::vector<Measured> runs;
  std::vector<ccl::Point> points;
  void add(const Measured& m) {
    runs.push_back(m);
    points.push_back(point_of(m));
  }
};

/// The runs of a plan: by what they are for.
std::vector<ModelRuns> samples_of(Laboratory& lab, const std::vector<ccl::PlannedCall>& plan,
                                  const reference::Network& network) {
  std::vector<Run> runs;
  runs.reserve(plan.size());
  for (const ccl::PlannedCall& p : plan) runs.push_back(run_of_call(p.call, network));
  const std::vector<Measured> measured = lab.measure(runs);
  std::vector<ModelRuns> samples(ccl::kParts);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    samples[static_cast<std::size_t>(plan[i].part)].add(measured[i]);
  }
  return samples;
}

std::string share_text(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// The claim holds if the model is approximately right for most runs.
Claim model_claim(std::string text, const Printed& paper, const ccl::Model& model,
                  const ModelRuns& sample, bool with_f, const Reason& why) {
  const ccl::Deviations d = ccl::deviations(model, sample.points, with_f);
  return words(std::move(text), paper, d.median <= kApproximately,
               fmt::format("median deviation {}, largest {}, of {} runs", share_text(d.median),
                           share_text(d.largest), sample.points.size()),
               OnHardware({sample.runs[d.worst]}), why);
}

/// "T = 21.6 + 27.6 C1 + 0.134 C2".
std::string text_of(const ccl::Model& model) {
  return fmt::format("T = {:.1f} + {:.1f} C1 + {:.4f} C2", model.set_up, model.ts, model.tc);
}

std::string pieces_of(const ccl::Model& model) {
  std::string text;
  for (const ccl::Piece& p : model.pieces) {
    text += fmt::format("{}{:.5f} from {:.0f} bytes on", text.empty() ? "" : ", ", p.slope, p.from);
  }
  return text;
}

}  // namespace

void add_ccl_model(Laboratory& lab, Outcome& outcome) {
  const auto plan = ccl::plan(kModelNodes, {kModelLengths.begin(), kModelLengths.end()},
                              ccl::usual_groups(kModelNodes));
  std::vector<ccl::PlannedCall> fitted;
  std::ranges::copy_if(plan, std::back_inserter(fitted),
                       [](const auto& p) { return p.part == ccl::Part::kFit; });
  const ModelRuns ideal = samples_of(lab, fitted, {4, 4, 1, {}, true}).front();
  const Reason steps = hypothesis(
      "Where a process sends to many others one after the other, its start-ups overlap with the "
      "messages before them, so C1 ts counts too much.");
  outcome.claims.push_back(model_claim(
      "T of operations where no message waits for another",
      printed("CCL 1995, 4.1",
              "an algorithm has an estimated communication time complexity of T = C1 ts + "
              "C2 tc"),
      ccl::fit(ideal.points, {}), ideal, false, steps));

  const Reason load = fact("C3 does not say how many messages of a step cross the same channel.");
  const Reason copies = fact(
      "These operations copy blocks within a node, or all processes start their messages at the "
      "same time. The model has no term for either.");
  for (const bool torus : {false, true}) {
    const reference::Network network{4, 4, 1, {torus, torus, false}};
    const std::string where = torus ? "4x4 torus" : "4x4 mesh";
    const std::vector<ModelRuns> samples = samples_of(lab, plan, network);
    const ccl::Model model = ccl::fit(ideal.points, samples.front().points);
    const Printed paper = printed("CCL 1995, 4.1",
                                  "one can model T = C1 ts + C2 tc + f(C3), where the function f "
                                  "can be derived by curve-fitting experimental results");
    const auto claim = [&](ccl::Part part, const char* runs) {
      const ModelRuns& sample = samples[static_cast<std::size_t>(part)];
      const ccl::Deviations bare = ccl::deviations(model, sample.points, false);
      outcome.claims.push_back(model_claim(
          fmt::format("T of {} on the {}", runs, where), paper, model, sample, true,
          fact(fmt::format("Without f, the deviations are {} (median) and {} (largest).",
                           share_text(bare.median), share_text(bare.largest))) +
              (part == ccl::Part::kApart ? copies : load)));
    };
    claim(ccl::Part::kFit, "the fitted runs");
    claim(ccl::Part::kLengths, "other lengths than those of the fit");
    claim(ccl::Part::kGroups, "other groups than those of the fit");
    claim(ccl::Part::kApart, "operations that copy or send at once, which are not in the fit");
    outcome.notes.push_back(fmt::format("On the {}, {} + f(C3). Each byte of C3 adds {} cycles.",
                                        where, text_of(model), pieces_of(model)));
  }
  outcome.notes.push_back(
      fmt::format("The rows about T are those of annelid tau --fit ccl --firmware native --alpha "
                  "{}. A row holds "
                  "if the median deviation is at most {:.0f} %.",
                  kStartUp, 100 * kApproximately));
}

}  // namespace annelid::reproduction
