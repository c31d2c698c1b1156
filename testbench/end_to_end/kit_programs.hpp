// Programs for the nodes that a test compiles with annelid firmware build.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "testbench/end_to_end/program.hpp"

namespace annelid::end_to_end {

inline const std::string kExamples = std::string(ANNELID_SOURCE_DIR) + "/examples/programs/";
inline const std::string kPrograms =
    std::string(ANNELID_SOURCE_DIR) + "/testbench/end_to_end/programs/";

/// The modes of CCL, as options of annelid firmware run.
inline const std::vector<std::string> kModes = {"--mode barrier", "--mode non-barrier",
                                                "--mode barrier --develop",
                                                "--mode non-barrier --develop"};

/// Compiles a source, and returns the path of the program.
inline std::string built(const Workplace& w, const std::string& source,
                         const std::string& options = "") {
  const std::string elf = w.path("built.elf").string();
  const Outcome o = w.annelid("firmware build " + source + " -o " + elf + options);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.err, "") << "no warnings";
  return elf;
}
inline std::string built_text(const Workplace& w, const std::string& name,
                              const std::string& text) {
  return built(w, w.file(name, text));
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace annelid::end_to_end
