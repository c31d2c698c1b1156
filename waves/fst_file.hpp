// An FST file: header, blocks of changes, and the names of the signals, which come last.
#pragma once

#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.hpp"

namespace annelid::waves {

/// Writes the format that GTKWave's fstapi.c reads (its library can write it too, but needs several
/// times longer for each change, mostly to turn bits into characters and back).
class FstFile {
 public:
  /// Throws InputError with the path.
  explicit FstFile(const std::filesystem::path& path);

  void open_scope(std::string_view name);
  void close_scope();
  /// A new signal; `width` 0: text. The result is its number, from 0 on.
  std::uint32_t add_signal(std::string_view name, std::uint32_t width);
  /// A second name in the current scope.
  void add_alias(std::string_view name, std::uint32_t signal);

  /// A block of changes, see FstBlock.
  void append(const std::string& block);
  /// The rest; `begin` and `end` are the first and last time. Throws RunFailure if the file is not
  /// complete; then nothing of it remains.
  void close(std::uint64_t begin, std::uint64_t end);

 private:
  [[nodiscard]] std::string header(std::uint64_t begin, std::uint64_t end) const;
  [[nodiscard]] std::string geometry() const;
  [[nodiscard]] std::string hierarchy() const;
  void add_name(std::string_view name, std::uint32_t width, std::uint32_t handle);

  OutputFile file_;
  std::ostream& out_ = file_.stream();
  std::string names_;  // scopes and signals, as the file's last block has them
  std::vector<std::uint32_t> widths_;
  std::uint64_t scopes_ = 0, names_count_ = 0, blocks_ = 0;
};

}  // namespace annelid::waves
