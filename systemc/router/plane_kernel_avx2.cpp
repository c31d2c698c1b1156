// The kernels of planes for processors with AVX2.
#define ANNELID_PLANES planes_avx2
#define ANNELID_PLANES_NAME "AVX2"
#include "systemc/router/plane_kernel.hpp"

namespace annelid::systemc::ANNELID_PLANES {

PlaneKernels kernels() {
#ifdef __AVX2__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) {
    return {kKernels, sizeof kKernels / sizeof *kKernels};
  }
#endif
  return {nullptr, 0};
}

}  // namespace annelid::systemc::ANNELID_PLANES
