// Makes parts of a module after its constructor.
#pragma once

#include <systemc>

namespace annelid::systemc {

/// While it lives, new SystemC objects are children of this module, and have its name before
/// theirs.
class HierarchyScope {
 public:
  explicit HierarchyScope(sc_core::sc_module& parent) {
    sc_core::sc_get_curr_simcontext()->hierarchy_push(&parent);
  }
  ~HierarchyScope() { sc_core::sc_get_curr_simcontext()->hierarchy_pop(); }
  HierarchyScope(const HierarchyScope&) = delete;
  HierarchyScope& operator=(const HierarchyScope&) = delete;
};

}  // namespace annelid::systemc
