#include "cli/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
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

}  // namespace

void put_text(std::string_view text) { write(terminal_text(text)); }

void put_coloured(Colour colour, std::string_view text) {
  if (isatty(STDOUT_FILENO) != 1) return put_text(text);
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
