// The NIC's processor: RV32IM with machine mode, in order, with the cycle costs of
// docs/internals/nic/core.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nic/csr.hpp"
#include "nic/decode.hpp"
#include "nic/starting_ram.hpp"
#include "systemc/network/types.hpp"

namespace annelid::nic {

/// A program in the core's RAM, and the names of its functions.
struct Image {
  struct Function {
    std::uint32_t address = 0, bytes = 0;
    std::string name;  ///< demangled
  };
  std::vector<std::byte> ram;       ///< starts at address 0; at most kRamBytes
  std::uint32_t code_end = 0;       ///< behind it there are only data, as far as the file tells
  std::vector<Function> functions;  ///< sorted by address
  /// A collective that the program offers, and the values with which the host calls it
  /// (firmware/collectives/table.inc).
  struct Collective {
    std::uint32_t operation = 0;  ///< 0: a tree, which offers several operations
    std::uint32_t algorithm = 0;
    std::string name;
  };
  std::vector<Collective> collectives;
  /// The part of RAM that the stack must not reach, guard_begin <= address < guard_end: stores to
  /// it trap. The program's symbols stack_guard_begin and stack_guard_end set it.
  std::uint32_t guard_begin = 0, guard_end = 0;
  /// The part of RAM that the program's symbols arguments_begin and arguments_end set aside for its
  /// arguments. It is empty if the program takes none.
  std::uint32_t arguments_begin = 0, arguments_end = 0;
  /// The address of the program's word ccl_modes_word, if it calls CCL
  /// (docs/internals/algorithms/ccl-modes.md).
  std::optional<std::uint32_t> ccl_modes;
  /// What all cores that run the program have together, once.
  struct Shared {
    StartingRam ram;
    /// The words of `ram` before code_end, decoded, and an undecoded one behind them, which stops
    /// the core. Data are not among them, so a core that writes data need not have its own.
    std::vector<rv32::Instruction> code;
  };
  /// Made from `ram`; code that changes `ram` must reset it. Without it a core has all that for
  /// itself, and decodes the words that it comes to.
  std::shared_ptr<const Shared> shared;

  [[nodiscard]] bool in_guard(std::uint32_t address) const {
    return address >= guard_begin && address < guard_end;
  }
  /// The function that contains `pc`, or nullptr if there is none.
  [[nodiscard]] const Function* find_function(std::uint32_t pc) const;
  /// The name of that function, or "?" if there is none.
  [[nodiscard]] std::string function_at(std::uint32_t pc) const;
};

/// Reads an RV32 ELF executable. Throws std::runtime_error, which says what was found and what was
/// expected, if the file cannot be used.
Image load_elf(const std::vector<std::byte>& file);

/// Puts a program's arguments into its RAM, where it finds their number and then each text with a 0
/// behind it (docs/internals/nic/core.md). Throws std::runtime_error, which says what was
/// found and what was expected, if the program has no room for them.
void set_arguments(Image& image, const std::vector<std::string>& arguments);
/// Sets the word of the modes in which CCL runs. Throws std::runtime_error, as above, if the
/// program has none.
void set_ccl_modes(Image& image, std::uint32_t modes);

/// A load or store outside RAM. It happens in cycle Core::time().
struct BusAccess {
  std::uint32_t address = 0;
  std::uint8_t bytes = 0;  ///< 1, 2, 4
  bool store = false;
  std::uint32_t value = 0;  ///< the value of a store
};

/// Words outside RAM that a core accesses ahead of the cycle of the access: it makes no difference
/// when that happens, as nothing but the core's own later accesses shows it.
struct PrivateWords {
  struct Word {
    bool loads = false;        ///< LW may be early
    std::uint32_t stores = 0;  ///< the bits that SW changes; 0 if it may not be early
  };
  std::uint32_t address = 0;  ///< of the first one, a multiple of 4
  std::span<std::uint32_t> values;
  std::span<const Word> words;  ///< as many
};

/// An instruction that the core has executed.
struct Retired {
  Cycle cycle = 0;  ///< the cycle in which it started
  std::uint32_t pc = 0, word = 0;
  int rd = 0;  ///< the register that it wrote; 0 for none
  std::uint32_t value = 0;
};

/// An observer of a core, called for everything that the core does, in order. Like the core, it can
/// be ahead of the network.
class CoreTracer {
 public:
  virtual ~CoreTracer() = default;
  virtual void retired(const Retired& instruction) = 0;
  /// The core takes a trap or an interrupt in this cycle.
  virtual void trapped(Cycle, const Trap&) = 0;
};

class Core {
 public:
  enum class State : std::uint8_t { kRunning, kBus, kAsleep, kHalted, kWrite };

  /// Starts at address 0 in cycle 0 with all registers 0. `hart` is the value of mhartid.
  Core(const Image& image, std::uint32_t hart);

  /// The state of the interrupts, as far as run() needs it.
  struct Interrupts {
    std::optional<std::uint32_t> pending = 0;  ///< mip in cycle time(), if known
    Cycle timer = kNever;  ///< first cycle in which mip's timer bit is 1; it may have passed
  };
  /// Runs from time() until the core needs the bus, sleeps or halts, or until time() >= limit, or
  /// until it needs more about the interrupts than `interrupts` tells. In the last case it stops
  /// before the instruction of cycle time(), and continues when it is given `pending` of that
  /// cycle.
  State run(Cycle limit, const Interrupts& interrupts);

