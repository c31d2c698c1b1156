// The tables and figures of the papers that `annelid reproduce` can reproduce, by name.
#pragma once

#include <span>
#include <string_view>

#include "studies/reproduce/laboratory.hpp"
#include "studies/reproduce/outcome.hpp"

namespace annelid::reproduction {

struct Item {
  std::string_view id;  ///< the name that a user writes: "fig3.15", "two-tree-fig5"
  std::string_view title;
  std::string_view source;  ///< the paper and its section
  int seconds;              ///< approximate seconds of simulation on two cores; 0: immediate
  Outcome (*reproduce)(Laboratory&);
};

/// Returns all items, in the order of the papers: Tsai, 2Tree, InterCom, CCL.
std::span<const Item> items();

/// Returns the item of this name, or nullptr if there is none.
const Item* find_item(std::string_view id);

}  // namespace annelid::reproduction
