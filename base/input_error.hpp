// The error for input that cannot be used. The user sees one line, and the exit status is 2.
#pragma once

#include <stdexcept>
#include <string>

#include "base/text.hpp"

namespace annelid {

/// `where` is "file:line: key" or an option such as "--root".
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& where, const std::string& found, const std::string& expected)
      : InputError(where, "found " + excerpt(found) + ", expected " + expected) {}
  /// Names and values in it may be anybody's: it stays one line that a user can read, and a NUL
  /// does not end it.
  InputError(const std::string& where, const std::string& what)
      : std::runtime_error(excerpt(where + ": " + what, kLongest)) {}

 private:
  static constexpr std::size_t kLongest = 8000;
};

}  // namespace annelid
