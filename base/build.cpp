#include "base/build.hpp"

#include <fmt/format.h>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/fnv1a.hpp"

namespace annelid {

const std::string& build_name() {
  static const std::string name = fmt::format("{:016x}", fnv1a(read_text(own_program())));
  return name;
}

}  // namespace annelid
