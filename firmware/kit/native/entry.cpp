// From the simulator that loads a native program to main, and back.
#include <cstddef>
#include <cstdint>

#include "firmware/kit/end.hpp"
#include "firmware/kit/include/string.h"
#include "firmware/kit/system.hpp"
#include "firmware/platform/stop.hpp"

namespace annelid::firmware {
namespace kit {

const NativeHost* host = nullptr;

}  // namespace kit

void stop(const char* reason) {
  kit::write_text(2, reason, static_cast<std::uint32_t>(strlen(reason)));
  kit::write_text(2, "\n", 1);
  kit::end_program(1);
}
void leave_coroutine() { throw; }

}  // namespace annelid::firmware

extern "C" {

// As in runtime.cpp. Hidden, because an undefined one must not be that of the simulator.
[[gnu::weak, gnu::visibility("hidden")]] int kit_main_of_c(int, char**) asm("main");
[[gnu::weak, gnu::visibility("hidden")]] int kit_main_without_arguments(int,
                                                                        char**) asm("_Z4mainv");
[[gnu::weak, gnu::visibility("hidden")]] int kit_main_with_arguments(int,
                                                                     char**) asm("_Z4mainiPPc");
[[gnu::weak, gnu::visibility("hidden")]] extern unsigned ccl_modes_word;

extern void (*init_array_begin[])();
extern void (*init_array_end[])();

void exit(int status) noexcept {
  annelid::firmware::kit::run_at_exit();
  annelid::firmware::kit::end_program(status);
}
void abort() noexcept { annelid::firmware::stop("abort"); }

/// Nobody calls it, and the linker drops it. With it the linker looks for what compilers name only
/// weakly, and what would be missing else.
[[gnu::visibility("hidden")]] void kit_names_virtual_functions() { __cxa_pure_virtual(); }

static void start(const annelid::firmware::NativeHost* host, int count, char** arguments) {
  annelid::firmware::kit::host = host;
  for (auto* make = init_array_begin; make != init_array_end; ++make) (*make)();
  auto* const program = kit_main_of_c != nullptr                ? kit_main_of_c
                        : kit_main_without_arguments != nullptr ? kit_main_without_arguments
                                                                : kit_main_with_arguments;
  exit(program(count, arguments));
}

[[gnu::visibility("default")]] extern const annelid::firmware::NativeProgramEntry annelid_program;
const annelid::firmware::NativeProgramEntry annelid_program = {
    annelid::firmware::NativeProgramEntry::kVersion,
    reinterpret_cast<std::byte*>(node_memory_begin),
    reinterpret_cast<std::byte*>(node_memory_end),
    &ccl_modes_word,
    start,
};

}  // extern "C"
