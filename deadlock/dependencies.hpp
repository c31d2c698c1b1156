// Graphs whose vertices are the places of a network: what a packet may hold while it asks for
// something else. Without a cycle in the right graph, packets cannot deadlock.
// docs/internals/deadlock.md gives the theorems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "deadlock/network.hpp"
#include "deadlock/states.hpp"

namespace annelid::deadlock {

/// By place: the places that follow it, ascending, each once.
using Graph = std::vector<std::vector<std::uint32_t>>;

/// Dally and Seitz: some packet may hold a place and ask for the next.
[[nodiscard]] Graph dependencies(const Network& network, const States& states);

/// The graph of dependencies in which each ring with bubbles is one vertex (its first VC), and a
/// packet that goes on in its ring depends on nothing.
[[nodiscard]] Graph dependencies_between_rings(const Network& network, const Graph& graph);

/// Duato: some packet may hold an escape, has perhaps gone on by other VCs, and asks for an escape.
/// What is an escape to one packet need not be one to the next.
[[nodiscard]] Graph escape_dependencies(const Network& network, const States& states);

/// A state at which no escape is open to the packet, or States::count().
[[nodiscard]] StateId without_escape(const States& states);

[[nodiscard]] std::size_t edges(const Graph& graph);
/// A cycle: no place occurs twice, each leads to the next, and the last to the first. Empty if
/// there is none. Of the cycles through the one that a search finds first, it is a shortest.
[[nodiscard]] std::vector<std::uint32_t> cycle_of(const Graph& graph);

}  // namespace annelid::deadlock
