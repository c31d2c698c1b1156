// Who watches a NIC.
#pragma once

#include "nic/nic_observer.hpp"
#include "systemc/network/observer.hpp"

namespace annelid {

/// Either may be nullptr.
struct Observers {
  NicObserver* nic = nullptr;
  FabricObserver* fabric = nullptr;
};

}  // namespace annelid
