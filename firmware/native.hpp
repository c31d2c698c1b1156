// The one door between the NIC model and the firmware built for the host.
#pragma once

#include <cstdint>
#include <memory>

namespace annelid::firmware {

/// The NIC's registers as the firmware's driver reaches them; `offset` as in docs/nic.md,
/// section 3.
class RegisterBus {
 public:
  virtual ~RegisterBus() = default;
  virtual std::uint32_t read(std::uint32_t offset) = 0;
  virtual void write(std::uint32_t offset, std::uint32_t value) = 0;
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
