#include "reproduction/item.hpp"

#include <algorithm>
#include <array>

#include "reproduction/items.hpp"

namespace annelid::reproduction {
namespace {

constexpr auto kItems = std::to_array<Item>({
    {"table3.1", "EDN steps for n = 4 x 2^k", "Tsai 1997, 3.3.3", 4, table_3_1},
    {"table3.2", "EDN steps for n = 5 x 2^k", "Tsai 1997, 3.3.3", 4, table_3_2},
    {"table3.3", "EDN steps for n = 6 x 2^k", "Tsai 1997, 3.3.3", 4, table_3_3},
    {"table3.4", "EDN steps for n = 7 x 2^k", "Tsai 1997, 3.3.3", 4, table_3_4},
    {"fig3.14", "Broadcast on an 8x8 mesh, nCUBE-2", "Tsai 1997, 3.3.5", 2, figure_3_14},
    {"fig3.15", "Broadcast on a 32x32 mesh, nCUBE-2", "Tsai 1997, 3.3.5", 30, figure_3_15},
    {"fig3.16", "Broadcast on an 8x8 mesh, T3D", "Tsai 1997, 3.3.5", 2, figure_3_16},
    {"fig3.17", "Broadcast on a 32x32 mesh, T3D", "Tsai 1997, 3.3.5", 30, figure_3_17},
    {"table5.1", "Point-to-point performance on various platforms, with Figure 5.4",
     "Tsai 1997, 5.2", 0, table_5_1},
    {"table5.6", "Performance of broadcast operation, with Figure 5.15", "Tsai 1997, 5.5.1", 0,
     table_5_6},
    {"table5.7", "Performance of all-to-all operation, with Figure 5.18", "Tsai 1997, 5.5.2", 0,
     table_5_7},
});

}  // namespace

std::span<const Item> items() { return kItems; }

const Item* find_item(std::string_view id) {
  const auto found = std::ranges::find(kItems, id, &Item::id);
  return found == kItems.end() ? nullptr : &*found;
}

}  // namespace annelid::reproduction
