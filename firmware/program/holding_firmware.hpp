// The firmware built for the host, which plays plans as the core does: for tests.
#pragma once

#include <memory>

#include "firmware/native.hpp"

namespace annelid::firmware {

/// The NIC holds the sends of its plans (Node::holds()). Those of make_native_firmware() wait in
/// the firmware, which takes no time between two messages.
std::unique_ptr<NativeFirmware> make_holding_firmware(RegisterBus& bus);

}  // namespace annelid::firmware
