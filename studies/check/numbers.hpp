// Which numbers of ranks `annelid check --ranks` goes through, and on which networks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "simulation/scenario/settings.hpp"
#include "systemc/network/config.hpp"

namespace annelid::studies {

/// A network, and the numbers of ranks that are checked on it, ascending.
struct RankNumbers {
  systemc::NetworkConfig network;
  std::vector<int> numbers;
};

/// "130" or "1:130": that number, or all from the first to the second; of those `samples` ones,
/// drawn by the seed, if it is not 0. Ascending. Throws InputError that names --ranks or --samples.
[[nodiscard]] std::vector<int> rank_numbers(const std::string& text, int samples,
                                            std::uint64_t seed);

/// The numbers with their networks. Those of --size have all numbers; else numbers up to the same
/// power of two share a network that is about square and has room for them, and is ideal unless
/// --topology says otherwise. Throws InputError.
[[nodiscard]] std::vector<RankNumbers> networks_for(
    const std::vector<int>& numbers, const std::vector<simulation::Override>& network);

/// "1..4, 7".
[[nodiscard]] std::string numbers_text(const std::vector<int>& numbers);

}  // namespace annelid::studies
