// What a user is told about input that cannot be used: one line, exit status 2.
#pragma once

#include <stdexcept>
#include <string>

namespace annelid::cli {

/// `where` is "file:line: key" or an option such as "--root".
class InputError : public std::runtime_error {
 public:
  InputError(const std::string& where, const std::string& found, const std::string& expected)
      : std::runtime_error(where + ": found " + found + ", expected " + expected) {}
};

}  // namespace annelid::cli
