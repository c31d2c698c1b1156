// Table 2.1 and Figure 2.1 of Tsai 1997 (Section 2.4): the collective operations, each run once.
#include <fmt/format.h>

#include <algorithm>

#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/published.hpp"

namespace annelid::reproduction {
namespace {

using reference::Operation;

/// The first algorithm of the operation of this name that runs on the network; nullptr if none.
const reference::Algorithm* algorithm_of(std::string_view operation,
                                         const reference::Network& net) {
  const auto all = reference::algorithms();
  const auto found = std::ranges::find_if(all, [&](const reference::Algorithm& a) {
    return reference::name_of(a.operation) == operation && a.supports(net);
  });
  return found == all.end() ? nullptr : &*found;
}

long algorithms_of(std::string_view operation) {
  return std::ranges::count_if(reference::algorithms(), [&](const reference::Algorithm& a) {
    return reference::name_of(a.operation) == operation;
  });
}

}  // namespace

Outcome table_2_1(Laboratory& lab) {
  const reference::Network net{4, 4};
  const PublishedTable paper = published("table2.1");
  std::vector<Run> runs;
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const reference::Algorithm* const algorithm = algorithm_of(paper.text(i, "ours"), net);
    if (algorithm == nullptr) continue;
    Run& run = runs.emplace_back();
    run.operation = algorithm->operation;
    run.algorithm = algorithm->name;
    run.network = net;
    run.bytes = 64;
  }
  const std::vector<Measured> measured = lab.measure(runs);
  auto next = measured.begin();
  Outcome result;
  result.table.columns = {"kind", "MPI", "ours", "algorithms", "measured", "cycles on 4x4"};
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const std::string& mpi = paper.text(i, "mpi");
    const std::string& ours = paper.text(i, "ours");
    const reference::Algorithm* const algorithm = algorithm_of(ours, net);
    if (algorithm == nullptr) {
      result.claims.push_back(
          not_yet(mpi, paper.printed(i, "{kind}"),
                  "Annelid does not run operations on blocks of different lengths."));
      result.table.rows.push_back({paper.text(i, "kind"), mpi, "-", "", "", ""});
      continue;
    }
    const Measured& m = *next++;
    result.table.rows.push_back({paper.text(i, "kind"), mpi, ours,
                                 std::to_string(algorithms_of(ours)), std::string(algorithm->name),
                                 std::to_string(m.last)});
  }
  result.notes.emplace_back(
      "Every operation of the table was simulated. The bytes at every node are those of an "
      "independent reference; otherwise this command ends with an error. So only what Annelid "
      "cannot do is a claim here.");
  result.notes.emplace_back(
      "Figure 2.1 shows nine operations: MPI_Bcast, MPI_Scatter, MPI_Allgather, MPI_Alltoall, "
      "MPI_Gather, MPI_Reduce (combine), MPI_Allreduce (global reduction), MPI_Barrier and "
      "MPI_Scan. Annelid also has exscan.");
  return result;
}

}  // namespace annelid::reproduction
