// CCL's operations, prepared once and started many times.
#include "firmware/kit/ccl_ask.hpp"
#include "firmware/kit/prepared.hpp"

namespace annelid::firmware::kit {
namespace {

int init(const Asked& asked, unsigned tag, ccl_request* request) {
  *request = {0, memory_mark(), memory_mark()};
  if (asked.result != kSuccess) return asked.result;
  // A function of the program is the core's.
  if (asked.by_core) return kBadArgument;
  return prepare_call(asked.words, *asked.group, asked.served, asked.source, asked.target, tag,
                      memory_mark(), *request);
}

}  // namespace
}  // namespace annelid::firmware::kit

using namespace annelid::firmware::kit;

extern "C" {

int ccl_bcast_init(pgid G, unsigned orig, void* data, size_t bytes, unsigned tag,
                   ccl_request* request) {
  return init(ask_bcast(G, orig, data, bytes), tag, request);
}
int ccl_reduce_init(pgid G, unsigned dest, const ccl_function* rfunc, const void* data,
                    void* result, unsigned count, unsigned tag, ccl_request* request) {
  return init(ask_reduce(G, dest, *rfunc, data, result, count), tag, request);
}
int ccl_combine_init(pgid G, const ccl_function* rfunc, const void* data, void* result,
                     unsigned count, unsigned tag, ccl_request* request) {
  return init(ask_combine(G, *rfunc, data, result, count), tag, request);
}
int ccl_prefix_init(pgid G, const ccl_function* rfunc, const void* data, void* result,
                    unsigned count, unsigned tag, ccl_request* request) {
  return init(ask_prefix(G, *rfunc, data, result, count), tag, request);
}
int ccl_scatter_init(pgid G, unsigned orig, const void* data, void* result, size_t bytes,
                     unsigned tag, ccl_request* request) {
  return init(ask_scatter(G, orig, data, result, bytes), tag, request);
}
int ccl_gather_init(pgid G, unsigned dest, const void* data, void* result, size_t bytes,
                    unsigned tag, ccl_request* request) {
  return init(ask_gather(G, dest, data, result, bytes), tag, request);
}
int ccl_concat_init(pgid G, const void* data, void* result, size_t bytes, unsigned tag,
                    ccl_request* request) {
  return init(ask_concat(G, data, result, bytes), tag, request);
}
int ccl_index_init(pgid G, const void* data, void* result, size_t bytes, unsigned tag,
                   ccl_request* request) {
  return init(ask_index(G, data, result, bytes), tag, request);
}
int ccl_shift_init(pgid G, int steps, int cyclic, const void* data, void* result, size_t bytes,
                   unsigned tag, ccl_request* request) {
  return init(ask_shift(G, steps, cyclic, data, result, bytes), tag, request);
}
int ccl_sync_init(pgid G, unsigned tag, ccl_request* request) {
  return init(ask_sync(G), tag, request);
}

}  // extern "C"
