// The only interface between the NIC model and the firmware built for the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace annelid::firmware {

/// The NIC as the firmware's driver accesses it. Offsets of registers are those of
/// docs/internals/nic.md, section 3, and offsets of node memory count from its first byte. An
/// access that would fault the core ends the node's run; a read then returns 0.
class RegisterBus {
 public:
  virtual ~RegisterBus() = default;
  virtual std::uint32_t read(std::uint32_t offset) = 0;
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
  virtual void read_memory(std::uint32_t offset, std::span<std::byte> to) = 0;
  virtual void write_memory(std::uint32_t offset, std::span<const std::byte> from) = 0;
};

/// One node's firmware, with zero instruction cost.
class NativeFirmware {
 public:
  virtual ~NativeFirmware() = default;
  /// Runs until the firmware would sleep (WFI). Call it once at the start, and again after EVENT
  /// was raised.
  virtual void run() = 0;
};

/// `bus` must outlive the result.
std::unique_ptr<NativeFirmware> make_native_firmware(RegisterBus& bus);

}  // namespace annelid::firmware