  [[nodiscard]] State state() const { return state_; }
  /// The cycle in which the next instruction starts. In kBus it is the cycle of the access, in
  /// kHalted that of the trap, in kWrite that of the ECALL, and in kAsleep the first cycle in which
  /// the core can continue.
  [[nodiscard]] Cycle time() const { return time_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  [[nodiscard]] std::uint32_t pc() const { return pc_; }
  [[nodiscard]] std::uint32_t reg(int i) const { return x_[static_cast<std::size_t>(i)]; }
  /// The CSR mie: the bits of mip that end a WFI.
  [[nodiscard]] std::uint32_t mie() const { return csrs_.mie(); }
  /// Reads a byte, halfword or word of RAM.
  [[nodiscard]] std::uint32_t load(std::uint32_t address, std::uint32_t bytes) const;

  /// In kBus: the access that the core requests. Call finish() to complete the instruction with the
  /// loaded value (any value for a store), or fault() to make it trap.
  [[nodiscard]] const BusAccess& access() const { return access_; }
  void finish(std::uint32_t value);
  void fault();
  /// In kWrite, an ECALL by which the program writes text: completes it with this value in a0.
  void finish_write(std::uint32_t result);
  /// In kAsleep: makes the next instruction start in cycle `at`.
  void wake(Cycle at);
  /// In kHalted: the trap that halted the core.
  [[nodiscard]] const Trap& trap() const { return trap_; }

  /// Sets the tracer; nullptr for none. It must outlive the runs.
  void set_tracer(CoreTracer* tracer) { tracer_ = tracer; }
  /// The words must outlive the runs.
  void set_private_words(const PrivateWords& words) { private_ = words; }
  /// No instruction starts in `cycle` or later, however far a run may go.
  void stop_before(Cycle cycle) { end_ = std::min(cycle, kAges); }

  // ---- A debugger, between runs -----------------------------------------------------------------

  /// The load or store that comes next, in RAM or outside it, if the next instruction is one. An
  /// interrupt may come before it.
  [[nodiscard]] std::optional<BusAccess> next_access() const;
  /// Where the instruction stands that starts in `cycle`, if one does: the core neither is ahead of
  /// that cycle, sleeps nor has halted, nor takes an interrupt. `pending` is mip in that cycle; if
  /// it is not known, it must not matter.
  [[nodiscard]] std::optional<std::uint32_t> starts(
      Cycle cycle, const std::optional<std::uint32_t>& pending) const;
  /// Writes a byte of RAM. The core executes what has been written.
  void store(std::uint32_t address, std::byte value);
  /// What the core has requested in kBus or kWrite, it requests again.
  void set_reg(int i, std::uint32_t value);
  /// Lets the core go on at `pc`, a multiple of 4. What it has requested in kBus or kWrite is not
  /// done. In kAsleep it goes on sleeping.
  void set_pc(std::uint32_t pc);

 private:
  void withdraw();
  template <bool traced, bool by_blocks>
  bool run_straight(Cycle limit);
  void run_quiet(Cycle end);
  [[nodiscard]] Cycle horizon(Cycle limit, Cycle start, const Interrupts& interrupts) const;
  State run_on(Cycle limit, Cycle start, std::uint32_t mip, const Interrupts& interrupts);
  bool step_aside(const std::optional<std::uint32_t>& pending);
  bool step_far_aside(const std::optional<std::uint32_t>& pending);
  void decode_here();
  void forget(std::uint32_t address, std::uint32_t bytes);
  void own_code(std::size_t words);
  void show(const std::vector<rv32::Instruction>& code);
  [[nodiscard]] BusAccess access_of(const rv32::Instruction& i) const;
  void request(const rv32::Instruction& i);
  bool access_csr(const rv32::Instruction& i, const std::optional<std::uint32_t>& pending);
  void retire(int cycles, std::uint32_t rd, std::uint32_t value, std::uint32_t next);
  void trap(std::uint32_t cause, std::uint32_t value);

  State state_ = State::kRunning;
  Cycle time_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint32_t pc_ = 0;
  std::array<std::uint32_t, rv32::kNoRegister + 1> x_{};  // the last one takes what x0 drops
  rv32::Csrs csrs_;
  rv32::Instruction at_bus_;  // the load or store that waits in kBus
  BusAccess access_;
  Trap trap_;
  CoreTracer* tracer_ = nullptr;
  PrivateWords private_;
  static constexpr Cycle kAges = Cycle{1} << 62;  // no run lasts as long; it fits a signed integer
  Cycle end_ = kAges;
  StartingRam::Copy ram_;
  // The decoded words of RAM. They are the program's own until a store changes one of them.
  std::shared_ptr<const Image::Shared> shared_;
  std::vector<rv32::Instruction> own_code_;
  const rv32::Instruction* code_ = nullptr;
  std::uint32_t code_bytes_ = 0;
  std::uint32_t plain_stores_ = 0;  ///< stores from here on change no code, nor hit the guard
  const std::uint32_t guard_begin_, guard_end_;
};

}  // namespace annelid::nic
