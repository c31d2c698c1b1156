#include "cli/standard_output.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/run_failure.hpp"
#include "base/text.hpp"

namespace annelid::cli {
namespace {

int first_error = 0;  // errno of the first text that was not written

}  // namespace

void put_text(std::string_view text) {
  const std::string shown = terminal_text(text);
  const bool good = std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size();
  if (!good && first_error == 0) first_error = errno;
}

void finish_output() {
  const bool good = std::fflush(stdout) == 0;
  if (!good && first_error == 0) first_error = errno;
  if (first_error == 0) return;
  throw RunFailure(std::string("standard output cannot be written: ") + std::strerror(first_error));
}

}  // namespace annelid::cli
