// Table 2.1 and Figure 2.1 of Tsai 1997 (Section 2.4): the collective operations, each run once.
#include <fmt/format.h>

#include <algorithm>

#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/published.hpp"

namespace annelid::reproduction {
namespace {

using reference::Operation;

/// Whether it can run an operation of this name on the network, with equal or different blocks.
bool serves(const reference::Algorithm& a, std::string_view operation, bool different,
            const reference::Network& net) {
  return reference::name_of(a.operation) == operation && a.supports(net) &&
         (a.takes_lengths || !different);
}

}  // namespace

Outcome table_2_1(Laboratory& lab) {
  const reference::Network net{4, 4};
  const PublishedTable paper = published("table2.1");
  const auto serves_row = [&](std::size_t row) {
    return [&, row](const reference::Algorithm& a) {
      return serves(a, paper.text(row, "ours"), paper.text(row, "blocks") == "different", net);
    };
  };
  std::vector<Run> runs;
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const auto algorithm = std::ranges::find_if(reference::algorithms(), serves_row(i));
    Run& run = runs.emplace_back();
    run.operation = algorithm->operation;
    run.algorithm = algorithm->name;
    run.network = net;
    run.bytes = 64;
    if (paper.text(i, "blocks") == "different") run.counts = "random:0..128";
  }
  const std::vector<Measured> measured = lab.measure(runs);
  Outcome result;
  result.table.columns = {"kind",       "MPI",      "ours",         "blocks",
                          "algorithms", "measured", "cycles on 4x4"};
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const Measured& m = measured[i];
    const auto nodes = static_cast<std::uint64_t>(net.nodes());
    result.claims.push_back(
        words(paper.text(i, "mpi"), paper.printed(i, "{kind}"), m.messages >= nodes - 1,
              fmt::format("{} messages between {} processes", m.messages, nodes), OnHardware({m}),
              fact("An operation of n processes takes n - 1 messages or more.")));
    const auto algorithms = std::ranges::count_if(reference::algorithms(), serves_row(i));
    result.table.rows.push_back({paper.text(i, "kind"), paper.text(i, "mpi"), paper.text(i, "ours"),
                                 paper.text(i, "blocks"), std::to_string(algorithms),
                                 runs[i].algorithm, std::to_string(m.last)});
  }
  result.notes.emplace_back(
      "Every operation of the table was simulated. The bytes at every node are those of an "
      "independent reference; otherwise this command ends with an error. Equal blocks have 64 "
      "bytes, different ones 0 to 128.");
  result.notes.emplace_back(
      "Figure 2.1 shows nine operations: MPI_Bcast, MPI_Scatter, MPI_Allgather, MPI_Alltoall, "
      "MPI_Gather, MPI_Reduce (combine), MPI_Allreduce (global reduction), MPI_Barrier and "
      "MPI_Scan. Annelid also has exscan.");
  return result;
}

}  // namespace annelid::reproduction
