// What a user is told about an exception.
#pragma once

#include <exception>
#include <string>

namespace annelid {

/// what(), but in plain words where what() is a term of the C++ library: memory that ran out, and
/// paths that the system refuses.
[[nodiscard]] std::string message_of(const std::exception& error);

}  // namespace annelid
