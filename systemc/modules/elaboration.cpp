#include "systemc/modules/elaboration.hpp"

#include <systemc>

// libsystemc's own main() calls sc_main(), and the linker wants one. A program with a main() of its
// own needs none, and gets this; one that has an sc_main() keeps it.
extern "C" [[gnu::weak]] int sc_main(int, char**) { return 0; }

namespace annelid::systemc {

Elaboration::Elaboration()
    : outer_(sc_core::sc_curr_simcontext),
      outer_default_(sc_core::sc_default_global_context),
      own_(new sc_core::sc_simcontext) {
  sc_core::sc_curr_simcontext = sc_core::sc_default_global_context = own_;
}

Elaboration::~Elaboration() {
  delete own_;  // while it is current, as its parts ask for the current one
  sc_core::sc_curr_simcontext = outer_;
  sc_core::sc_default_global_context = outer_default_;
}

}  // namespace annelid::systemc
