// Several simulations in one process, one after the other.
#pragma once

namespace sc_core {
class sc_simcontext;
}

namespace annelid::systemc {

/// A SystemC simulation of its own, from the constructor to the destructor. SystemC elaborates once
/// per *context* (a module that is built later gives E529 or E113). This class makes a fresh
/// context current: its time starts at 0, and names may be used again.
///
///     for (const int vcs : {1, 2, 4}) {
///       Elaboration elaboration;      // first, so that it goes last
///       Fabric fabric("fabric");
///       ...
///     }
///
/// A program that uses this class may have a main() of its own instead of sc_main().
///
/// Every module, signal and clock that is built while it lives must be gone before it. They may
/// nest: the destructor restores the context that was current before. SystemC is not for several
/// threads, so there is one current context in a process, and this class may be used in one thread
/// at a time.
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
