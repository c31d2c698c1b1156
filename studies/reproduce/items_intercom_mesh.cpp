// Table 3 and Figure 4 of Barnett and others 1994 (InterCom): collectives on meshes of a Paragon.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reference/costs/intercom_ranking.hpp"
#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/intercom_hybrids.hpp"
#include "studies/reproduce/items.hpp"
#include "studies/reproduce/published.hpp"

namespace annelid::reproduction {
namespace {

namespace intercom = reference::intercom;
using intercom::Collective;
using intercom::Hybrid;
using intercom::Template;
using reference::Network;
using reference::Operation;

constexpr double kFlitBytes = 8;

/// An operation as the paper calls it, as the reference does, and as `annelid run` does.
struct Collectives {
  const char* paper;
  Collective collective;
  Operation operation;
};
constexpr std::array kCollectives = {
    Collectives{"broadcast", Collective::kBroadcast, Operation::kBroadcast},
    Collectives{"collect", Collective::kCollect, Operation::kAllGather},
    Collectives{"global sum", Collective::kCombineToAll, Operation::kAllReduce}};

/// The machine that two rows of Table 3 imply, in s and s per byte: the broadcast of 8 bytes is
/// nine doublings, and that of 1 MB is a scatter and a collect in rows and columns of 32 and 16
/// nodes: (9 + 15 + 31) alpha + 2 n beta.
intercom::Machine paragon() {
  const PublishedTable paper = published("intercom_table3");
  constexpr double kMegabyte = 1 << 20;
  const double alpha = paper.number(0, "icc") / 9;
  return {alpha, (paper.number(2, "icc") - 55 * alpha) / 2 / kMegabyte, 0};
}
double cycle_s() { return kFlitBytes * paragon().beta; }
std::uint64_t alpha_cycles() {
  return static_cast<std::uint64_t>(std::llround(paragon().alpha / cycle_s()));
}

/// A vector of so many bytes by one hybrid. A process's block has at least eight bytes.
struct Candidate {
  Hybrid hybrid;
  Run run;
  double model_s = 0;  ///< by the contention of each step
};
std::uint64_t block_of(Collective collective, const Network& net, std::uint64_t vector_bytes) {
  if (!intercom::has_blocks(collective)) return vector_bytes;
  return std::max<std::uint64_t>(8, vector_bytes / static_cast<std::uint64_t>(net.nodes()));
}
std::vector<reference::Node> by_rows(const Network& net) {
  std::vector<reference::Node> nodes;
  nodes.reserve(static_cast<std::size_t>(net.nodes()));
  for (int i = 0; i < net.nodes(); ++i) nodes.push_back(reference::node_at(net, i));
  return nodes;
}

/// Returns them with the fastest first, by the model of Section 2 and the contention of each step.
std::vector<Candidate> candidates(const Collectives& what, const Network& net,
                                  std::uint64_t vector_bytes, const std::vector<Hybrid>& hybrids) {
  const std::uint64_t block = block_of(what.collective, net, vector_bytes);
  const auto ranks = static_cast<std::size_t>(net.nodes());
  const intercom::Call call{what.collective, 0,
                            intercom::has_blocks(what.collective)
                                ? std::vector<std::uint64_t>(ranks, block)
                                : std::vector<std::uint64_t>{block}};
  std::vector<Candidate> all;
  for (const intercom::Ranked& ranked :
       intercom::ranking(call, hybrids, net, by_rows(net), paragon())) {
    Run run = hybrid_run(what.operation, net, ranked.hybrid, block);
    run.alpha = alpha_cycles();
    all.push_back({ranked.hybrid, run, ranked.time});
  }
  return all;
}

/// The fastest of all hybrids whose dimensions lie within rows and columns, and that a call can
/// name. Where processes have blocks, far dimensions come first, so that no process puts its blocks
/// into another order: the model leaves this out.
Candidate fastest(const Collectives& what, const Network& net, std::uint64_t vector_bytes) {
  constexpr std::size_t kMostDimensions = 7;
  const auto submesh = intercom::submesh_of(by_rows(net));
  std::vector<Hybrid> hybrids = intercom::hybrids_of(what.collective, submesh.value());
  std::erase_if(hybrids, [&](const Hybrid& h) {
    const std::vector<intercom::Dimension>& dimensions = h.mesh.dimensions();
    const bool near_first = dimensions.size() > 1 && dimensions.front().stride == 1;
    return dimensions.size() > kMostDimensions ||
           (near_first && intercom::has_blocks(what.collective));
  });
  return candidates(what, net, vector_bytes, hybrids).front();
}

std::string length_text(std::uint64_t bytes) {
  if (bytes >= 1 << 20) return fmt::format("{} MB", bytes >> 20);
  return bytes >= 1024 ? fmt::format("{} KB", bytes >> 10) : fmt::format("{} B", bytes);
}

std::string machine_text() {
  const intercom::Machine machine = paragon();
  return fmt::format(
      "The paper gives neither start-up nor rate. Its broadcasts of 8 bytes (9 doublings) and of "
      "1 MB (scatter and collect in rows and columns, Section 7) imply {:.0f} us and {:.4f} us per "
      "byte. So one cycle is {:.3f} us, and alpha is {} cycles.",
      1e6 * machine.alpha, 1e6 * machine.beta, 1e6 * cycle_s(), alpha_cycles());
}

}  // namespace

Outcome intercom_table_3(Laboratory& lab) {
  const PublishedTable paper = published("intercom_table3");
  const Network net{32, 16};
  std::vector<Candidate> rows;
  std::vector<Run> runs;
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const auto& what =
        *std::ranges::find(kCollectives, paper.text(i, "operation"), &Collectives::paper);
    rows.push_back(fastest(what, net, static_cast<std::uint64_t>(paper.number(i, "bytes"))));
    runs.push_back(rows.back().run);
  }
  const std::vector<Measured> measured = lab.measure(runs);

