// The numbers of ranks that `annelid check --ranks` checks, and their networks.
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

/// "130" or "1:130": returns that number, or all from the first to the second, in ascending order.
/// If `samples` is not 0, returns that many of them, drawn by the seed. Throws InputError, which
/// names --ranks or --samples, for any other text or number.
[[nodiscard]] std::vector<int> rank_numbers(const std::string& text, int samples,
                                            std::uint64_t seed);

/// Returns the numbers with their networks. With --size, one network serves all numbers. Otherwise
/// numbers up to the same power of two share a network that is about square and has room for them;
/// it is ideal unless --topology says otherwise. Throws InputError for bad options of the network.
[[nodiscard]] std::vector<RankNumbers> networks_for(
    const std::vector<int>& numbers, const std::vector<simulation::Override>& network);

/// "1..4, 7".
[[nodiscard]] std::string numbers_text(const std::vector<int>& numbers);

}  // namespace annelid::studies
