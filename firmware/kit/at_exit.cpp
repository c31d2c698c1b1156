// Destructors of static objects and functions of atexit, in programs of the nodes. A program that
// has none of them is linked without this file.
#include <cstdint>

#include "firmware/kit/end.hpp"
#include "firmware/kit/include/stdlib.h"

namespace annelid::firmware::kit {
namespace {

/// A destructor and its object; or a function of atexit, which ignores its argument.
struct AtExit {
  void (*function)(void*);
  void* object;
};
constexpr int kMostAtExit = 256;
AtExit at_exit[kMostAtExit];
int at_exit_count = 0;

bool add(void (*function)(void*), void* object) {
  if (at_exit_count == kMostAtExit) return false;
  at_exit[at_exit_count++] = {function, object};
  return true;
}

}  // namespace
}  // namespace annelid::firmware::kit

using namespace annelid::firmware::kit;

extern "C" {

void* __dso_handle = nullptr;  // what destructors are registered with; there is one program

int __cxa_atexit(void (*destroy)(void*), void* object, void*) {
  if (!add(destroy, object)) {
    fail("too many static objects with destructors and functions of atexit: 256 at most\n");
  }
  return 0;
}
int atexit(void (*function)()) noexcept {
  // Both ABIs leave a function alone that ignores an argument.
  return add(reinterpret_cast<void (*)(void*)>(reinterpret_cast<std::uintptr_t>(function)), nullptr)
             ? 0
             : 1;
}
/// The last one first. One of them may add others.
void kit_run_at_exit() {
  while (at_exit_count > 0) {
    const AtExit next = at_exit[--at_exit_count];
    next.function(next.object);
  }
}

}  // extern "C"
