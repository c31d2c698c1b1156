// Stands in the place of the driver's registers.hpp in a firmware that lies: it says that a call is
// done when it posts its first message, and plays its part afterwards. The ticket waits in TIMER.
#pragma once

#include <cstdint>

#include "interface/registers.hpp"

namespace annelid::firmware {

class Registers {
 public:
  [[nodiscard]] std::uint32_t read(std::uint32_t offset) const {
    const std::uint32_t value = *at(offset);
    if (offset == reg::kCallTicket && value != 0) *at(reg::kTimer) = value;
    return value;
  }
  void write(std::uint32_t offset, std::uint32_t value) const {
    if (offset == reg::kCallDone) return;
    *at(offset) = value;
    if (offset != reg::kSendGo && offset != reg::kRecvGo) return;
    const std::uint32_t ticket = *at(reg::kTimer);
    if (ticket == kNone) return;
    *at(reg::kCallDone) = ticket << 16U;
    *at(reg::kTimer) = kNone;
  }
  static void memory_barrier() { asm volatile("" ::: "memory"); }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static volatile std::uint32_t* at(std::uint32_t offset) {
    return reinterpret_cast<volatile std::uint32_t*>(reg::kRegisterBase + offset);
  }
};

}  // namespace annelid::firmware