  Outcome result;
  result.table.columns = {"operation", "bytes",    "NX, s",   "iCC, s",    "ratio",
                          "hybrid",    "model, s", "ours, s", "NX to ours"};
  for (std::size_t i = 0; i < paper.size(); ++i) {
    const std::string& operation = paper.text(i, "operation");
    const auto& what = *std::ranges::find(kCollectives, operation, &Collectives::paper);
    const auto bytes = static_cast<std::uint64_t>(paper.number(i, "bytes"));
    const double ours = static_cast<double>(measured[i].last) * cycle_s();
    result.table.rows.push_back(
        {operation, length_text(bytes), paper.text(i, "nx"), paper.text(i, "icc"),
         paper.text(i, "ratio"), hybrid_name(what.collective, rows[i].hybrid),
         fmt::format("{:.4f}", rows[i].model_s), fmt::format("{:.4f}", ours),
         fmt::format("{:.2f}", paper.number(i, "nx") / ours)});
    if (i == 0 || i == 2) continue;  // what the parameters are from
    const OnHardware by({measured[i]});
    const std::string row = fmt::format("{}, {}", operation, length_text(bytes));
    Reason why = fact(
        fmt::format("The model of Section 2 gives {:.4f} s for this hybrid.", rows[i].model_s));
    if (what.operation == Operation::kAllReduce) {
      why = why + fact(
                      "iCC's processors add the numbers. Annelid's NIC combines messages as they "
                      "come.");
    } else if (bytes == 8) {
      why = why + fact(
                      "A process's block has at least 8 bytes, so Annelid collects 4 KiB, not 8 "
                      "bytes.");
    } else {
      why = why + hypothesis("iCC's times contain its software, of which the model knows nothing.");
    }
    result.claims.push_back(number("time of iCC for " + row, paper.printed(i, "{icc} s"), ours, by,
                                   kApproximately, why));
    if (bytes == 8 && what.operation == Operation::kAllGather) continue;  // another length
    result.claims.push_back(number("ratio of simulation to model, " + row,
                                   Formula{"Section 2, with the contention of each step", 1, 2},
                                   ours / rows[i].model_s, by, kApproximately,
                                   other_than_the_model(measured[i], ours / rows[i].model_s)));
  }
  result.notes.push_back(
      machine_text() +
      " These two rows cannot test anything. The routers are one-port with four virtual channels, "
      "on a mesh of 16 x 32. The hybrid of each row is the fastest by the model of Section 2 with "
      "the contention of each step, of all that a call can name and whose dimensions lie within "
      "rows and columns; collects have far dimensions first. NX's algorithms are not described, so "
      "we quote its times.");
  return result;
}

