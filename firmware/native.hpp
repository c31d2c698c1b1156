// The only interface between the NIC model and the firmware built for the host.
#pragma once

#include <memory>

#include "firmware/register_bus.hpp"

namespace annelid::firmware {

/// One node's firmware, with zero instruction cost.
class NativeFirmware {
 public:
  virtual ~NativeFirmware() = default;
  /// Runs until the firmware would sleep (WFI). Call it once at the start, and again after EVENT
  /// was raised.
  virtual void run() = 0;
  /// Whether it wants to run in the next cycle, whatever happens.
  [[nodiscard]] virtual bool goes_on() const { return false; }
  /// Whether it has ended for good.
  [[nodiscard]] virtual bool ended() const { return false; }
};

/// `bus` must outlive the result.
std::unique_ptr<NativeFirmware> make_native_firmware(RegisterBus& bus);

}  // namespace annelid::firmware
