#include "studies/reproduce/item.hpp"

#include <algorithm>
#include <array>

#include "studies/reproduce/items.hpp"

namespace annelid::reproduction {
namespace {

constexpr auto kItems = std::to_array<Item>({
    {"table2.1", "The collective operations, with Figure 2.1", "Tsai 1997, 2.4", 1, table_2_1},
    {"switching", "Latency by store-and-forward and by wormhole switching", "Tsai 1997, 2.3", 1,
     switching},
    {"table3.1", "EDN steps for n = 4 x 2^k", "Tsai 1997, 3.3.3", 3, table_3_1},
    {"table3.2", "EDN steps for n = 5 x 2^k", "Tsai 1997, 3.3.3", 3, table_3_2},
    {"table3.3", "EDN steps for n = 6 x 2^k", "Tsai 1997, 3.3.3", 3, table_3_3},
    {"table3.4", "EDN steps for n = 7 x 2^k", "Tsai 1997, 3.3.3", 4, table_3_4},
    {"table3.5", "Theoretical EDN performance in 3D mesh networks", "Tsai 1997, 3.4.3", 4,
     table_3_5},
    {"table3.6", "EDN reduction steps for n = 4 x 2^k", "Tsai 1997, 3.5", 1, table_3_6},
    {"table3.7", "EDN reduction steps for n = 5 x 2^k", "Tsai 1997, 3.5", 2, table_3_7},
    {"fig3.13", "EDN steps with RD and lower bound, 2D mesh", "Tsai 1997, 3.3.3", 14, figure_3_13},
    {"fig3.14", "Broadcast on an 8x8 mesh, nCUBE-2", "Tsai 1997, 3.3.5", 6, figure_3_14},
    {"fig3.15", "Broadcast on a 32x32 mesh, nCUBE-2", "Tsai 1997, 3.3.5", 165, figure_3_15},
    {"fig3.16", "Broadcast on an 8x8 mesh, T3D", "Tsai 1997, 3.3.5", 10, figure_3_16},
    {"fig3.17", "Broadcast on a 32x32 mesh, T3D", "Tsai 1997, 3.3.5", 185, figure_3_17},
    {"path-length", "Mean path of a message on a 32x32 mesh", "Tsai 1997, 3.3.5", 45, path_length},
    {"fig3.24", "EDN steps with RD and lower bound, 3D mesh", "Tsai 1997, 3.4.3", 1, figure_3_24},
    {"section3.7", "EDN steps in 3D meshes of up to 60,000 nodes", "Tsai 1997, 3.7", 6,
     section_3_7},
    {"fig3.25", "EDN and RD broadcasts in 3D meshes", "Tsai 1997, 3.4.5", 130, figure_3_25},
    {"fig3.29", "EDN and direct transposition", "Tsai 1997, 3.6", 22, figure_3_29},
    {"fig4.13", "Broadcast steps in torus networks", "Tsai 1997, 4.4.1", 1, figure_4_13},
    {"fig4.14", "EDN and U-torus on a 4x4 torus", "Tsai 1997, 4.4.3", 4, figure_4_14},
    {"fig4.15", "EDN and U-torus on a 32x32 torus", "Tsai 1997, 4.4.3", 335, figure_4_15},
    {"fig4.16", "Analysis and simulation on a 32x32 torus", "Tsai 1997, 4.4.3", 1, figure_4_16},
    {"table5.1", "Point-to-point performance on various platforms, with Figure 5.4",
     "Tsai 1997, 5.2", 0, table_5_1},
    {"table5.2", "Analysis of the scatter-collect algorithm", "Tsai 1997, 5.3", 9, table_5_2},
    {"table5.3", "Performance of the broadcast algorithms, analysed and simulated",
     "Tsai 1997, 5.3", 23, table_5_3},
    {"table5.4", "Latency formulae for SC and FT", "Tsai 1997, 5.4.2", 0, table_5_4},
    {"table5.5", "Latency formulae for SC and EDN", "Tsai 1997, 5.4.3", 0, table_5_5},
    {"table5.6", "Performance of broadcast operation, with Figure 5.15", "Tsai 1997, 5.5.1", 0,
     table_5_6},
    {"table5.7", "Performance of all-to-all operation, with Figure 5.18", "Tsai 1997, 5.5.2", 0,
     table_5_7},
    {"fig5.8", "tau-plot, fixed beta and varying alpha", "Tsai 1997, 5.4.1", 0, figure_5_8},
    {"fig5.9", "tau-plot, fixed alpha and varying beta", "Tsai 1997, 5.4.1", 0, figure_5_9},
    {"fig5.10", "epsilon(5, k) and mu(5, k)", "Tsai 1997, 5.4.2", 0, figure_5_10},
    {"fig5.11", "Crossover lengths of SC and FT", "Tsai 1997, 5.4.2", 0, figure_5_11},
    {"fig5.12", "SC and FT for several k", "Tsai 1997, 5.4.2", 0, figure_5_12},
    {"fig5.13", "Crossover lengths of EDN and SC", "Tsai 1997, 5.4.3", 0, figure_5_13},
    {"fig5.14", "Crossover lengths of EDN and FT", "Tsai 1997, 5.4.4", 0, figure_5_14},
    {"all-to-all", "All-to-all by versions A and B", "Tsai 1997, 5.5.2", 5, all_to_all},
    {"two-tree-fig1", "Colourings for p = 6, 8, 10, 12", "2Tree 2009, 3", 0, two_tree_figure_1},
    {"two-tree-fig5", "Broadcast, 28 processes, Myrinet", "2Tree 2009, 6.1", 13, two_tree_figure_5},
    {"two-tree-fig6", "Broadcast, 150 processes, InfiniBand", "2Tree 2009, 6.1", 20,
     two_tree_figure_6},
    {"two-tree-fig7", "Reduction, 28 processes, Myrinet", "2Tree 2009, 6.2", 20, two_tree_figure_7},
    {"two-tree-fig8", "Reduction, 150 processes, InfiniBand", "2Tree 2009, 6.2", 26,
     two_tree_figure_8},
    {"two-tree-fig9", "Scan, 27 processes, Myrinet", "2Tree 2009, 6.3", 23, two_tree_figure_9},
    {"two-tree-simplex", "Broadcasts and scans of half-duplex processes", "2Tree 2009, 5.2", 5,
     two_tree_simplex},
    {"two-tree-table1", "Computation of a schedule", "2Tree 2009, 6.4", 1, two_tree_table_1},
    {"two-tree-tableA.1", "Case analysis for colouring", "2Tree 2009, A.2", 0, two_tree_table_a1},
    {"intercom-fig1", "A hybrid broadcast on 12 nodes, step by step", "InterCom 1994, 6", 1,
     intercom_figure_1},
    {"intercom-table2", "Hybrid broadcasts on a line of 30 nodes", "InterCom 1994, 6", 16,
     intercom_table_2},
    {"intercom-fig2", "Predicted performance of broadcast hybrids", "InterCom 1994, 6", 3,
     intercom_figure_2},
    {"intercom-table3", "Collectives on 512 nodes", "InterCom 1994, 7.2", 20, intercom_table_3},
    {"intercom-fig4", "Collects and broadcasts on two meshes", "InterCom 1994, 7.2", 25,
     intercom_figure_4},
    {"ccl", "CCL's operations", "CCL 1995, 4", 5, ccl_operations},
});

}  // namespace

std::span<const Item> items() { return kItems; }

const Item* find_item(std::string_view id) {
  const auto found = std::ranges::find(kItems, id, &Item::id);
  return found == kItems.end() ? nullptr : &*found;
}

}  // namespace annelid::reproduction
