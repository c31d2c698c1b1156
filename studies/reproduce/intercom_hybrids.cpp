#include "studies/reproduce/intercom_hybrids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/message_length.hpp"

namespace annelid::reproduction {

namespace intercom = reference::intercom;

Run hybrid_run(reference::Operation operation, const reference::Network& network,
               const intercom::Hybrid& hybrid, std::uint64_t bytes) {
  Run run;
  run.operation = operation;
  run.algorithm = "intercom";
  run.network = network;
  run.one_port = true;
  run.bytes = bytes;
  run.vcs = run.local_vcs = 4;
  reference::HybridChoice choice;
  for (const intercom::Dimension& d : hybrid.mesh.dimensions()) choice.sizes.push_back(d.size);
  choice.is_long = hybrid.form == intercom::Template::kLong;
  // The two orders of one dimension are equal.
  choice.far_first = choice.sizes.size() > 1 && hybrid.mesh.dimensions().front().stride != 1;
  run.hybrid = choice;
  return run;
}

std::string hybrid_name(intercom::Collective collective, const intercom::Hybrid& hybrid) {
  const std::size_t dimensions = hybrid.mesh.dimensions().size();
  return fmt::format("{}{} {}", dimensions == 1 ? "1x" : "", to_string(hybrid.mesh),
                     intercom::letters(intercom::stages_of(collective, hybrid.form, dimensions)));
}

std::vector<intercom::Hybrid> hybrids_of_line(int nodes) {
  std::vector<intercom::Hybrid> hybrids;
  for (const intercom::Template form : {intercom::Template::kShort, intercom::Template::kLong}) {
    for (const std::vector<int>& sizes : intercom::factorizations(nodes)) {
      hybrids.push_back({{sizes, intercom::Nearness::kNearFirst}, form});
    }
  }
  return hybrids;
}

Replayed replay_with_barriers(Laboratory& lab, const intercom::Hybrid& hybrid, std::uint64_t bytes,
                              int vcs) {
  constexpr auto kBroadcast = intercom::Collective::kBroadcast;
  const int ranks = hybrid.mesh.ranks();
  const reference::Network line{ranks, 1, 1};
  std::string name = "intercom-barriers-" + hybrid_name(kBroadcast, hybrid);
  std::ranges::replace(name, ' ', '-');
  MessageTrace trace{fmt::format("{}-{}", name, vcs), line, {}, vcs};
  std::vector<std::size_t> before;
  const intercom::StagedSchedule schedule = intercom::schedule_of({kBroadcast, 0, {bytes}}, hybrid);
  for (const intercom::StagedStep& step : schedule.steps) {
    if (step.transfers.empty()) continue;
    const std::size_t first = trace.messages.size();
    for (const intercom::Transfer& t : step.transfers) {
      trace.messages.push_back(
          {reference::node_at(line, t.from), reference::node_at(line, t.to), t.length, 0, before});
    }
    before.resize(trace.messages.size() - first);
    std::iota(before.begin(), before.end(), first);
  }
  const Played played = lab.play(trace);
  std::vector<int> sizes;
  for (const intercom::Dimension& d : hybrid.mesh.dimensions()) sizes.push_back(d.size);
  const intercom::Terms terms = intercom::hybrid_terms(kBroadcast, hybrid.form, sizes);
  return {static_cast<double>(*std::ranges::max_element(played.arrived())),
          terms.volume * static_cast<double>(bytes) / kFlitBytes + terms.starts * kLeadFlits,
          trace.command()};
}

Reason other_than_the_model(const Measured& measured, double ratio, const std::string& which,
                            const std::optional<Replayed>& replayed) {
  std::string text = which.empty() ? "" : which + " ";
  text += fmt::format(
      "Messages waited {} flit-cycles for messages of the same step, {} for those of other steps, "
      "and "
      "{} for control packets.",
      measured.stepwise, measured.depth, measured.control);
  if (!replayed) return fact(text);
  const double with_barriers = replayed->cycles / replayed->formula;
  text += fmt::format(
      " With a barrier after every step and without start-ups, the messages take {:.0f} cycles on "
      "the "
      "routers (`{}`), and the formula gives {:.0f}.",
      replayed->cycles, replayed->command, replayed->formula);
  if (ratio >= 1) return fact(text);
  // With barriers it is as slow as the formula or slower: only what barriers forbid makes it
  // faster.
  return fact(text + (with_barriers >= 1 - kAlmostExactly
                          ? " So the run is faster because its steps overlap."
                          : " So more than an overlap of steps makes the run faster."));
}

}  // namespace annelid::reproduction
