#include "base/cache_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/fnv1a.hpp"

namespace annelid {
namespace {

std::filesystem::path variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path cache_folder(const char* what) {
  if (const auto own = variable("ANNELID_CACHE_DIR"); !own.empty()) return own / what;
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) return xdg / "annelid" / what;
  if (const auto home = variable("HOME"); !home.empty()) return home / ".cache/annelid" / what;
  return {};
}

std::string digest(std::string_view text) {
  return fmt::format("{:016x}{:016x}", fnv1a(text), fnv1a(text, 0x9e3779b97f4a7c15U));
}

}  // namespace annelid
