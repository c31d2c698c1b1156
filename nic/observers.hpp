// The observers of a NIC.
#pragma once

#include "nic/nic_observer.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::nic {

/// Either may be nullptr.
struct Observers {
  NicObserver* nic = nullptr;
  systemc::FabricObserver* fabric = nullptr;
};

}  // namespace annelid::nic
