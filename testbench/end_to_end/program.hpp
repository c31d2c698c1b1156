// Runs the annelid program as its user does, and reads what it leaves behind.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace annelid::end_to_end {

/// The path of the program that the tests run: what the environment variable ANNELID_PROGRAM says,
/// or that of the same build.
[[nodiscard]] std::string program();

struct Outcome {
  int status = -1;  ///< exit status; -1 if it was killed
  std::string out, err;
};

/// A folder of the test case's own, empty at first and removed at the end.
class Workplace {
 public:
  Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace();

  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  /// A file with this text; returns its path.
  std::string file(const std::string& name, const std::string& text) const;
  /// A file of so many bytes that differ from each other; returns its path.
  std::string payload(std::size_t bytes) const;

  /// annelid with these arguments, from the root of the sources, output into files.
  [[nodiscard]] Outcome annelid(const std::string& arguments) const;
  /// What a shell makes of a command, in which $A is annelid, from this folder.
  [[nodiscard]] Outcome shell(const std::string& command) const;
  /// annelid run of the 8x8 scenario with --out into a folder of this name.
  [[nodiscard]] Outcome run(const std::string& arguments, const std::string& out = "out") const;
  [[nodiscard]] nlohmann::json result(const std::string& out = "out") const;
  [[nodiscard]] std::string text(const std::string& name) const;

 private:
  std::filesystem::path folder_;
};

/// One line on standard error that contains all of `parts`; status 2; nothing half-written.
void expect_refused(const Workplace& w, const Outcome& o, const std::vector<std::string>& parts);

/// Arguments that are refused, as the parameter of a test.
struct Refusal {
  const char* name;
  const char* arguments;
  std::vector<std::string> parts;  ///< of the error
};
/// For INSTANTIATE_TEST_SUITE_P.
inline std::string name_of(const ::testing::TestParamInfo<Refusal>& test) {
  return test.param.name;
}

}  // namespace annelid::end_to_end
