// The end of a firmware that finds itself broken.
#pragma once

namespace annelid::firmware {

/// Stops the node. On RV32 an EBREAK, which ends the run with node and pc; natively std::abort
/// after `reason` was printed. For what cannot happen in a correct firmware, never for what a
/// host's call or a peer can cause.
[[noreturn]] void stop(const char* reason);

}  // namespace annelid::firmware
