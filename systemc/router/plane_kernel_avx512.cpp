// The kernels of planes for processors with AVX-512.
#define ANNELID_PLANES planes_avx512
#define ANNELID_PLANES_NAME "AVX-512"
#include "systemc/router/plane_kernel.hpp"

namespace annelid::systemc::ANNELID_PLANES {

PlaneKernels kernels() {
#ifdef __AVX512F__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("popcnt")) {
    return {kKernels, sizeof kKernels / sizeof *kKernels};
  }
#endif
  return {nullptr, 0};
}

}  // namespace annelid::systemc::ANNELID_PLANES
