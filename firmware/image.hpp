// The firmware's program for the core, built together with this library.
#pragma once

#include <cstddef>
#include <span>

namespace annelid {

/// The bytes of firmware.elf: an RV32 executable, loaded at address 0 of the core's RAM.
std::span<const std::byte> firmware_image();

}  // namespace annelid
