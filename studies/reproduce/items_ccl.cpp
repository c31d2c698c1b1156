// The operations of CCL (Bala and others 1995, Sections 2 and 4): what they cost by its three
// measures, each against the paper's formula.
#include <fmt/format.h>

#include <cmath>

#include "studies/reproduce/claims.hpp"
#include "studies/reproduce/items.hpp"

namespace annelid::reproduction {
namespace {

using reference::Operation;

constexpr std::uint64_t kBytes = 64;  ///< m, or a block
constexpr long kM = kBytes;
/// The unit of the broadcasts in packets of one unit: the eight bytes that Annelid does not cut.
constexpr std::uint32_t kPackets = 8;
constexpr long kUnit = kM / kPackets;

/// What the paper says of an operation on n processes: steps, bytes in sequence, bytes in all.
struct Measures {
  std::optional<long> c1 = {}, c2 = {}, c3 = {};
};

struct Case {
  std::string operation;  ///< CCL's name
  Literal rule;           ///< the paper's
  Operation ours;
  std::string algorithm;
  std::uint32_t parameter = 0;
  int nodes = 16;
  Measures paper = {};
  std::string group = {};  ///< of `nodes` members, on the 4x4 mesh
};

/// n is 16 except where a formula is for every n. lg 16 is 4.
std::vector<Case> cases() {
  using enum Operation;
  const Literal binomial = "binomial tree: ceil(log n) (ts + m tc)";
  const Literal combine = "C1 = ceil(log n) + k, C3 = m (n / 2^k) (log n + 2^(k+1) - k - 2)";
  const Literal circulant = "circulant graph: ceil(log n) (ts + m tc)";
  const Literal prefix = "C1 = ceil(log n), or 2 ceil(log n) and C3 = O(m n)";
  const Literal tree = "C1 = ceil(log n), C3 ~ (m log n) / 2";
  const Literal star = "C1 = n - 1, C3 = m (n - 1) / n";
  const Literal concat = "C1 = ceil(log n), C2 = n - 1 blocks, C3 = n (n - 1) blocks";
  const Literal exchange = "recursive exchange, n = 2^d";
  const Literal pairing = "even positions send first; an odd cycle takes one more round";
  const Literal packets = "bound: ceil(log n) start-ups, C2 = m + ceil(log n) - 1";
  const Literal edst = "EDST, n = 2^d: C2 = m + log n - 1";
  const Literal trees = "C1 = 2 ceil(log n), C3 = O(m n)";
  const Literal doubling = "C1 = ceil(log n), C3 = O(m n log n)";
  const Literal direct = "C1 = n - 1, C2 = m (n - 1) / n";
  const Literal radix = "C1 ~ (r - 1) log_r n, C2 ~ m (r - 1) log_r n / r";
  std::vector<Case> all = {
      {"bcast", binomial, kBroadcast, "binomial", 0, 16, {4, 4 * kM, {}}},
      {"bcast", binomial, kBroadcast, "binomial", 0, 13, {4, 4 * kM, {}}},
      {"reduce", binomial, kReduce, "binomial", 0, 16, {4, 4 * kM, {}}},
      {"reduce", binomial, kReduce, "binomial", 0, 13, {4, 4 * kM, {}}},
  };
  // m units, in as many packets, take m - 1 steps more than one unit.
  for (const Operation operation : {kBroadcast, kReduce}) {
    const std::string name = operation == kBroadcast ? "bcast, m packets" : "reduce, m packets";
    const Measures both = {kPackets + 3, kM + 3 * kUnit, {}};
    all.push_back({name, edst, operation, "edst", kPackets, 16, {both.c1, both.c2, 15 * kM}});
    for (const int n : {16, 13}) {
      all.push_back({name, packets, operation, "circulant", kPackets, n, both});
    }
  }
  for (const int k : {0, 1, 2, 3, 4}) {
    const long c3 = kM * (16 >> k) * (4 + (2 << k) - k - 2);
    all.push_back({fmt::format("combine, k = {}", k),
                   combine,
                   kAllReduce,
                   "leaders",
                   static_cast<std::uint32_t>(k),
                   16,
                   {4 + k, {}, c3}});
  }
  const std::vector<Case> others = {
      {"combine", circulant, kAllReduce, "leaders", 0, 13, {4, 4 * kM, {}}},
      {"combine", trees, kAllReduce, "binomial", 0, 13, {8, {}, 2 * 12 * kM}},
      {"prefix", doubling, kScan, "simultaneous-binomial", 0, 13, {4, {}, {}}},
      {"prefix", prefix, kScan, "leaders", 0, 13, {4, {}, {}}},
      {"prefix, k = 2", prefix, kScan, "leaders", 2, 16, {6, {}, {}}},
      {"scatter, r = 2", tree, kScatter, "radix", 2, 16, {4, {}, 16 * kM * 4 / 2}},
      {"scatter, r = n", star, kScatter, "radix", 16, 16, {15, {}, 15 * kM}},
      {"gather, r = 2", tree, kGather, "radix", 2, 16, {4, {}, 16 * kM * 4 / 2}},
      {"gather, r = n", star, kGather, "radix", 16, 16, {15, {}, 15 * kM}},
      {"concat", concat, kAllGather, "dissemination", 0, 16, {4, 15 * kM, 16 * 15 * kM}},
      {"concat", concat, kAllGather, "dissemination", 0, 13, {4, 12 * kM, 13 * 12 * kM}},
      {"concat", exchange, kAllGather, "exchange", 0, 16, {4, 15 * kM, 16 * 15 * kM}},
      {"concat in a group()",
       concat,
       kAllGather,
       "dissemination",
       0,
       4,
       {2, 3 * kM, 12 * kM},
       "row 0"},
      {"concat in a group()",
       exchange,
       kAllGather,
       "exchange",
       0,
       4,
       {2, 3 * kM, 12 * kM},
       "row 0"},
      {"index, direct", direct, kAllToAll, "direct", 0, 16, {15, 15 * kM, {}}},
      {"index, r = 2", radix, kAllToAll, "radix", 2, 16, {4, 16 * kM * 4 / 2, {}}},
      {"index, r = 4", radix, kAllToAll, "radix", 4, 16, {6, 16 * kM * 3 * 2 / 4, {}}},
      {"index, r = n", radix, kAllToAll, "radix", 16, 16, {15, 15 * kM, {}}},
      {"shift", "C1 = 1, by send-receive", kShift, "send-receive", 0, 16, {1, kM, 16 * kM}},
      {"shift", "C1 = 1, by send-receive", kShift, "send-receive", 0, 13, {1, kM, 13 * kM}},
      {"shift", pairing, kShift, "even-odd", 0, 16, {2, {}, 16 * kM}},
      {"shift", pairing, kShift, "even-odd", 0, 13, {3, {}, 13 * kM}},
      {"sync", "C1 = ceil(log n)", kBarrier, "dissemination", 0, 13, {4, {}, {}}},
      {"sync-in", "a fan-in tree: C1 = ceil(log n)", kSyncIn, "binomial", 0, 13, {4, {}, {}}},
      {"sync-out", "a fan-out tree: C1 = ceil(log n)", kSyncOut, "binomial", 0, 13, {4, {}, {}}},
      {"bcast in a group()", binomial, kBroadcast, "binomial", 0, 4, {2, 2 * kM, {}}, "row 0"},
      {"bcast in a partition()",
       binomial,
       kBroadcast,
       "binomial",
       0,
       4,
       {2, 2 * kM, {}},
       "row 0 by partition"},
      {"bcast in a form2dgrid()",
       binomial,
       kBroadcast,
       "binomial",
       0,
       4,
       {2, 2 * kM, {}},
       "row 0 by grid"},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// The bounds of two broadcasts that the paper names and does not describe, for any n.
void add_bounds(Outcome& result, const Case& c, const Measured& m) {
  const auto units = static_cast<double>(m.in_sequence) / kUnit;
  const double lg = std::log2(c.nodes);
  const auto claim = [&](std::string_view of, double bound) {
    result.claims.push_back(
        words(fmt::format("C2 of bcast by {}, n = {}, is at most that of {} = {:.1f}", c.algorithm,
                          c.nodes, of, bound),
              Formula{"Section 4.2", bound}, units <= bound, fmt::format("{} units", units),
              OnHardware({m})));
  };
  claim("cascaded hypercubes, m + ceil(lg n)", kPackets + std::ceil(lg));
  claim("generalised Fibonacci trees, m + lg n + 3 lg lg n + 15",
        kPackets + lg + 3 * std::log2(lg) + 15);
}

}  // namespace

Outcome ccl_operations(Laboratory& lab) {
  const std::vector<Case> all = cases();
  std::vector<Run> runs;
  for (const Case& c : all) {
    Run& run = runs.emplace_back();
    run.operation = c.ours;
    run.algorithm = c.algorithm;
    const bool on_mesh = c.nodes == 16 || !c.group.empty();
    run.network = on_mesh ? reference::Network{4, 4} : reference::Network{c.nodes, 1};
    run.bytes = run.moves_data() ? kBytes : 0;
    run.group = c.group;
    run.parameter = c.parameter;
  }
  const std::vector<Measured> measured = lab.measure(runs);
  Outcome result;
  result.table.columns = {"operation", "rule of the paper", "n", "Annelid", "C1", "C2", "C3"};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Case& c = all[i];
    const Measured& m = measured[i];
    result.table.rows.push_back({c.operation, std::string(c.rule.text), std::to_string(c.nodes),
                                 c.algorithm, std::to_string(m.steps),
                                 std::to_string(m.in_sequence), std::to_string(m.bytes)});
    const auto claim = [&](std::string_view measure, std::optional<long> paper,
                           std::uint64_t ours) {
      if (!paper) return;
      result.claims.push_back(
          count(fmt::format("{} of {} by {}, n = {}", measure, c.operation, c.algorithm, c.nodes),
                Formula{"Section 4", static_cast<double>(*paper)}, static_cast<long>(ours),
                OnHardware({m})));
    };
    claim("C1", c.paper.c1, m.steps);
    claim("C2", c.paper.c2, m.in_sequence);
    claim("C3", c.paper.c3, m.bytes);
    if (c.algorithm == "circulant" && c.ours == Operation::kBroadcast) add_bounds(result, c, m);
  }
  add_ccl_model(lab, result);
  result.notes.emplace_back(fmt::format(
      "m is {0} bytes; for scatter, gather and index it is n blocks of {0} bytes. Each operation "
      "ran on the 4x4 mesh, or on a line of 13 nodes where the rule is for every n; those in "
      "groups in one row of the mesh, of which the firmware has made a group before. C1 is the "
      "number of steps, C2 the longest message of each step, summed, and C3 the bytes of all "
      "messages.",
      kBytes));
  result.notes.emplace_back(fmt::format(
      "Where there are m packets, a unit is {} bytes and m is {} units. The paper cites "
      "generalised "
      "Fibonacci trees and cascaded hypercubes without describing them. The circulant broadcast "
      "keeps their bounds of C2 for every n.",
      kUnit, kPackets));
  return result;
}

}  // namespace annelid::reproduction
