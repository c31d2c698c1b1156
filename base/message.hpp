// Turns an exception into a message for the user.
#pragma once

#include <exception>
#include <string>

namespace annelid {

/// Returns error.what(), or plain words where what() is a term of the C++ library: for exhausted
/// memory, and for paths that the system refuses.
[[nodiscard]] std::string message_of(const std::exception& error);

}  // namespace annelid
