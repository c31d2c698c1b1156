// The NIC's processor: RV32IM, in order, with the cycle costs of docs/nic.md, section 2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "nic/decode.hpp"
#include "systemc/types.hpp"

namespace annelid {

/// A program in the core's RAM, and the names of its functions.
struct Image {
  struct Function {
    std::uint32_t address = 0, bytes = 0;
    std::string name;
  };
  std::vector<std::byte> ram;       ///< from address 0; at most kRamBytes
  std::vector<Function> functions;  ///< by address
  /// The function that holds `pc`, demangled, "?" if none does.
  [[nodiscard]] std::string function_at(std::uint32_t pc) const;
};

/// Reads an RV32 ELF executable. Throws std::runtime_error that names what was found and expected.
Image load_elf(const std::vector<std::byte>& file);

inline constexpr std::uint32_t kRamBytes = 128 * 1024;

/// A load or store outside RAM. It happens in cycle Core::time().
struct BusAccess {
  std::uint32_t address = 0;
  std::uint8_t bytes = 0;  ///< 1, 2, 4
  bool store = false;
  std::uint32_t value = 0;  ///< of a store
};

/// The architectural trap that stopped the core; mcause values of the privileged specification.
struct Trap {
  std::uint32_t pc = 0, cause = 0, value = 0;
};

class Core {
 public:
  enum class State : std::uint8_t { kRunning, kBus, kAsleep, kTrapped };

  /// `hart` is the value of mhartid. Starts at address 0 in cycle 0 with all registers 0.
  Core(const Image& image, std::uint32_t hart);

  /// Runs from time() on, until the core needs the bus, sleeps or traps, or until time() >= limit.
  /// `event` is the level of the event line for WFI while this call lasts.
  State run(Cycle limit, bool event);

  [[nodiscard]] State state() const { return state_; }
  /// The cycle in which the next instruction starts; in kBus, the cycle of the access.
  [[nodiscard]] Cycle time() const { return time_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  [[nodiscard]] std::uint32_t pc() const { return pc_; }
  [[nodiscard]] std::uint32_t reg(int i) const { return x_[static_cast<std::size_t>(i)]; }

  /// In kBus: what the core asks for; then finish() with the loaded value (any for a store), which
  /// completes the instruction, or fault(), which traps.
  [[nodiscard]] const BusAccess& access() const { return access_; }
  void finish(std::uint32_t value);
  void fault();
  /// In kAsleep: the next instruction starts in cycle `at`.
  void wake(Cycle at);
  [[nodiscard]] const Trap& trap() const { return trap_; }

 private:
  [[nodiscard]] rv32::Instruction fetch(std::uint32_t pc) const;
  [[nodiscard]] std::uint32_t load(std::uint32_t address, int bytes) const;
  void store(std::uint32_t address, int bytes, std::uint32_t value);
  [[nodiscard]] std::uint32_t csr(std::uint32_t number) const;
  void trap(std::uint32_t cause, std::uint32_t value);

  struct Free {
    void operator()(std::byte* p) const { std::free(p); }
  };
  State state_ = State::kRunning;
  Cycle time_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint32_t pc_ = 0, hart_;
  std::array<std::uint32_t, 32> x_{};
  rv32::Instruction at_bus_;  // the load or store that waits in kBus
  BusAccess access_;
  Trap trap_;
  std::unique_ptr<std::byte[], Free> ram_;  // from calloc: only touched pages take memory
  std::vector<rv32::Instruction> code_;     // decoded words of the image; stores keep them true
};

}  // namespace annelid
