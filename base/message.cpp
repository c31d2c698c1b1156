#include "base/message.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>

namespace annelid {

std::string message_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return "out of memory: a smaller network or shorter messages need less";
  }
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error)) {
    return fmt::format("\"{}\": {}", file->path1().string(), file->code().message());
  }
  return error.what();
}

}  // namespace annelid
