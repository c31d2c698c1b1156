// A NIC with lists of descriptors, for tests of single cycles (docs/internals/nic/lists.md). A list
// that starts in cycle t begins its first fetch in t+1 and issues that descriptor in t+4.
#pragma once

#include <map>
#include <vector>

#include "testbench/nic/list_script.hpp"
#include "testbench/nic/node5.hpp"

namespace annelid::test {

inline constexpr std::uint16_t kHandle = 0x123;  // its place is 3
inline constexpr std::uint32_t kFailed = 1u << 29;

inline SendOrder to(Address node, std::uint16_t tag, std::uint32_t bytes = 8) {
  SendOrder order{node, 0x800, bytes, tag, 0};
  return order;
}
inline ReceiveOrder from(Address node, std::uint16_t tag, std::uint32_t offset = 0x1000) {
  return {node, offset, 64, tag, 0};
}

/// A NIC that knows lists from cycle 0 on, and that takes completions.
struct ListBench : LoneNic {
  explicit ListBench(const nic::NicConfig& config = small_config()) : LoneNic(config, 5) {}

  void know(std::uint16_t handle, const List& list) {
    list.store(nic.memory(), list_offset(handle));
    script->at(0, [=](Registers& r) { set_list(r, handle, list_offset(handle), list.counts()); });
  }
  void go_at(Cycle cycle, std::uint16_t handle) {
    script->at(cycle, [=](Registers& r) { r.write(reg::kListGo, handle); });
  }
  /// A list that the core starts in cycle 10.
  void play(const List& list, std::uint16_t handle = kHandle) {
    know(handle, list);
    go_at(10, handle);
  }
  /// Takes completions as soon as they can be seen.
  void take() {
    script->on_event([this](Registers& r) {
      while (const std::uint32_t word = r.read(reg::kCompletion)) {
        taken[r.read(reg::kCycle)].push_back(word);
      }
    });
  }
  /// What a register reads in these cycles.
  void watch(std::uint32_t offset, const std::vector<Cycle>& cycles) {
    for (const Cycle cycle : cycles) {
      script->at(cycle, [=, this](Registers& r) { seen.push_back(r.read(offset)); });
    }
  }

  std::map<Cycle, std::vector<std::uint32_t>> taken;
  std::vector<std::uint32_t> seen;
};
using Seen = std::vector<std::uint32_t>;
using TakenAt = std::map<Cycle, std::vector<std::uint32_t>>;

}  // namespace annelid::test
