// Stops firmware that detects a fault of its own.
#pragma once

namespace annelid::firmware {

/// Stops the node. On RV32 this is an EBREAK, which ends the run and reports node and pc. Native
/// firmware prints `reason` and calls std::abort. Use it for states that correct firmware cannot
/// reach, never for errors that a host's call or a peer can cause.
[[noreturn]] void stop(const char* reason);

}  // namespace annelid::firmware
