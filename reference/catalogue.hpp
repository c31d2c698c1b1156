// Every algorithm that the project has, by operation and name: what it runs on, and its schedule.
//
// Whoever adds an algorithm adds a line to catalogue.cpp, or to rank_algorithms.cpp if it knows
// ranks alone; `annelid schedule`, `annelid check` and `annelid run` find it there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "reference/data_flow.hpp"
#include "reference/embedding.hpp"
#include "reference/network.hpp"

namespace annelid::reference {

enum class Operation : std::uint8_t {
  kBroadcast,
  kReduce,
  kGather,
  kScatter,
  kAllGather,
  kAllReduce,
  kBarrier,
  kTranspose,
  kAllToAll,
  kScan,
  kExscan,
};
inline constexpr std::size_t kOperations = 11;

/// What a schedule is asked for.
struct Request {
  Network network;
  Node root;                ///< of operations that have one
  std::uint64_t bytes = 0;  ///< of a process's own block, or of the whole payload: operations.md of
                            ///< docs/internals/algorithms
  /// PARAMETER_1 of the call: what the algorithm leaves open (EDN: 0 the fastest startup, 1 the
  /// fixed one; Fibonacci tree: packets). Its meaning and default stand in
  /// docs/internals/algorithms.
  std::uint32_t parameter = 0;
  /// Of algorithms by rank: which nodes take part, by rank.
  Ranks ranks = {};
};

struct Algorithm {
  Operation operation;
  std::string_view name;   ///< as in scenarios and options: "edn", "recursive-doubling"
  std::uint8_t code;       ///< word ALGORITHM of the call (interface/registers.toml)
  std::string_view sizes;  ///< the networks it runs on, in words, for messages
  bool (*supports)(const Network&);
  /// Throws std::invalid_argument for a network that is not supported and a root outside of it.
  Schedule (*schedule)(const Request&);
  /// Whether all-port routers with a local port per external one are promised no stepwise
  /// contention on a supported network.
  bool (*contention_free)(const Network&);
  /// The algorithm knows ranks only: it takes Request::ranks (docs/internals/algorithms/groups.md).
  /// Its schedule throws std::invalid_argument also if the root is none of them.
  bool by_rank = false;
  /// The schedule with what its messages hold, by rank of Request::ranks; nullptr: not said.
  DataFlow (*data_flow)(const Request&) = nullptr;
  /// Whether a reduction or scan combines operands in the order of the ranks, so that the operator
  /// need not commute; nullptr: never.
  bool (*keeps_order)(const Request&) = nullptr;
};

/// All of them, an operation's together, its default first.
std::span<const Algorithm> algorithms();

/// nullptr if there is none.
const Algorithm* find_algorithm(Operation operation, std::string_view name);

/// "broadcast", "all-reduce".
std::string_view name_of(Operation operation);

}  // namespace annelid::reference
