#include "base/build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/child_process.hpp"
#include "base/files.hpp"

namespace annelid {
namespace {

/// The fraction of the golden ratio in 64 bits. A product with it has no two preimages, so two
/// programs that differ in one word have two hashes.
constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;

}  // namespace

const std::string& build_name() {
  static const std::string name = build_name_of(own_program());
  return name;
}

std::string build_name_of(const std::filesystem::path& program) {
  std::ifstream in = open_file(program, program.string(), "a program");
  std::vector<std::uint64_t> words(1 << 13);
  const std::size_t chunk = words.size() * sizeof words[0];
  std::uint64_t hash = 0, bytes = 0;
  for (std::size_t got = chunk; got == chunk;) {
    in.read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(chunk));
    got = static_cast<std::size_t>(in.gcount());
    bytes += got;
    std::fill_n(reinterpret_cast<char*>(words.data()) + got, chunk - got, '\0');
    words.resize((got + sizeof words[0] - 1) / sizeof words[0]);
    for (const std::uint64_t word : words) hash = std::rotl((hash ^ word) * kOdd, 32);
  }
  return fmt::format("{:016x}", (hash ^ bytes) * kOdd);
}

std::string BuildCommit::text() const { return commit + (clean ? "" : " with changes"); }

std::optional<BuildCommit> read_build_commit(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return std::nullopt;
  std::istringstream words(read_text(file));
  std::string commit, state;
  words >> commit >> state;
  const bool hexadecimal = commit.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (commit.size() != 10 || !hexadecimal || (state != "clean" && state != "changed")) {
    return std::nullopt;
  }
  return BuildCommit{commit, state == "clean"};
}

std::optional<BuildCommit> build_commit() {
  return read_build_commit(own_program().parent_path().parent_path() / "share/annelid/commit");
}

}  // namespace annelid
