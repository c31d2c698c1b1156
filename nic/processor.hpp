// Runs the firmware of a node: on the modelled core, or as firmware built for the host.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "firmware/native.hpp"
#include "nic/core.hpp"

namespace annelid::nic {

/// What a processor reaches outside its RAM, in the cycle in which the NIC steps it.
class Bus {
 public:
  virtual ~Bus() = default;
  /// Returns a load's value, or any value for a store. No value means an access fault.
  virtual std::optional<std::uint32_t> access(const BusAccess& access) = 0;
  /// They must not move.
  [[nodiscard]] virtual PrivateWords private_words() { return {}; }
  /// mip in the current cycle, to be asked before the cycle's first access. An access changes mip
  /// from the next cycle on. The end of a list may clear a bit: a call may then be the list unit's.
  [[nodiscard]] virtual std::uint32_t pending() const = 0;
  /// The first cycle in which mip's timer bit is 1 if TIMER does not change again. kNever if there
  /// is none; a past cycle if the bit is already set. It takes the accesses of the current cycle
  /// into account.
  [[nodiscard]] virtual Cycle timer() const = 0;
  /// The program writes text to descriptor 1 or 2.
  virtual void printed(int /*descriptor*/, const std::string& /*text*/) {}
  /// Called when the processor stops for good, at a trap without a handler.
  virtual void halted(const Trap& trap) = 0;
};

class Processor {
 public:
  virtual ~Processor() = default;
  /// Executes cycle `now`. A call in a cycle that next() did not ask for does no harm.
  virtual void step(Cycle now) = 0;
  /// The next cycle in which step() must be called, or kNever. If one of the bits `awaits` is set
  /// in mip in an earlier cycle, but not before `from`, step() must be called in that one.
  struct Next {
    Cycle at = kNever;
    std::uint32_t awaits = 0;
    Cycle from = 0;
  };
  /// What to do in the cycles after `now`.
  [[nodiscard]] virtual Next next(Cycle now) const = 0;
  /// The processor's state for reports, such as "asleep at 0x00000124 in main".
  [[nodiscard]] virtual std::string describe() const = 0;
  /// The number of instructions executed so far; 0 if nothing counts them.
  [[nodiscard]] virtual std::uint64_t instructions() const { return 0; }
  /// The core, for traces and reports; nullptr if there is none.
  [[nodiscard]] virtual Core* core() { return nullptr; }
};

/// Makes the RV32IM core. `image` and `bus` must outlive it. For `run_ahead` see NicConfig.
std::unique_ptr<Processor> make_core_processor(const Image& image, std::uint32_t hart, Bus& bus,
                                               Cycle run_ahead);

/// Makes a processor for firmware that takes no time. It runs in the first cycle, and in every
/// cycle in which mip is not 0.
std::unique_ptr<Processor> make_native_processor(std::unique_ptr<firmware::NativeFirmware> firmware,
                                                 Bus& bus);

}  // namespace annelid::nic
