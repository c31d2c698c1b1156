// Reads an FST file: its names, and the values of chosen signals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace annelid::waves {

class FstReader {
 public:
  /// A name of a signal, with scopes and range. Names of one wire have the same number.
  struct Name {
    std::string full;
    std::uint32_t signal = 0;
  };
  /// A value and its first time; bits as text of 0 and 1.
  struct Change {
    std::uint64_t time = 0;
    std::string value;
  };

  /// Throws std::runtime_error with the path if it is no FST file.
  explicit FstReader(const std::filesystem::path& path);
  ~FstReader();
  FstReader(const FstReader&) = delete;
  FstReader& operator=(const FstReader&) = delete;

  /// In the file's order.
  [[nodiscard]] const std::vector<Name>& names() const { return names_; }
  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }

  /// The changes of these signals, in the order of `signals`. Each call reads the file.
  [[nodiscard]] std::vector<std::vector<Change>> read(const std::vector<std::uint32_t>& signals);

 private:
  void* file_;  // the FST library's reader
  std::vector<Name> names_;
  std::uint64_t begin_ = 0, end_ = 0;
};

}  // namespace annelid::waves
