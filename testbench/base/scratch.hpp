// A folder of a test's own.
#pragma once

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "base/files.hpp"
#include "base/new_file.hpp"

namespace annelid {

class Scratch {
 public:
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const {
    return folder_.path() / name;
  }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(*this / name) << text;
  }
  [[nodiscard]] std::string text(const std::string& name) const { return read_text(*this / name); }
  [[nodiscard]] std::set<std::string> names() const {
    std::set<std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      all.insert(entry.path().filename());
    }
    return all;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace annelid
