// A collective operation on all nodes of a network, as the host requests it from the firmware and
// from the reference.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interface/registers.hpp"
#include "nic/nic_config.hpp"
#include "reference/catalogue.hpp"
#include "reference/operations.hpp"
#include "reference/schedule/arithmetic.hpp"
#include "systemc/network/config.hpp"

namespace annelid::simulation {

/// What the host knows about a collective that the user has written. The reference does not know
/// this collective.
struct OwnCollective {
  std::string name;                            ///< in the firmware's table
  std::uint32_t operation = 0, algorithm = 0;  ///< words of the call
  bool by_rule = false;  ///< memory must end as after the reference's operation
  bool rooted = false, typed = false, combines = false;  ///< the call has a root, type, operator
  std::uint64_t target = 0;  ///< without a rule: bytes of TARGET at every node
  std::uint64_t scratch = 0;
  std::filesystem::path file;       ///< without a rule: the source of `expected`
  std::vector<std::byte> expected;  ///< TARGET of every node, or one for all
};

/// A word of the call that one process gets, in place of that of the others.
struct DifferingWord {
  reference::Node node;
  reg::CallWord word = reg::CallWord::kRoot;
  std::uint32_t value = 0;
  std::string text;  ///< as a user gives it: "3,1 root 2"
};

/// The longest list of a prepared call, in bytes: as many receives and as many sends as a list can
/// have (docs/internals/nic/lists.md).
inline constexpr std::uint64_t kLongestList =
    std::uint64_t{2} * reg::kMaxListTransfers * reg::kListDescriptorBytes;

struct Collective {
  const reference::Algorithm* algorithm = nullptr;  ///< of the catalogue; names the operation
  bool by_auto = false;  ///< the call says AUTO; `algorithm` is its choice
  reference::Network network;
  reference::Node root;  ///< (0,0,0) if the operation has none
  std::uint64_t bytes =
      0;  ///< of a block (docs/internals/algorithms/operations.md, "Operations"), up to 16 MiB
  reference::Operator op = reference::Operator::kSum;  ///< of reductions, like `type`
  reference::ElementType type = reference::ElementType::kInt32;
  std::uint32_t parameter = 0;    ///< PARAMETER_1: what the algorithm leaves open; a shift's steps
  std::uint32_t parameter_0 = 0;  ///< PARAMETER_0: further radices (radix_keys.hpp); a shift's ends
  reference::Ranks ranks;   ///< who takes part, of algorithms by rank: PARAMETER_2, or a group
  std::string group = {};   ///< the name of the listed group in `ranks`; empty: none
  std::uint32_t place = 0;  ///< GROUP: the group's place at its members; 0: ALL
  reference::HybridChoice hybrid;  ///< PARAMETER_1 and FLAGS of InterCom
  bool hybrid_open = false;   ///< the call names no hybrid; `hybrid` is what its processes choose
  bool hybrid_tuned = false;  ///< a tuning's table says what they choose; else the rule does
  /// Blocks of different lengths: reference::Request::lengths. Empty: all have `bytes`, which
  /// otherwise is an equal share, rounded up.
  std::vector<std::uint64_t> lengths = {};
  std::string counts = {};  ///< the lengths as a user gives them: "random:0..64"
  bool by_core = false;     ///< PARAMETER_0: the core plays a broadcast, not the NIC's triggers
  std::uint64_t seed = 1;   ///< of random contents, and of the skew
  Cycle skew = 0;           ///< every process is called in a random cycle of 0..skew
  bool in_barrier_mode = false, in_develop_mode = false;  ///< FLAGS: CCL's modes
  std::optional<DifferingWord> differs = {};              ///< in develop mode alone
  bool prepared = false;  ///< PREPARE once, then START: docs/internals/nic/calls.md
  std::uint64_t plan_bytes = kLongestList;  ///< room of its list at each node

  /// For a user's own collective: its name, its words of the call, its result. `algorithm` then
  /// gives only the buffers of each process, and the result of a rule.
  std::shared_ptr<const OwnCollective> own = {};

  [[nodiscard]] reference::Operation operation() const { return algorithm->operation; }
  /// "edn", "auto (edn)".
  [[nodiscard]] std::string algorithm_name() const;
  [[nodiscard]] bool has_root() const;
  /// Whether the host calls this node: every node, or each member of a listed group.
  [[nodiscard]] bool calls(const reference::Node& node) const;
  /// Reductions, scans and reduce-scatter.
  [[nodiscard]] bool reduces() const;
  [[nodiscard]] reference::Request request() const {
    return {network, root, bytes, parameter, ranks, hybrid, lengths, parameter_0};
  }
  [[nodiscard]] reference::Schedule schedule() const { return algorithm->schedule(request()); }
  /// Without contents.
  [[nodiscard]] reference::Inputs inputs() const;
  /// Return the bytes of SOURCE before the call, and the bytes of TARGET that are written, at a
  /// process.
  [[nodiscard]] std::uint64_t source_bytes(const reference::Node& node) const;
  [[nodiscard]] std::uint64_t target_bytes(const reference::Node& node) const;
};

/// The bytes of SOURCE and TARGET at many nodes of a call, which must outlive it.
class BufferBytes {
 public:
  explicit BufferBytes(const Collective& collective)
      : collective_(collective), inputs_(collective.inputs()) {}

  [[nodiscard]] std::uint64_t source(const reference::Node& node) const;
  [[nodiscard]] std::uint64_t target(const reference::Node& node) const;
  [[nodiscard]] bool takes_part(const reference::Node& node) const {
    return reference::takes_part(inputs_, node);
  }

 private:
  const Collective& collective_;
  const reference::Inputs inputs_;
};

[[nodiscard]] reference::Network reference_network(const systemc::NetworkConfig& network);
[[nodiscard]] reference::Node reference_node(Address address);
[[nodiscard]] Address node_address(const reference::Node& node);

/// Its code in the call.
[[nodiscard]] reg::Operation operation_code(reference::Operation operation);

/// Broadcast, reduce, gather, scatter, sync-in, sync-out.
[[nodiscard]] bool has_root(reference::Operation operation);
/// Reductions, scans and reduce-scatter.
[[nodiscard]] bool reduces(reference::Operation operation);
/// All but those that synchronize alone.
[[nodiscard]] bool has_data(reference::Operation operation);

/// "edn broadcast from node 2,0 of an 8x8 mesh".
[[nodiscard]] std::string describe(const Collective& collective,
                                   const systemc::NetworkConfig& network);

/// "(3,1)", "(3,1,0)": a node of the reference, in messages.
[[nodiscard]] std::string place_text(const systemc::NetworkConfig& network,
                                     const reference::Node& node);

}  // namespace annelid::simulation
