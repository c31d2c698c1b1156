// The functions that compute the items. item.cpp lists the items with their titles.
#pragma once

#include "studies/reproduce/laboratory.hpp"
#include "studies/reproduce/outcome.hpp"

namespace annelid::reproduction {

// Tsai 1997: operations (items_operations.cpp), switching (items_switching.cpp), steps
// (items_mesh_steps.cpp, items_step_figures.cpp).
Outcome table_2_1(Laboratory& lab);
Outcome switching(Laboratory& lab);
Outcome table_3_1(Laboratory& lab);
Outcome table_3_2(Laboratory& lab);
Outcome table_3_3(Laboratory& lab);
Outcome table_3_4(Laboratory& lab);
Outcome table_3_5(Laboratory& lab);
Outcome table_3_6(Laboratory& lab);
Outcome table_3_7(Laboratory& lab);
Outcome figure_3_13(Laboratory& lab);
Outcome figure_3_24(Laboratory& lab);
Outcome section_3_7(Laboratory& lab);
Outcome figure_4_13(Laboratory& lab);

// Latencies (items_mesh_latency.cpp, items_3d_latency.cpp, items_transposition.cpp,
// items_torus_latency.cpp).
Outcome figure_3_14(Laboratory& lab);
Outcome figure_3_15(Laboratory& lab);
Outcome figure_3_16(Laboratory& lab);
Outcome figure_3_17(Laboratory& lab);
Outcome path_length(Laboratory& lab);
Outcome figure_3_25(Laboratory& lab);
Outcome figure_3_29(Laboratory& lab);
Outcome figure_4_14(Laboratory& lab);
Outcome figure_4_15(Laboratory& lab);
Outcome figure_4_16(Laboratory& lab);

// The tau-model (items_tau_tables.cpp, items_tau_algorithms.cpp, items_tau_figures.cpp).
Outcome table_5_1(Laboratory& lab);
Outcome table_5_2(Laboratory& lab);
Outcome table_5_3(Laboratory& lab);
Outcome table_5_4(Laboratory& lab);
Outcome table_5_5(Laboratory& lab);
Outcome table_5_6(Laboratory& lab);
Outcome table_5_7(Laboratory& lab);
Outcome figure_5_8(Laboratory& lab);
Outcome figure_5_9(Laboratory& lab);
Outcome figure_5_10(Laboratory& lab);
Outcome figure_5_11(Laboratory& lab);
Outcome figure_5_12(Laboratory& lab);
Outcome figure_5_13(Laboratory& lab);
Outcome figure_5_14(Laboratory& lab);
Outcome all_to_all(Laboratory& lab);

// 2Tree (items_two_tree_trees.cpp, items_two_tree_broadcast.cpp, items_two_tree_reduction.cpp).
Outcome two_tree_figure_1(Laboratory& lab);
Outcome two_tree_figure_5(Laboratory& lab);
Outcome two_tree_figure_6(Laboratory& lab);
Outcome two_tree_figure_7(Laboratory& lab);
Outcome two_tree_figure_8(Laboratory& lab);
Outcome two_tree_figure_9(Laboratory& lab);
Outcome two_tree_simplex(Laboratory& lab);
Outcome two_tree_table_1(Laboratory& lab);
Outcome two_tree_table_a1(Laboratory& lab);

// InterCom (items_intercom_line.cpp, items_intercom_mesh.cpp) and CCL (items_operations.cpp).
Outcome intercom_figure_1(Laboratory& lab);
Outcome intercom_table_2(Laboratory& lab);
Outcome intercom_table_3(Laboratory& lab);
Outcome intercom_figure_2(Laboratory& lab);
Outcome intercom_figure_4(Laboratory& lab);
Outcome ccl_operations(Laboratory& lab);
/// Adds the rows about CCL's model of time (items_ccl_model.cpp).
void add_ccl_model(Laboratory& lab, Outcome& outcome);

}  // namespace annelid::reproduction
