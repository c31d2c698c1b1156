#include "base/progress.hpp"

#include <algorithm>

namespace annelid {

std::string progress_bar(double part) {
  constexpr std::size_t kWidth = 30;
  const auto done = static_cast<std::size_t>(std::clamp(part, 0.0, 1.0) * kWidth);
  return "[" + std::string(done, '#') + std::string(kWidth - done, '.') + "]";
}

}  // namespace annelid
