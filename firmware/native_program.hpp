// What a user's program that is built for the host shares with the simulator that loads it: one
// copy of the program for each node (simulation/program/native_program.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "firmware/register_bus.hpp"

namespace annelid::firmware {

/// What the program finds on its node. The functions get `context`.
struct NativeHost {
  RegisterBus* bus;
  /// The byte of node memory at offset 0, for offsets behind the program's variables.
  std::byte* memory;
  void* context;
  /// Returns in the cycle of the next event of the NIC; `pause` in the next cycle.
  void (*sleep)(void* context);
  void (*pause)(void* context);
  void (*write)(void* context, int descriptor, const char* text, std::size_t bytes);
  /// Ends the program, and does not return.
  void (*end)(void* context, int status);
};

/// The symbol `annelid_program` of a program.
struct NativeProgramEntry {
  static constexpr std::uint32_t kVersion = 1;
  static constexpr const char* kSymbol = "annelid_program";

  std::uint32_t version;
  /// The program's variables in node memory, at offset 0: whole pages of 16 KiB.
  std::byte *variables, *variables_end;
  unsigned* ccl_modes;  ///< the word of CCL's modes; nullptr if the program does not call CCL
  /// Runs main, and calls host->end. It is called once, on a stack of its own.
  void (*start)(const NativeHost* host, int count, char** arguments);
};

}  // namespace annelid::firmware
