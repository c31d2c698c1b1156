// A lock of a whole file between processes.
#pragma once

#include <cstdint>

namespace annelid {

enum class Locked : std::uint8_t {
  kYes,
  kByAnother,  ///< another process has the lock
  kUnknown     ///< this file system has no locks, and errno says how it put it
};

/// Takes the lock of an open file, unless another process has it, and never waits. It lasts until
/// the descriptor and its copies are closed. File systems of clusters often have no locks.
[[nodiscard]] Locked lock_file(int descriptor) noexcept;

}  // namespace annelid
