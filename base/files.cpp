#include "base/files.hpp"

#include <fmt/format.h>

#include <fstream>
#include <limits>

#include "base/input_error.hpp"
#include "base/output_file.hpp"

namespace annelid {
namespace fs = std::filesystem;

std::vector<std::byte> read_file(const fs::path& file, const std::string& where,
                                 std::size_t limit) {
  std::error_code error;
  const auto status = fs::status(file, error);
  if (!fs::exists(status)) {
    throw InputError(where, fmt::format("no file \"{}\"", file.string()), "a readable file");
  }
  std::ifstream in(file, std::ios::binary);
  if (fs::is_directory(status) || !in) {
    throw InputError(where, fmt::format("\"{}\", which cannot be read", file.string()),
                     "a readable file");
  }
  std::vector<std::byte> bytes;
  std::vector<char> chunk(1 << 16);
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0) {
    const auto* first = reinterpret_cast<const std::byte*>(chunk.data());
    bytes.insert(bytes.end(), first, first + in.gcount());
    if (bytes.size() > limit) {
      throw InputError(where, fmt::format("\"{}\", longer than {} bytes", file.string(), limit),
                       fmt::format("a file of 0 to {} bytes", limit));
    }
  }
  return bytes;
}

std::string read_text(const fs::path& file) {
  const auto bytes = read_file(file, file.string(), std::numeric_limits<std::size_t>::max());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void require_writable(const fs::path& file, const std::string& where) {
  std::error_code error;
  const fs::path probe = file.string() + ".tmp";
  const bool good = !fs::is_directory(file) && std::ofstream(probe).good();
  fs::remove(probe, error);
  if (!good) {
    throw InputError(where, fmt::format("\"{}\", which cannot be written", file.string()),
                     "a path where a file can be made");
  }
}

bool same_file(const fs::path& a, const fs::path& b) {
  return fs::weakly_canonical(fs::absolute(a)) == fs::weakly_canonical(fs::absolute(b));
}

void prepare_folder(const fs::path& folder, std::initializer_list<const char*> files) {
  std::error_code exists_or_not_writable;
  fs::create_directories(folder, exists_or_not_writable);
  for (const char* file : files) require_writable(folder / file, "--out");
}

fs::path prepare_result(const fs::path& folder) {
  prepare_folder(folder, {"result.json"});
  fs::path json = folder / "result.json";
  fs::remove(json);
  return json;
}

void write_file(const fs::path& file, std::string_view text) {
  OutputFile out(file, file.string());
  out.stream().write(text.data(), static_cast<std::streamsize>(text.size()));
  out.commit();
}

}  // namespace annelid
