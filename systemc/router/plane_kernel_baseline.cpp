// The kernels of planes for every processor.
#define ANNELID_PLANES planes_baseline
#define ANNELID_PLANES_NAME "baseline"
#include "systemc/router/plane_kernel.hpp"

namespace annelid::systemc::ANNELID_PLANES {

PlaneKernels kernels() { return {kKernels, sizeof kKernels / sizeof *kKernels}; }

}  // namespace annelid::systemc::ANNELID_PLANES
