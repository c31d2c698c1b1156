// A run that could not go on to its end: exit status 1.
#pragma once

#include <stdexcept>

namespace annelid {

/// what() explains in full: a trap, an error of a NIC, the cycle limit, a deadlock, a stall.
class RunFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace annelid
