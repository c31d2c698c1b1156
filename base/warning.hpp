// Warnings: the command goes on, but the user should know something.
#pragma once

#include <string>

namespace annelid {

/// Writes "annelid: warning: TEXT" to standard error, as one line. The same text is written once in
/// the life of a process.
void warn(const std::string& text);

}  // namespace annelid
