// The end of a firmware that finds itself broken, on the core.
#include "firmware/platform/stop.hpp"

extern "C" [[noreturn]] void abort() {
  asm volatile("ebreak");
  __builtin_unreachable();
}

namespace annelid::firmware {

void stop(const char*) { abort(); }
void leave_coroutine() { abort(); }

}  // namespace annelid::firmware
