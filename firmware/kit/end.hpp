// The end of a program of the nodes: what runs after main, in both builds of the kit.
#pragma once

#include <cstdint>

#include "firmware/kit/include/stdlib.h"
#include "firmware/kit/include/string.h"
#include "firmware/kit/system.hpp"

extern "C" {
// The list of the functions that end a program, in the order in which they were linked.
extern void (*fini_array_begin[])();
extern void (*fini_array_end[])();

/// Functions of atexit and destructors of static objects (at_exit.cpp). Undefined in a program
/// without any.
[[gnu::weak, gnu::visibility("hidden")]] void kit_run_at_exit();

void __cxa_pure_virtual();
}

namespace annelid::firmware::kit {

inline void run_at_exit() {
  if (kit_run_at_exit != nullptr) kit_run_at_exit();
  for (auto* end = fini_array_end; end != fini_array_begin;) (*--end)();
}

/// Ends a program that has made a mistake, which is a line of text.
[[noreturn]] inline void fail(const char* line) {
  write_text(2, line, static_cast<std::uint32_t>(strlen(line)));
  abort();
}

}  // namespace annelid::firmware::kit
