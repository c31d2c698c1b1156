// What a debugger reads and writes at a node: the core's registers, RAM, node memory and the NIC's
// registers, at the addresses that the core uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nic/nic.hpp"

namespace annelid::simulation {

inline constexpr int kPcNumber = 32;  ///< gdb's number of the pc, behind x0 to x31

/// A register of the core by gdb's number, 0 to kPcNumber.
std::uint32_t core_register(nic::Nic& nic, int number);
/// False if the core cannot go on at this pc, or does not go on at all. x0 stays 0.
bool set_core_register(nic::Nic& nic, int number, std::uint32_t value);

/// The bytes from `address` on, up to the first one that the core could not load. Reading changes
/// nothing, other than a load of the core.
std::vector<std::byte> read_bytes(nic::Nic& nic, std::uint32_t address, std::size_t count);
/// Writes all bytes, or nothing and returns false. Bytes of RAM and of node memory change between
/// two cycles. Four bytes at a register are a store of the core at the start of the cycle to come,
/// with all that the store does; other lengths are refused there, as the NIC refuses the core's.
bool write_bytes(nic::Nic& nic, std::uint32_t address, std::span<const std::byte> bytes);

}  // namespace annelid::simulation
