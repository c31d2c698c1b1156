// The firmware's program for the core, built together with this library.
#pragma once

#include <cstddef>
#include <span>

namespace annelid {

/// The bytes of firmware.elf: an RV32 executable, loaded at address 0 of the core's RAM.
std::span<const std::byte> firmware_image();

/// The bytes of schedule_cost.elf: a program that finds the schedules that node memory asks for,
/// and counts its cycles (schedule_cost.hpp).
std::span<const std::byte> schedule_cost_image();

}  // namespace annelid
