// The collectives that a program names by NIC_USES. The build makes a source with an array for each
// pair of operation and algorithm, from firmware/collectives/table.inc (uses.cmake).
#pragma once

#include "firmware/collectives/collective.hpp"
#include "firmware/collectives/trees/tree_players.hpp"

namespace annelid::firmware::kit {

/// An entry of the section .nic_uses, in which the linker collects those that are named.
struct Use {
  reg::Operation operation;
  reg::Algorithm algorithm;
  /// A collective; or nullptr, and then `play` plays the tree of `rule`.
  CallResult (*check)(const Context& me);
  Task (*run)(Context& me);
  const TreePlayer* player;
  const TreeRule* rule;
};

constexpr TreePlayer player_of(reg::Operation operation) {
  for (const TreePlayer& player : kTreePlayers) {
    if (player.operation == operation) return player;
  }
  stop("no tree serves the operation");  // which is an error of the compilation
}
/// One object for each operation, so that a program consists of those that it uses.
template <reg::Operation operation>
inline constexpr TreePlayer kPlayer = player_of(operation);

}  // namespace annelid::firmware::kit
