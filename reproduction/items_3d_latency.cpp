// Figure 3.25 of Tsai 1997 (Section 3.4.5): broadcast on 4 x 4 x 4 and 8 x 8 x 4 meshes with the
// channels of the T3D, start-up 1.5 us and 0.15 us.
#include <fmt/format.h>

#include <algorithm>

#include "reproduction/claims.hpp"
#include "reproduction/items.hpp"
#include "reproduction/latency_study.hpp"

namespace annelid::reproduction {
namespace {

/// Mean over the lengths of the figure of how much less EDN takes than RD. Of the step counts
/// (3.4.4, m = 0) comes what it would be without start-ups.
Claim gain(const LatencyCurve& edn, const LatencyCurve& rd, double paper, int k) {
  double mean = 0, least = 1, most = -1;
  for (std::size_t i = 0; i < edn.bytes.size(); ++i) {
    const double share = advantage(edn.largest_us[i], rd.largest_us[i]);
    mean += share / static_cast<double>(edn.bytes.size());
    least = std::min(least, share);
    most = std::max(most, share);
  }
  const double of_steps = advantage(k + 4, 2 * k + 6);
  const Machine& machine = edn.series.machine;
  Claim claim =
      share(fmt::format("EDN's advantage on {}, start-up {:g} us", to_string(edn.series.network),
                        machine.send_us + machine.receive_us),
            paper, mean, kPercentPoints,
            fmt::format("the figure is lost, and with it how the percentage was read; steps alone "
                        "({} against {}) give {:.0f} %, and ours is {:.0f} % at 2048 bytes",
                        k + 4, 2 * k + 6, 100 * of_steps,
                        100 * advantage(edn.largest_us.back(), rd.largest_us.back())));
  claim.ours += fmt::format(" ({:.0f} to {:.0f} %)", 100 * least, 100 * most);
  return claim;
}

}  // namespace

Outcome figure_3_25(Laboratory& lab) {
  Outcome result;
  const reference::Network small{4, 4, 4}, large{8, 8, 4};
  for (const auto& [start_up, small_gain, large_gain] :
       {std::tuple{1.5, 0.27, 0.30}, std::tuple{0.15, 0.32, 0.36}}) {
    const Machine machine = t3d(start_up);
    const auto curves = measure_latency(lab,
                                        {{"EDN 4x4x4", "edn", small, machine},
                                         {"RD 4x4x4", "recursive-doubling", small, machine},
                                         {"EDN 8x8x4", "edn", large, machine},
                                         {"RD 8x8x4", "recursive-doubling", large, machine}},
                                        mesh_lengths());
    Outcome half;
    add_latency(half, curves, fmt::format("start-up {:g} us", start_up));
    half.table.columns.insert(half.table.columns.begin(), "start-up, us");
    for (auto& row : half.table.rows) {
      row.insert(row.begin(), fmt::format("{:g}", start_up));
      result.table.rows.push_back(row);
    }
    result.table.columns = half.table.columns;
    result.plots.push_back(half.plots.front());
    result.claims.push_back(gain(curves[0], curves[1], small_gain, 0));
    result.claims.push_back(gain(curves[2], curves[3], large_gain, 1));
    result.notes.push_back(machine.conversion());
  }
  return result;
}

}  // namespace annelid::reproduction