Outcome intercom_figure_4(Laboratory& lab) {
  struct Panel {
    const Collectives& what;
    Network net;
    std::string title;
    std::vector<std::uint64_t> lengths;  ///< of the whole vector, bytes
  };
  const std::vector<Panel> panels = {
      {kCollectives[1], {32, 16}, "Collect on 16 x 32", {4096, 32768, 262144, 1048576}},
      {kCollectives[0], {30, 15}, "Broadcast on 15 x 30", {8, 1024, 16384, 131072, 1048576}}};
  struct Row {
    const Panel* panel;
    std::uint64_t bytes;
    std::string curve;
    Candidate candidate;
  };
  std::vector<Row> rows;
  std::vector<Run> runs;
  for (const Panel& panel : panels) {
    const Hybrid tree{{{panel.net.nodes()}, intercom::Nearness::kNearFirst}, Template::kShort};
    const Hybrid buckets{{{panel.net.y, panel.net.x}, intercom::Nearness::kFarFirst},
                         Template::kLong};
    for (const std::uint64_t bytes : panel.lengths) {
      rows.push_back({&panel, bytes, "short", candidates(panel.what, panel.net, bytes, {tree})[0]});
      rows.push_back(
          {&panel, bytes, "long", candidates(panel.what, panel.net, bytes, {buckets})[0]});
      rows.push_back({&panel, bytes, "hybrid", fastest(panel.what, panel.net, bytes)});
    }
  }
  runs.reserve(rows.size());
  for (const Row& row : rows) runs.push_back(row.candidate.run);
  const std::vector<Measured> measured = lab.measure(runs);

  Outcome result;
  result.table.columns = {"mesh", "bytes", "curve", "hybrid", "model, s", "simulated, s"};
  for (const Panel& panel : panels) {
    Plot plot{panel.title, "bytes", "s", {}, true, true};
    double worst = 0;
    const Row* decisive = nullptr;
    std::size_t decisive_run = 0;
    std::size_t times_slower = 0;
    std::vector<Measured> slower;
    for (const char* name : {"short", "long", "hybrid"}) {
      Curve curve{name, {}};
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        if (row.panel != &panel || row.curve != name) continue;
        const double ours = static_cast<double>(measured[i].last) * cycle_s();
        curve.points.emplace_back(static_cast<double>(row.bytes), ours);
        const double deviation = ours / row.candidate.model_s - 1;
        if (decisive == nullptr || std::abs(deviation) > std::abs(worst)) {
          worst = deviation;
          decisive = &row;
          decisive_run = i;
        }
      }
      plot.curves.push_back(curve);
    }
    for (std::size_t i = 0; i < rows.size(); i += 3) {
      if (rows[i].panel != &panel) continue;
      // Rows stand in threes: short, long, hybrid.
      const std::uint64_t extreme = std::min(measured[i].last, measured[i + 1].last);
      if (measured[i + 2].last <= extreme) continue;
      ++times_slower;
      slower = {measured[i + 2], measured[measured[i].last == extreme ? i : i + 1]};
    }
    result.plots.push_back(plot);
    result.claims.push_back(
        number("ratio of simulation to model, " + panel.title + ", where they differ most",
               Formula{"Section 2, with the contention of each step", 1, 2}, 1 + worst,
               OnHardware({measured[decisive_run]}), kApproximately,
               other_than_the_model(
                   measured[decisive_run], 1 + worst,
                   fmt::format("This is {}, {}.",
                               hybrid_name(panel.what.collective, decisive->candidate.hybrid),
                               length_text(decisive->bytes)))));
    result.claims.push_back(words(
        "the fastest hybrid by the model is never slower than the short and the long algorithm, " +
            panel.title,
        Formula{"the choice of Section 6", 0, 0, "lengths"}, times_slower == 0,
        fmt::format("slower at {} of {} lengths", times_slower, panel.lengths.size()),
        OnHardware(slower.empty() ? std::vector{measured[decisive_run]} : slower)));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    result.table.rows.push_back(
        {fmt::format("{}x{}", row.panel->net.y, row.panel->net.x), length_text(row.bytes),
         row.curve, hybrid_name(row.panel->what.collective, row.candidate.hybrid),
         fmt::format("{:.5f}", row.candidate.model_s),
         fmt::format("{:.5f}", static_cast<double>(measured[i].last) * cycle_s())});
  }
  result.notes.push_back(
      "The paper's curves are lost. " + machine_text() +
      " The short algorithm is one tree, or two, through all nodes. The long algorithm has buckets "
      "in columns and rows, far dimensions first. The hybrid of each length is the fastest by the "
      "model of Section 2 "
      "with the contention of each step. The routers are one-port, with four virtual channels.");
  return result;
}

}  // namespace annelid::reproduction
