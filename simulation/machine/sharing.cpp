#include "simulation/machine/sharing.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>

#include "base/input_error.hpp"
#include "systemc/network/slab.hpp"

namespace annelid::simulation {

void require_slabs(const systemc::NetworkConfig& network, int slabs, Sharing sharing) {
  const int most = systemc::Slab::most(network);
  if (slabs >= 1 && slabs <= most) return;
  const bool processes = sharing == Sharing::kProcesses;
  throw InputError(processes ? "mpirun -np" : "--threads", std::to_string(slabs),
                   fmt::format("1..{}: {}", most,
                               network.ideal ? "the ideal network is one crossbar"
                                             : fmt::format("each {} takes at least one plane "
                                                           "across the last dimension",
                                                           processes ? "process" : "thread")));
}

void refuse_option(bool given, const char* option, Sharing sharing) {
  if (!given) return;
  const bool processes = sharing == Sharing::kProcesses;
  throw InputError(option, processes ? "several processes (mpirun)" : "several threads",
                   processes ? "one process" : "one thread");
}

void together(Exchange* exchange, const std::function<void()>& f) {
  if (exchange == nullptr) return f();
  std::exception_ptr failure;
  try {
    f();
  } catch (...) {
    failure = std::current_exception();
  }
  throw_together(*exchange, failure);
}

}  // namespace annelid::simulation
