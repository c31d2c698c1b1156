#include "simulation/debugger/gdb_node.hpp"

#include <cstring>
#include <optional>

#include "interface/registers.hpp"
#include "nic/core_costs.hpp"

namespace annelid::simulation {
namespace {

std::optional<std::byte> byte_at(nic::Nic& nic, std::uint32_t address) {
  if (nic::in_ram(address, 1)) return static_cast<std::byte>(nic.core()->load(address, 1));
  if (address >= reg::kMemoryBase) {
    const std::uint32_t offset = address - reg::kMemoryBase;
    if (!nic.memory().contains(offset, 1)) return std::nullopt;
    return static_cast<std::byte>(nic.memory().load(offset, 1));
  }
  const std::uint32_t offset = address - reg::kRegisterBase;
  if (address < reg::kRegisterBase || offset >= reg::kRegisterBytes) return std::nullopt;
  const auto word = nic.peek(offset & ~3U);
  if (!word) return std::nullopt;
  return static_cast<std::byte>(*word >> 8 * (offset & 3));
}

}  // namespace

std::uint32_t core_register(nic::Nic& nic, int number) {
  return number == kPcNumber ? nic.core()->pc() : nic.core()->reg(number);
}

bool set_core_register(nic::Nic& nic, int number, std::uint32_t value) {
  nic::Core& core = *nic.core();
  if (core.state() == nic::Core::State::kHalted) return false;
  if (number != kPcNumber) {
    core.set_reg(number, value);
    return true;
  }
  if (value == core.pc()) return true;
  if (value % 4 != 0) return false;
  core.set_pc(value);
  return true;
}

std::vector<std::byte> read_bytes(nic::Nic& nic, std::uint32_t address, std::size_t count) {
  std::vector<std::byte> bytes;
  while (bytes.size() < count) {
    const auto byte = byte_at(nic, address + static_cast<std::uint32_t>(bytes.size()));
    if (!byte) break;
    bytes.push_back(*byte);
  }
  return bytes;
}

bool write_bytes(nic::Nic& nic, std::uint32_t address, std::span<const std::byte> bytes) {
  if (bytes.empty()) return true;
  if (address < nic::kRamBytes) {
    if (bytes.size() > nic::kRamBytes - address) return false;
    for (const std::byte b : bytes) nic.core()->store(address++, b);
    return true;
  }
  if (address >= reg::kMemoryBase) {
    if (!nic.memory().contains(address - reg::kMemoryBase, bytes.size())) return false;
    nic.memory().write(address - reg::kMemoryBase, bytes);
    return true;
  }
  if (address < reg::kRegisterBase || bytes.size() != sizeof(std::uint32_t)) return false;
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return nic.poke(address - reg::kRegisterBase, value);
}

}  // namespace annelid::simulation
