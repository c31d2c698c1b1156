// Reads a network from the text of a file.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/files.hpp"
#include "deadlock/network_file.hpp"

namespace annelid::deadlock {

inline Network network_of_text(const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("annelid-network-" + std::to_string(getpid()));
  write_file(file, text);
  struct Remover {
    std::filesystem::path file;
    ~Remover() { std::filesystem::remove(file); }
  } const remover{file};
  return read_network_file(file);
}

}  // namespace annelid::deadlock
