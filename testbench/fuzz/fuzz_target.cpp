// A format under libFuzzer: scripts/fuzz. The variable ANNELID_FORMAT names it.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/input_error.hpp"
#include "testbench/fuzz/targets.hpp"

namespace {

/// A file in memory. It has a path of its own, as a program's input has.
class MemoryFile {
 public:
  MemoryFile() : path_("/dev/shm/annelid-fuzz-" + std::to_string(::getpid())) {}
  ~MemoryFile() { std::filesystem::remove(path_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::filesystem::path& write(const std::uint8_t* data, std::size_t size) {
    std::FILE* const file = std::fopen(path_.c_str(), "wb");
    if (file == nullptr || std::fwrite(data, 1, size, file) != size) std::abort();
    std::fclose(file);
    return path_;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static MemoryFile file;
  static const annelid::fuzz::Target& target = annelid::fuzz::target(std::getenv("ANNELID_FORMAT"));
  try {
    target.read(file.write(data, size));
  } catch (const annelid::InputError&) {  // what the user is told
  }
  return 0;
}
