#include "testbench/end_to_end/program.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace annelid::end_to_end {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::string program() {
  const char* const other = std::getenv("ANNELID_PROGRAM");
  return other != nullptr ? other : ANNELID_PROGRAM;
}

Workplace::Workplace() {
  std::string name = (std::filesystem::temp_directory_path() / "annelid-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  folder_ = name;
}

Workplace::~Workplace() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Workplace::file(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name).string();
}

std::string Workplace::payload(std::size_t bytes) const {
  std::string text(bytes, '\0');
  std::uint32_t x = 12345;
  for (char& c : text) {
    x = x * 1664525u + 1013904223u;
    c = static_cast<char>(x >> 24);
  }
  return file("payload-" + std::to_string(bytes), text);
}

Outcome Workplace::annelid(const std::string& arguments) const {
  return shell(std::string("cd ") + ANNELID_SOURCE_DIR + " && $A " + arguments);
}

Outcome Workplace::shell(const std::string& command) const {
  const std::string whole = "cd " + folder_.string() + " && A=" + program() + " && (" + command +
                            ") >" + path("stdout").string() + " 2>" + path("stderr").string() +
                            " </dev/null";
  const int status = std::system(whole.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path("stdout")), read(path("stderr"))};
}

Outcome Workplace::run(const std::string& arguments, const std::string& out) const {
  return annelid("run scenarios/edn-broadcast-8x8.toml --out " + path(out).string() + " " +
                 arguments);
}

nlohmann::json Workplace::result(const std::string& out) const {
  return nlohmann::json::parse(read(path(out) / "result.json"));
}

std::string Workplace::text(const std::string& name) const { return read(path(name)); }

void expect_refused(const Workplace& w, const Outcome& o, const std::vector<std::string>& parts) {
  EXPECT_EQ(o.status, 2) << o.err;
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  EXPECT_EQ(o.out, "");
  for (const std::string& part : parts) EXPECT_THAT(o.err, ::testing::HasSubstr(part));
  EXPECT_FALSE(std::filesystem::exists(w.path("out") / "result.json"));
  EXPECT_FALSE(std::filesystem::exists(w.path("out") / "sweep.csv"));
}

}  // namespace annelid::end_to_end
