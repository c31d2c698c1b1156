// A debugger's watchpoints: who accesses the watched addresses in a cycle. Nothing in the model
// knows of them. They look at the machine before a cycle and after it:
//
// * A load or store of the core is seen exactly, because the core stands before it.
// * What the NIC writes by itself is seen where it changes a byte of node memory, or the value of a
//   register. What the NIC reads by itself is not seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "nic/nic.hpp"

namespace annelid::simulation {

struct Watchpoint {
  enum class Kind : std::uint8_t { kStore, kLoad, kAccess } kind = Kind::kStore;
  std::uint32_t address = 0, bytes = 0;
  friend bool operator==(const Watchpoint&, const Watchpoint&) = default;
};

class Watchpoints {
 public:
  struct Hit {
    NodeId node = 0;
    Watchpoint watchpoint;
    std::uint32_t address = 0;  ///< the first watched byte that was accessed
  };

  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] std::uint32_t bytes() const;
  [[nodiscard]] bool contains(const Watchpoint& w) const;
  /// All together have this limit, because each cycle of each node takes as long as there are
  /// bytes.
  static constexpr std::uint32_t kMost = 32, kMostBytes = 4096;
  /// False, and nothing is added, if they would be too many.
  [[nodiscard]] bool add(const Watchpoint& w);
  void remove(const Watchpoint& w);

  /// To be called before each cycle, when a debugger has done what it does between cycles.
  void before_cycle(const std::vector<nic::Nic*>& nics);
  /// To be called behind that cycle, once: what was accessed in it, by node.
  [[nodiscard]] std::vector<Hit> after_cycle(const std::vector<nic::Nic*>& nics);
  /// What this access of the node's core hits, if anything.
  [[nodiscard]] std::optional<Hit> find(NodeId node, const nic::BusAccess& access) const;

 private:
  struct Before {
    std::optional<nic::BusAccess> access;  ///< which the core may do in the cycle
    std::uint64_t instructions = 0;
    std::vector<std::vector<std::byte>> contents;  ///< by watchpoint, if the NIC may change them
  };
  std::vector<Watchpoint> all_;
  std::vector<Before> before_;  ///< by node; empty if there were no watchpoints
};

}  // namespace annelid::simulation
