// Table 2.1 and Figure 2.1 of Tsai 1997 (Section 2.4), the collective operations, each run once;
// and CCL's (Bala and others 1995, Table 1), which come later.
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

Outcome ccl_operations(Laboratory&) {
  Outcome result;
  result.table.columns = {"operation", "rule of the paper", "nearest in Annelid"};
  struct Row {
    Literal operation, rule, nearest;
  };
  const std::vector<Row> rows = {
      {"bcast", "binomial: ceil(lg n) (ts + m tc); EDST; generalised Fibonacci",
       "broadcast binomial"},
      {"reduce", "bcast reversed", "reduce binomial"},
      {"combine", "C1 = ceil(lg n) + k, C3 = m (n / 2^k) (lg n + 2^(k+1) - k - 2)",
       "all-reduce butterfly, rabenseifner"},
      {"scatter, gather", "C1 = ceil(lg n), C3 ~ (m lg n) / 2; or C1 = n - 1", "scatter, gather"},
      {"concat", "circulant: C1 = ceil(lg n), C2 = n - 1 blocks", "all-gather ring, dissemination"},
      {"index", "radix r: ~(r - 1) log_r n steps", "all-to-all radix"},
      {"prefix", "as combine", "scan"},
      {"shift", "1 step", "-"},
      {"sync", "ceil(lg n)", "barrier dissemination"},
      {"group, partition", "getsize, getmembers, getrank, getlabel", "-"},
  };
  for (const Row& row : rows) {
    result.table.rows.push_back({std::string(row.operation.text), std::string(row.rule.text),
                                 std::string(row.nearest.text)});
    result.claims.push_back(
        not_yet("CCL " + std::string(row.operation.text), printed("CCL 1995, Table 1", row.rule),
                "Annelid does not implement CCL's library. The table names what comes nearest."));
  }
  return result;
}

}  // namespace annelid::reproduction
