// Stops firmware that detects a fault of its own.
#pragma once

namespace annelid::firmware {

/// Stops the node. On RV32 this is an EBREAK, which ends the run and reports node and pc. Native
/// firmware throws std::logic_error with `reason`, which ends the run. Use it for states that
/// correct firmware cannot reach, never for errors that a host's call or a peer can cause.
[[noreturn]] void stop(const char* reason);

/// For a coroutine that an exception leaves: passes the exception on to whoever resumed it. On RV32
/// there are no exceptions.
[[noreturn]] void leave_coroutine();

}  // namespace annelid::firmware
