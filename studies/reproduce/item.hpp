// The tables and figures of the papers that can be reproduced, by name.
#pragma once

#include <span>
#include <string_view>

#include "studies/reproduce/laboratory.hpp"
#include "studies/reproduce/outcome.hpp"

namespace annelid::reproduction {

struct Item {
  std::string_view id;  ///< as a user writes it: "fig3.15", "two-tree-fig5"
  std::string_view title;
  std::string_view source;  ///< the paper and its section
  int seconds;              ///< of simulation on two cores, roughly; 0: at once
  Outcome (*reproduce)(Laboratory&);
};

/// In the order of the papers: Tsai, 2Tree, InterCom, CCL.
std::span<const Item> items();

/// nullptr if there is none.
const Item* find_item(std::string_view id);

}  // namespace annelid::reproduction
