#include "studies/reproduce/intercom_hybrids.hpp"

#include <fmt/format.h>

#include <algorithm>

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

Reason other_than_the_model(const Measured& measured, double ratio, const std::string& which) {
  if (ratio < 1) {
    const Reason guess =
        hypothesis("steps overlap in the simulation, whose times the formula adds up.");
    return which.empty() ? guess : fact(which) + guess;
  }
  return fact(fmt::format(
      "{}{}Messages waited {} flit-cycles for messages of the same step, {} for those of "
      "other steps, and {} for control packets.",
      which, which.empty() ? "" : " ", measured.stepwise, measured.depth, measured.control));
}

}  // namespace annelid::reproduction
