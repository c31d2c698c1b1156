// Runs several simulations in one process, one after the other.
#pragma once

namespace sc_core {
class sc_simcontext;
}

namespace annelid::systemc {

/// A separate SystemC simulation, from the constructor to the destructor. SystemC elaborates once
/// per *context*; a module that is built later gives E529 or E113. This class makes a fresh context
/// current. Its time starts at 0, and names may be used again.
///
///     for (const int vcs : {1, 2, 4}) {
///       Elaboration elaboration;      // first, so that it goes last
///       Fabric fabric("fabric");
///       ...
///     }
///
/// A program that uses this class may define main() instead of sc_main().
///
/// Every module, signal and clock that is built during its lifetime must be destroyed before it is.
/// Objects may nest: the destructor restores the context that was current before. SystemC does not
/// support several threads, so a process has one current context, and only one thread at a time may
/// use this class.
class Elaboration {
 public:
  Elaboration();
  ~Elaboration();
  Elaboration(const Elaboration&) = delete;
  Elaboration& operator=(const Elaboration&) = delete;

 private:
  sc_core::sc_simcontext *outer_, *outer_default_, *own_;
};

}  // namespace annelid::systemc
