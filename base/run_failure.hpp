// The error for a run that could not finish: exit status 1.
#pragma once

#include <stdexcept>

namespace annelid {

/// what() gives the full reason: a trap, an error of a NIC, the cycle limit, a deadlock or a stall.
class RunFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace annelid
