#include "base/warning.hpp"

#include <mutex>
#include <set>

#include "base/standard_error.hpp"
#include "base/text.hpp"

namespace annelid {

void warn(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.insert(text).second) put_error("annelid: warning: " + one_line(text) + "\n");
}

}  // namespace annelid
