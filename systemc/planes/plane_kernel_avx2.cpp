// The kernels of planes for processors with AVX2.
#define ANNELID_PLANES planes_avx2
#define ANNELID_PLANES_NAME "AVX2"
#define ANNELID_PLANES_LANES 4
#include "systemc/planes/plane_kernels.hpp"
