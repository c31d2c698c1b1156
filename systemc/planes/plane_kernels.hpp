// The kernels that are compiled for a kind of processor. A file for each kind (plane_kernel_*.cpp)
// includes this, each into a namespace of its own.
#pragma once

#include "systemc/planes/plane_kernel.hpp"

namespace annelid::systemc::ANNELID_PLANES {

template <int N, int V, int D, int C = 1, bool P = false>
inline constexpr PlaneKernel kKernel{ANNELID_PLANES_NAME, Kernel<N, V, D, C, P>::kAt,
                                     Kernel<N, V, D, C, P>::decide, Kernel<N, V, D, C, P>::step};

#if ANNELID_PLANES_LANES == 2 || (ANNELID_PLANES_LANES == 4 && defined(__AVX2__)) || \
    (ANNELID_PLANES_LANES == 8 && defined(__AVX512F__))
// clang-format off
// Each takes seconds to compile. A network without one of its own runs in
// the smallest that is large enough, with or without rings and with or without registers as it has them itself.
inline constexpr PlaneKernel kKernels[] = {
    kKernel<5, 2, 4>, kKernel<5, 8, 8>, kKernel<8, 8, 8>, kKernel<8, 8, 8, 3>,
    kKernel<12, 4, 8>, kKernel<12, 4, 8, 3>,  // as many local ports as external ones in three dimensions
    kKernel<6, 8, 8>, kKernel<6, 8, 8, 3>,    // one-port routers
    kKernel<8, 8, 16, 1, true>, kKernel<8, 8, 16, 3, true>, kKernel<6, 8, 16, 1, true>, kKernel<6, 8, 16, 3, true>,
#if ANNELID_PLANES_LANES > 2  // The baseline, which few processors need, has the kernels that cannot be missed.
    kKernel<5, 1, 4>, kKernel<5, 4, 4>, kKernel<5, 2, 8>, kKernel<8, 1, 4>, kKernel<8, 2, 4>, kKernel<12, 1, 4>,
    kKernel<5, 2, 4, 3>, kKernel<5, 4, 4, 3>,  // rings
    kKernel<6, 1, 4>, kKernel<6, 2, 4>,
    // Several stages, or link registers: their default depths are up to 12.
    kKernel<5, 2, 8, 1, true>, kKernel<5, 2, 16, 1, true>,
#endif
};
// clang-format on
inline constexpr PlaneKernels kCompiled{kKernels, sizeof kKernels / sizeof *kKernels};
#else  // the compiler was not told to use these instructions
inline constexpr PlaneKernels kCompiled{nullptr, 0};
#endif

#if defined(__AVX2__)
inline bool supports_bits() {
  return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2");
}
#endif

/// Whether this processor has the instructions.
inline bool runs_here() {
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512f") && supports_bits();
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2") && supports_bits();
#else
  return true;
#endif
}

PlaneKernels kernels() {  // NOLINT(misc-definitions-in-headers)
  return runs_here() ? kCompiled : PlaneKernels{nullptr, 0};
}

}  // namespace annelid::systemc::ANNELID_PLANES
