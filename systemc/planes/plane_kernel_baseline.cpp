// The kernels of planes for every processor.
#define ANNELID_PLANES planes_baseline
#define ANNELID_PLANES_NAME "baseline"
#define ANNELID_PLANES_LANES 2
#include "systemc/planes/plane_kernels.hpp"
