// What runs the firmware of a node: the modelled core, or the firmware built for the host.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "firmware/native.hpp"
#include "nic/core.hpp"

namespace annelid::nic {

/// What a processor reaches outside its RAM, in the cycle that the NIC steps it in.
class Bus {
 public:
  virtual ~Bus() = default;
  /// A load's value, anything for a store; no value: an access fault.
  virtual std::optional<std::uint32_t> access(const BusAccess& access) = 0;
  /// mip in the cycle that is being stepped. Once a bit is set, only an access clears it, and an
  /// access changes it from the next cycle on.
  [[nodiscard]] virtual std::uint32_t pending() const = 0;
  /// The first cycle in which mip's timer bit is 1 if nothing changes TIMER again, kNever if there
  /// is none; a cycle that has passed if the bit is set already. It takes account of the accesses
  /// of the cycle that is being stepped.
  [[nodiscard]] virtual Cycle timer() const = 0;
  /// The processor has stopped for good, by a trap without a handler.
  virtual void halted(const Trap& trap) = 0;
};

class Processor {
 public:
  virtual ~Processor() = default;
  /// What the processor does in cycle `now`. A call in a cycle that next() did not ask for does no
  /// harm.
  virtual void step(Cycle now) = 0;
  /// The next cycle after `now` in which step() must be called, if mip is `pending_next` in now + 1
  /// and the external interrupt is not raised before; or kNever.
  [[nodiscard]] virtual Cycle next(Cycle now, std::uint32_t pending_next) const = 0;
  /// "asleep at 0x00000124 in main"; for reports.
  [[nodiscard]] virtual std::string describe() const = 0;
  /// Executed so far; 0 where nothing counts them.
  [[nodiscard]] virtual std::uint64_t instructions() const { return 0; }
  /// The core, for traces and reports; nullptr if there is none.
  [[nodiscard]] virtual Core* core() { return nullptr; }
};

/// The RV32IM core. `image` and `bus` must outlive it. `run_ahead`: see NicConfig.
std::unique_ptr<Processor> make_core_processor(const Image& image, std::uint32_t hart, Bus& bus,
                                               Cycle run_ahead);

/// Firmware that takes no time: it runs in the first cycle and in every one in which mip is not 0.
std::unique_ptr<Processor> make_native_processor(std::unique_ptr<firmware::NativeFirmware> firmware,
                                                 Bus& bus);

}  // namespace annelid::nic
