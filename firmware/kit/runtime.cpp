// From the start of the core to main, and back.
#include <cstddef>
#include <cstdint>

#include "firmware/kit/end.hpp"
#include "firmware/kit/include/stdlib.h"
#include "firmware/kit/system.hpp"

extern "C" {

// A C++ compiler may give main another name, because this is no hosted system.
[[gnu::weak]] int kit_main_of_c(int, char**) asm("main");
[[gnu::weak]] int kit_main_without_arguments(int, char**) asm("_Z4mainv");
[[gnu::weak]] int kit_main_with_arguments(int, char**) asm("_Z4mainiPPc");

extern char arguments_begin[];
extern void (*init_array_begin[])();
extern void (*init_array_end[])();

void exit(int status) noexcept {
  annelid::firmware::kit::run_at_exit();
  annelid::firmware::kit::end_program(status);
}

/// Nobody calls it, and the linker drops it. With it the linker looks for what compilers name only
/// weakly, and what would be missing else.
[[gnu::visibility("hidden")]] void kit_names_virtual_functions() { __cxa_pure_virtual(); }

/// `stack` is where Linux puts the arguments, or nullptr on a node.
[[noreturn]] void kit_main(char** stack) {
  constexpr int kMostArguments = 64;
  static char* texts[kMostArguments + 1];
  int count = 0;
  char** arguments = texts;
  if (stack != nullptr) {
    count = static_cast<int>(reinterpret_cast<std::intptr_t>(stack[0]));
    arguments = stack + 1;
  } else {
    asm volatile("csrw mie, %0" : : "r"(1U << 11));  // an event of the NIC ends WFI
    char* at = arguments_begin + sizeof(std::uint32_t);
    const auto given = *reinterpret_cast<const std::uint32_t*>(arguments_begin);
    for (; static_cast<std::uint32_t>(count) < given && count < kMostArguments; ++count) {
      texts[count] = at;
      while (*at++ != 0) {
      }
    }
  }
  for (auto* make = init_array_begin; make != init_array_end; ++make) (*make)();
  auto* const program = kit_main_of_c != nullptr                ? kit_main_of_c
                        : kit_main_without_arguments != nullptr ? kit_main_without_arguments
                                                                : kit_main_with_arguments;
  exit(program(count, arguments));
}

}  // extern "C"
