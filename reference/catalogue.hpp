// Every algorithm of the project, by operation and name: the networks on which it runs, and its
// schedule.
//
// To add an algorithm, add a line to catalogue.cpp, or to rank_algorithms.cpp if the algorithm
// knows ranks and no dimensions. `annelid schedule`, `annelid check` and `annelid run` find it
// there.
//
// Blocks of different lengths: Request::lengths and Inputs::lengths hold the bytes of each rank's
// block (all-to-all: of each pair of ranks). They are empty for equal blocks.
// Algorithm::takes_lengths says which algorithms can have them. intercom/choice.hpp has the hybrid
// that the processes then choose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reference/schedule/arithmetic.hpp"
#include "reference/schedule/data_flow.hpp"
#include "reference/schedule/network.hpp"
#include "reference/schedule/request.hpp"

namespace annelid::reference {

struct Inputs;  // operations.hpp

struct Algorithm {
  Operation operation;
  std::string_view name;   ///< as in scenarios and options: "edn", "recursive-doubling"
  std::uint8_t code;       ///< word ALGORITHM of the call (interface/registers.toml)
  std::string_view sizes;  ///< the networks on which it runs, in words, for messages
  bool (*supports)(const Network&);
  /// Throws std::invalid_argument if the network is not supported or the root is outside of it.
  Schedule (*schedule)(const Request&);
  /// Whether the algorithm promises no stepwise contention on this supported network, for all-port
  /// routers with one local port for each external port.
  bool (*contention_free)(const Network&);
  /// Whether the algorithm knows ranks and no dimensions. It then uses Request::ranks
  /// (docs/internals/algorithms/groups.md). Its schedule also throws std::invalid_argument if the
  /// root has no rank.
  bool by_rank = false;
  /// The schedule with the contents of its messages, by rank of Request::ranks; nullptr if there is
  /// none.
  DataFlow (*data_flow)(const Request&) = nullptr;
  /// Whether a reduction or scan combines operands in the order of the ranks, so that the operator
  /// need not commute; nullptr: never.
  bool (*keeps_order)(const Request&) = nullptr;
  /// Returns what each process has at the end of an operation that combines, by node number; empty
  /// where it has nothing. nullptr: the result follows from `data_flow` or from the schedule.
  /// Throws std::invalid_argument if the operator needs an order that is not kept.
  std::vector<std::vector<std::byte>> (*results)(const Inputs&, const Request&, Operator,
                                                 ElementType) = nullptr;
  /// Whether a request may have lengths: collect-and-exchange.md and intercom.md, "Blocks of
  /// different lengths".
  bool takes_lengths = false;
  /// Whether the algorithm uses Request::ranks if they are listed, though it is not by rank: its
  /// ranks are the node numbers, or those of the list.
  bool by_list = false;
  /// Whether it runs with a number of processes; nullptr: with every number. If it does not, its
  /// schedule throws std::invalid_argument.
  bool (*takes_ranks)(int ranks) = nullptr;

  /// Whether a listed group can make the call.
  [[nodiscard]] bool serves_groups() const { return by_rank || by_list; }
  /// Whether a call of ALL can be made in this network; by rank, of some of its nodes.
  [[nodiscard]] bool serves(const Network& network) const {
    return supports(network) && (by_rank || takes_ranks == nullptr || takes_ranks(network.nodes()));
  }
};

/// Returns all algorithms. Those of one operation are adjacent, with the default first.
std::span<const Algorithm> algorithms();

/// nullptr if there is none.
const Algorithm* find_algorithm(Operation operation, std::string_view name);

}  // namespace annelid::reference
