// A combine unit and the memory it works on, for its tests.
#pragma once

#include <cstdint>

#include "nic/combine_unit.hpp"

namespace annelid::nic {

inline constexpr std::uint64_t kMemory = 1 << 16;

inline CombiningReceive sum(std::uint64_t accumulator, std::uint64_t staging, std::uint32_t room,
                            reg::Type type = reg::Type::kInt64) {
  return {accumulator, accumulator, staging, room, reg::Operator::kSum, type, false};
}
/// target := operand op message
inline CombiningReceive sum_apart(std::uint64_t target, std::uint64_t operand,
                                  std::uint64_t staging, std::uint32_t room,
                                  reg::Type type = reg::Type::kInt64) {
  return {target, operand, staging, room, reg::Operator::kSum, type, false};
}

/// A unit whose messages the test writes to staging.
struct Bench {
  explicit Bench(unsigned lanes) : unit(memory, lanes) {}

  /// A flit of 8 bytes reaches staging in cycle `now`.
  void stage(Place place, std::uint64_t offset, std::uint64_t value, Cycle now) {
    memory.store(offset, value, 8);
    unit.stage(place, now);
  }
  PlaceSet step(Cycle now, unsigned budget = CombineUnit::kUnlimited) {
    return unit.step(now, budget).completed;
  }

  NodeMemory memory{kMemory};
  CombineUnit unit;
};

}  // namespace annelid::nic
