// What the papers report and a simulation of networks cannot repeat, with the reasons.
#pragma once

#include <span>
#include <string_view>

namespace annelid::reproduction {

struct NotReproducible {
  std::string_view what;
  std::string_view source;  ///< the paper and its section
  std::string_view why;     ///< in whole sentences
};

/// In the order of the papers.
std::span<const NotReproducible> not_reproducible();

}  // namespace annelid::reproduction
