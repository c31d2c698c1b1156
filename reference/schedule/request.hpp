// What an algorithm is asked for: the operation, and the call for which a schedule is made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "reference/schedule/embedding.hpp"
#include "reference/schedule/network.hpp"

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
  kReduceScatter,
  kShift,
  kSyncIn,
  kSyncOut,
};
inline constexpr std::size_t kOperations = 15;

/// "broadcast", "all-reduce".
std::string_view name_of(Operation operation);

/// What InterCom leaves open (docs/internals/algorithms/intercom.md, "Logical meshes").
struct HybridChoice {
  std::vector<int> sizes;  ///< d1, d2, ...; none: one dimension of all ranks
  bool is_long = false;    ///< the long template, S..S C..C; else the short one
  bool far_first = false;  ///< far dimensions first; else near dimensions

  friend bool operator==(const HybridChoice&, const HybridChoice&) = default;
};

/// The call for which a schedule is made.
struct Request {
  Network network;
  Node root;                ///< of operations that have one
  std::uint64_t bytes = 0;  ///< of a process's own block, or of the whole payload: operations.md of
                            ///< docs/internals/algorithms
  /// PARAMETER_1 of the call, whose meaning depends on the algorithm (EDN: 0 the fastest startup, 1
  /// the fixed one; Fibonacci tree: packets). docs/internals/algorithms has its meaning and
  /// default.
  std::uint32_t parameter = 0;
  /// For algorithms by rank: the nodes that take part, by rank.
  Ranks ranks = {};
  HybridChoice hybrid = {};  ///< of InterCom
  /// Blocks of different lengths, of algorithms with `takes_lengths`: the bytes of each rank's
  /// block, by rank. For all-to-all, N * N lengths: those of the blocks from rank 0 to each rank,
  /// then those from rank 1, and so on. `bytes` then counts for nothing. Empty: all blocks have
  /// `bytes`.
  std::vector<std::uint64_t> lengths = {};
  /// PARAMETER_0 of the call: of the all-to-all by `radix`, the radices of the places 2 and 3; of
  /// a shift, what is at the ends (shift.hpp).
  std::uint32_t parameter_0 = 0;
};

}  // namespace annelid::reference
