// The NIC as firmware that is built for the host accesses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace annelid::firmware {

/// The NIC as the firmware's driver accesses it. Offsets of registers are those of
/// docs/internals/nic/registers.md, and offsets of node memory count from its first byte. An
/// access that would fault the core ends the node's run; a read then returns 0.
class RegisterBus {
 public:
  virtual ~RegisterBus() = default;
  virtual std::uint32_t read(std::uint32_t offset) = 0;
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
  virtual void read_memory(std::uint32_t offset, std::span<std::byte> to) = 0;
  virtual void write_memory(std::uint32_t offset, std::span<const std::byte> from) = 0;
};

}  // namespace annelid::firmware
