// What the operations of CCL ask for, from their arguments to the words of a call and what serves
// it: the same for an operation that is made at once, and for one that is prepared.
#pragma once

#include "firmware/kit/ccl_modes.hpp"
#include "firmware/kit/choice.hpp"
#include "firmware/kit/operation.hpp"

namespace annelid::firmware::kit {

struct Asked {
  int result = kSuccess;         ///< if it is another one, nothing else counts
  const Group* group = nullptr;  ///< all its members ask for the same
  std::uint32_t root = 0;        ///< the rank of `orig` or `dest`
  Words words{};
  Area source, target;
  Served served;
  bool chosen = false;  ///< by the program
  bool by_core =
      false;  ///< by a function of the program: there are no words, and nothing serves it
};

Asked ask_bcast(pgid G, unsigned orig, void* data, std::size_t bytes);
Asked ask_reduce(pgid G, unsigned dest, const ccl_function& f, const void* data, void* result,
                 unsigned count);
Asked ask_combine(pgid G, const ccl_function& f, const void* data, void* result, unsigned count);
Asked ask_prefix(pgid G, const ccl_function& f, const void* data, void* result, unsigned count);
Asked ask_scatter(pgid G, unsigned orig, const void* data, void* result, std::size_t bytes);
Asked ask_gather(pgid G, unsigned dest, const void* data, void* result, std::size_t bytes);
Asked ask_concat(pgid G, const void* data, void* result, std::size_t bytes);
Asked ask_index(pgid G, const void* data, void* result, std::size_t bytes);
Asked ask_shift(pgid G, int steps, int cyclic, const void* data, void* result, std::size_t bytes);
Asked ask_sync(pgid G);

/// Makes the call.
inline int run_asked(const Asked& asked) {
  return run_operation(asked.words, *asked.group, asked.served, asked.source, asked.target);
}

}  // namespace annelid::firmware::kit
