#include "simulation/program/call_frames.hpp"

#include <dwarf.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <span>

#include "simulation/program/debug_file.hpp"

namespace annelid::simulation {
namespace {

constexpr std::size_t kMostFrames = 64;
constexpr std::uint32_t kCallBytes = 4;
constexpr int kReturnAddress = 1;

/// The registers of a frame as far as they are known.
using FrameRegisters = std::array<std::optional<std::uint32_t>, 32>;

std::optional<std::uint32_t> word_at(const nic::Core& core, std::uint32_t address) {
  if (address > nic::kRamBytes - 4) return std::nullopt;
  return core.load(address, 4);
}

/// What a DWARF expression says: a value, or where it lies. The compiler writes few kinds of them.
class Expression {
 public:
  Expression(const FrameRegisters& registers, std::optional<std::uint32_t> cfa)
      : registers_(registers), cfa_(cfa) {}

  /// nothing: it is not known, or an operation that is not expected here.
  [[nodiscard]] std::optional<std::uint32_t> value(std::span<const Dwarf_Op> ops) {
    std::optional<std::uint32_t> top;
    for (const Dwarf_Op& op : ops) {
      top = step(op, top);
      if (!top) return std::nullopt;
    }
    return top;
  }
  [[nodiscard]] bool is_register() const { return is_register_; }
  [[nodiscard]] bool is_value() const { return is_value_; }

 private:
  [[nodiscard]] std::optional<std::uint32_t> plus(Dwarf_Word reg, Dwarf_Word offset) const {
    if (reg == 0) return static_cast<std::uint32_t>(offset);
    if (reg >= registers_.size() || !registers_[reg]) return std::nullopt;
    return *registers_[reg] + static_cast<std::uint32_t>(offset);
  }
  std::optional<std::uint32_t> step(const Dwarf_Op& op, std::optional<std::uint32_t> top) {
    if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31)
      return plus(op.atom - DW_OP_breg0, op.number);
    if (op.atom >= DW_OP_reg0 && op.atom <= DW_OP_reg31) {
      is_register_ = true;
      return plus(op.atom - DW_OP_reg0, 0);
    }
    switch (op.atom) {
      case DW_OP_bregx:
        return plus(op.number, op.number2);
      case DW_OP_regx:
        is_register_ = true;
        return plus(op.number, 0);
      case DW_OP_call_frame_cfa:
        return cfa_;
      case DW_OP_plus_uconst:
        return top ? std::optional(*top + static_cast<std::uint32_t>(op.number)) : std::nullopt;
      case DW_OP_stack_value:
        is_value_ = true;
        return top;
      default:
        return std::nullopt;
    }
  }

  const FrameRegisters& registers_;
  std::optional<std::uint32_t> cfa_;
  bool is_register_ = false, is_value_ = false;
};

/// The rule of a register in its caller's frame.
std::optional<std::uint32_t> caller_register(const nic::Core& core, Dwarf_Frame* frame, int number,
                                             const FrameRegisters& registers, std::uint32_t cfa) {
  std::array<Dwarf_Op, 3> room{};
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_frame_register(frame, number, room.data(), &ops, &count) != 0) return std::nullopt;
  if (count == 0) {  // no operations of its own: undefined; none at all: the same value
    return ops == nullptr ? registers[static_cast<std::size_t>(number)] : std::nullopt;
  }
  Expression expression(registers, cfa);
  const auto found = expression.value({ops, count});
  if (!found || expression.is_value() || expression.is_register()) return found;
  return word_at(core, *found);
}

}  // namespace

struct CallFrames::File {
  DebugFile file;
  Dwarf_CFI *debug_frame = nullptr, *eh_frame = nullptr;

  explicit File(std::vector<std::byte> elf) : file(std::move(elf)) {
    if (file.dwarf() != nullptr) debug_frame = dwarf_getcfi(file.dwarf());  // the file's own
    if (file.elf() != nullptr) eh_frame = dwarf_getcfi_elf(file.elf());
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (eh_frame != nullptr) dwarf_cfi_end(eh_frame);
  }
  /// To be freed by the caller; nullptr if nothing is known.
  [[nodiscard]] Dwarf_Frame* frame_at(std::uint32_t pc) const {
    for (Dwarf_CFI* const cfi : {debug_frame, eh_frame}) {
      Dwarf_Frame* frame = nullptr;
      if (cfi != nullptr && dwarf_cfi_addrframe(cfi, pc, &frame) == 0) return frame;
    }
    return nullptr;
  }
};

CallFrames::CallFrames(std::vector<std::byte> elf)
    : file_(std::make_unique<File>(std::move(elf))) {}
CallFrames::~CallFrames() = default;

CallFrames::Trace CallFrames::unwind(const nic::Core& core, std::uint32_t pc) const {
  FrameRegisters registers;
  for (std::size_t i = 0; i < registers.size(); ++i) registers[i] = core.reg(static_cast<int>(i));
  Trace trace{{pc}, false};
  while (trace.pcs.size() < kMostFrames) {
    const std::unique_ptr<Dwarf_Frame, void (*)(void*)> frame(file_->frame_at(trace.pcs.back()),
                                                              std::free);
    if (frame == nullptr) return trace;
    Dwarf_Op* ops = nullptr;
    std::size_t count = 0;
    if (dwarf_frame_cfa(frame.get(), &ops, &count) != 0) return trace;
    const auto cfa = Expression(registers, std::nullopt).value({ops, count});
    if (!cfa) return trace;
    FrameRegisters caller;
    for (int i = 1; i < 32; ++i) {
      caller[static_cast<std::size_t>(i)] = caller_register(core, frame.get(), i, registers, *cfa);
    }
    caller[2] = cfa;  // sp
    const auto back = caller[kReturnAddress];
    if (!back || *back < kCallBytes) {
      trace.complete = true;
      return trace;
    }
    const bool moves = caller[2] != registers[2] || *back != registers[kReturnAddress];
    trace.pcs.push_back(*back - kCallBytes);
    if (!moves && trace.pcs.size() > 2) return trace;  // a frame that calls itself
    registers = caller;
  }
  return trace;
}

}  // namespace annelid::simulation
