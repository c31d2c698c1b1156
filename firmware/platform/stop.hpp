// The end of a firmware that finds itself broken.
#pragma once

namespace annelid::firmware {

/// Stops the node. On RV32 this is an EBREAK, which ends the run and reports node and pc. Natively
/// it prints `reason` and calls std::abort. Use it for what cannot happen in correct firmware,
/// never for what a host's call or a peer can cause.
[[noreturn]] void stop(const char* reason);

}  // namespace annelid::firmware
