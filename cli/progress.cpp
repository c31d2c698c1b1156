#include "cli/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace annelid::cli {
namespace {

/// Of the terminal; what every terminal has if it does not say.
std::size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string progress_bar(double part) {
  constexpr std::size_t kWidth = 30;
  const auto done = static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * kWidth);
  return "[" + std::string(done, '#') + std::string(kWidth - done, '.') + "]";
}

Progress::Progress(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clear(); }

void Progress::show(std::string_view line) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  // A line that wraps cannot be taken back.
  fmt::print(stderr, "\r\033[K{}", line.substr(0, columns() - 1));
  std::fflush(stderr);
}

void Progress::clear() {
  if (!shown_) return;
  shown_ = false;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace annelid::cli
