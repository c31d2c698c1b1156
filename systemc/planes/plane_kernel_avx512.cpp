// The kernels of planes for processors with AVX-512.
#define ANNELID_PLANES planes_avx512
#define ANNELID_PLANES_NAME "AVX-512"
#define ANNELID_PLANES_LANES 8
#include "systemc/planes/plane_kernels.hpp"
