#include "cli/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/run_failure.hpp"

namespace annelid::cli {
namespace {

int first_error = 0;  // errno of the first text that was not written

void write(std::string_view text) {
  const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!good && first_error == 0) first_error = errno;
}

/// A terminal has colours, unless the user wants none (https://no-color.org). mpirun gives its
/// processes a terminal in place of a file.
bool wants_colour() {
  const char* const none = std::getenv("NO_COLOR");
  return isatty(STDOUT_FILENO) == 1 && (none == nullptr || *none == '\0');
}

}  // namespace

void put_text(std::string_view text) { write(terminal_text(text)); }

void put_coloured(Colour colour, std::string_view text) {
  if (!wants_colour()) return put_text(text);
  write(colour == Colour::kRed ? "\033[31m" : "\033[32m");
  put_text(text);
  write("\033[0m");
}

void finish_output() {
  const bool good = std::fflush(stdout) == 0;
  if (!good && first_error == 0) first_error = errno;
  if (first_error == 0) return;
  throw RunFailure(std::string("standard output cannot be written: ") + std::strerror(first_error));
}

}  // namespace annelid::cli
