// What a C++ compiler expects of its runtime for virtual functions and virtual destructors.
#include <cstddef>
#include <new>

#include "firmware/kit/end.hpp"

using annelid::firmware::kit::fail;

extern "C" {

void __cxa_pure_virtual() { fail("a pure virtual function was called\n"); }
void __cxa_deleted_virtual() { fail("a deleted virtual function was called\n"); }

}  // extern "C"

// A virtual destructor names them. As there is no operator new, nobody has anything to delete.
static const char kNoHeap[] = "operator delete was called, and there is no heap\n";
void operator delete(void*) noexcept { fail(kNoHeap); }
void operator delete[](void*) noexcept { fail(kNoHeap); }
void operator delete(void*, std::size_t) noexcept { fail(kNoHeap); }
void operator delete[](void*, std::size_t) noexcept { fail(kNoHeap); }
void operator delete(void*, std::align_val_t) noexcept { fail(kNoHeap); }
void operator delete[](void*, std::align_val_t) noexcept { fail(kNoHeap); }
void operator delete(void*, std::size_t, std::align_val_t) noexcept { fail(kNoHeap); }
void operator delete[](void*, std::size_t, std::align_val_t) noexcept { fail(kNoHeap); }
