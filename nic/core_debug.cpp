// What a debugger asks of a core that stands still.
#include "nic/core.hpp"
#include "nic/core_costs.hpp"

namespace annelid::nic {

std::optional<BusAccess> Core::next_access() const {
  if (state_ == State::kBus) return access_;
  if (state_ == State::kHalted || state_ == State::kWrite || !in_ram(pc_, 4)) return std::nullopt;
  const rv32::Instruction i = rv32::decode(load(pc_, 4));
  if (!rv32::is_access(i.op)) return std::nullopt;
  return access_of(i);
}

std::optional<std::uint32_t> Core::starts(Cycle cycle,
                                          const std::optional<std::uint32_t>& pending) const {
  if (state_ == State::kHalted || time_ > cycle) return std::nullopt;
  const std::uint32_t mip = pending.value_or(0);
  if (state_ == State::kAsleep && (mip & csrs_.mie()) == 0) return std::nullopt;
  if (state_ != State::kBus && state_ != State::kWrite) {
    const std::uint32_t taken = csrs_.taken();
    if (pending ? (mip & taken) != 0 : taken != 0) return std::nullopt;
  }
  return pc_;
}

void Core::store(std::uint32_t address, std::byte value) {
  ram_[address] = value;
  if (address < code_bytes_) forget(address, 1);
}

void Core::set_reg(int i, std::uint32_t value) {
  if (i != 0) x_[static_cast<std::size_t>(i)] = value;
  withdraw();
}

void Core::set_pc(std::uint32_t pc) {
  pc_ = pc;
  withdraw();
}

void Core::withdraw() {
  if (state_ == State::kBus || state_ == State::kWrite) state_ = State::kRunning;
}

}  // namespace annelid::nic
