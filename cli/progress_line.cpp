#include "cli/progress_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/standard_error.hpp"
#include "base/text.hpp"

namespace annelid::cli {
namespace {

/// The columns of the terminal, or those that every terminal has if it does not say.
std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

ProgressLine::ProgressLine(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() { take_away(); }

void ProgressLine::show(std::string_view line) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  // A line that wraps cannot be taken back.
  put_error("\r\033[K" + one_line(line).substr(0, columns() - 1));
}

void ProgressLine::take_away() {
  if (!shown_) return;
  shown_ = false;
  put_error("\r\033[K");
}

}  // namespace annelid::cli
