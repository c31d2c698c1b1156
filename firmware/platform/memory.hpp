// The firmware's own access to node memory (docs/internals/nic/core.md).
#pragma once

#include <cstdint>
#include <type_traits>

#include "interface/registers.hpp"
#if !defined(__riscv)
#include <span>

#include "firmware/register_bus.hpp"
#endif

namespace annelid::firmware {

/// Loads and stores at offsets from the first byte of node memory. A value of 4 bytes or fewer is
/// one access. An offset outside of node memory is a fault, which ends the run.
class Memory {
 public:
#if defined(__riscv)
  template <typename T>
  [[nodiscard]] T load(std::uint32_t offset) const {
    static_assert(std::is_arithmetic_v<T>);
    return *at<T>(offset);
  }
  template <typename T>
  void store(std::uint32_t offset, T value) const {
    static_assert(std::is_arithmetic_v<T>);
    *at<T>(offset) = value;
  }

 private:
  template <typename T>
  static auto* at(std::uint32_t offset) {
    typedef T Aliasing __attribute__((may_alias));
    return reinterpret_cast<Aliasing*>(reg::kMemoryBase + offset);
  }
#else
  Memory() = default;  // of no node: only for a group that has no list
  explicit Memory(RegisterBus& bus) : bus_(&bus) {}
  template <typename T>
  [[nodiscard]] T load(std::uint32_t offset) const {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    bus_->read_memory(offset, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  template <typename T>
  void store(std::uint32_t offset, T value) const {
    static_assert(std::is_arithmetic_v<T>);
    bus_->write_memory(offset, std::as_bytes(std::span(&value, 1)));
  }

 private:
  RegisterBus* bus_ = nullptr;
#endif
};

}  // namespace annelid::firmware
