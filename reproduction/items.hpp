// What each item does; item.cpp lists them with their titles.
#pragma once

#include "reproduction/laboratory.hpp"
#include "reproduction/outcome.hpp"

namespace annelid::reproduction {

// Tsai 1997, tables of steps and operations (items_mesh_steps.cpp).
Outcome table_3_1(Laboratory& lab);
Outcome table_3_2(Laboratory& lab);
Outcome table_3_3(Laboratory& lab);
Outcome table_3_4(Laboratory& lab);

// Latencies of broadcasts on 2D meshes (items_mesh_latency.cpp).
Outcome figure_3_14(Laboratory& lab);
Outcome figure_3_15(Laboratory& lab);
Outcome figure_3_16(Laboratory& lab);
Outcome figure_3_17(Laboratory& lab);

// Published T_s and T_n, and their tau-plots (items_tau_tables.cpp).
Outcome table_5_1(Laboratory& lab);
Outcome table_5_6(Laboratory& lab);
Outcome table_5_7(Laboratory& lab);

}  // namespace annelid::reproduction
