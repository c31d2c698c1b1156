// A file that is there completely or not at all: written beside its place, then renamed.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace annelid {

class OutputFile {
 public:
  /// `what` names the file in messages: an option, or its path.
  OutputFile(std::filesystem::path path, std::string what);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Leaves nothing behind unless commit() was called.
  ~OutputFile();

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Puts the file in its place. Throws InputError if it could not be written.
  void commit();

 private:
  std::filesystem::path path_, part_;
  std::string what_;
  std::ofstream stream_;
  bool committed_ = false;
};

}  // namespace annelid
