// What a user is told about input that cannot be used: one line, exit status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace annelid {

/// `where` is "file:line: key" or an option such as "--root".
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& where, const std::string& found, const std::string& expected)
      : InputError(where, "found " + found + ", expected " + expected) {}
  InputError(const std::string& where, const std::string& what)
      : std::runtime_error(where + ": " + what) {}
};

}  // namespace annelid
