#include "firmware/image.hpp"

// The assembler copies the files; a generated array would take the compiler far longer.
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    "annelid_firmware_begin: .incbin \"" FIRMWARE_ELF
    "\"\n"
    "annelid_firmware_end:\n"
    ".balign 16\n"
    "annelid_schedule_cost_begin: .incbin \"" SCHEDULE_COST_ELF
    "\"\n"
    "annelid_schedule_cost_end:\n"
    ".globl annelid_firmware_begin, annelid_firmware_end\n"
    ".globl annelid_schedule_cost_begin, annelid_schedule_cost_end\n"
    ".previous\n");

extern "C" {
extern const std::byte annelid_firmware_begin[];
extern const std::byte annelid_firmware_end[];
extern const std::byte annelid_schedule_cost_begin[];
extern const std::byte annelid_schedule_cost_end[];
}

namespace annelid {

std::span<const std::byte> firmware_image() {
  return {annelid_firmware_begin, annelid_firmware_end};
}

std::span<const std::byte> schedule_cost_image() {
  return {annelid_schedule_cost_begin, annelid_schedule_cost_end};
}

}  // namespace annelid
