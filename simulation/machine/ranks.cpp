#include "simulation/machine/ranks.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>

#include "base/input_error.hpp"
#include "systemc/network/slab.hpp"

namespace annelid::simulation {

void require_slabs(const systemc::NetworkConfig& network, const Exchange& exchange) {
  const int ranks = exchange.ranks(), most = systemc::Slab::most(network);
  if (ranks <= most) return;
  throw InputError(
      "mpirun -np", std::to_string(ranks),
      fmt::format("1..{}: {}", most,
                  network.ideal ? "the ideal network is one crossbar"
                                : "each process takes at least one plane across the last "
                                  "dimension"));
}

void refuse_option(bool given, const char* option) {
  if (!given) return;
  throw InputError(option, "several processes (mpirun)", "one process");
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
