// The functions that the NIC has.
#include "firmware/kit/include/ccl.h"

#define FUNCTION(name, NAME, type, TYPE, bytes) \
  extern const struct ccl_function name##_##type = {bytes, nullptr, NIC_##TYPE, NIC_##NAME};
#define NUMBERS(type, TYPE, bytes)      \
  FUNCTION(sum, SUM, type, TYPE, bytes) \
  FUNCTION(min, MIN, type, TYPE, bytes) \
  FUNCTION(max, MAX, type, TYPE, bytes) \
  FUNCTION(product, PRODUCT, type, TYPE, bytes)

extern "C" {

NUMBERS(int32, INT32, 4)
NUMBERS(uint32, UINT32, 4)
NUMBERS(int64, INT64, 8)
NUMBERS(float32, FLOAT32, 4)
FUNCTION(and, AND, uint32, UINT32, 4)
FUNCTION(or, OR, uint32, UINT32, 4)
FUNCTION(xor, XOR, uint32, UINT32, 4)

}  // extern "C"
