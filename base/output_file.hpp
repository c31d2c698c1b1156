// Writes a file completely or not at all: under another name beside its place, then renamed.
#pragma once

#include <sys/types.h>

#include <array>
#include <filesystem>
#include <ostream>
#include <streambuf>
#include <string>

namespace annelid {

/// Writes to a file descriptor and keeps the first error, which std::ofstream would lose.
class DescriptorBuffer final : public std::streambuf {
 public:
  explicit DescriptorBuffer(int descriptor);
  /// The errno of the first failed write, or 0.
  [[nodiscard]] int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;
  pos_type seekpos(pos_type place, std::ios_base::openmode which) override;

 private:
  bool write_out(const char* text, std::size_t count);

  const int descriptor_;
  int error_ = 0;
  std::array<char, std::size_t{1} << 16> buffer_{};
};

/// Follows a symbolic link and replaces the file that it names. A file that is not regular, such as
/// a device or a pipe, is written directly.
class OutputFile {
 public:
  /// `what` names the file in messages: it is an option or the file's path. Throws InputError if
  /// the file cannot be made.
  OutputFile(std::filesystem::path path, std::string what);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Leaves nothing behind unless commit() was called.
  ~OutputFile();

  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Puts the file in its place. Throws RunFailure if it could not be written.
  void commit();

 private:
  /// Where the bytes go until commit() is called.
  struct Part {
    int descriptor = -1;
    bool direct = false;         ///< written directly to the place itself
    std::filesystem::path name;  ///< of the new file beside the place; empty until it has one
  };
  static Part open_part(const std::filesystem::path& place, const std::string& what);
  [[nodiscard]] std::string failure() const;
  void put_in_place();
  void copy_to_named();

  std::string what_;
  std::filesystem::path place_;  ///< the path after links are followed
  Part part_;
  DescriptorBuffer buffer_;
  std::ostream stream_;
};

/// Whether an OutputFile at this path is written directly and replaces nothing: a device, a pipe,
/// or the program's own standard output or error.
[[nodiscard]] bool is_stream(const std::filesystem::path& file);

/// Throws InputError with `where` if no OutputFile can be made at this path. Leaves an existing
/// file unchanged.
void require_writable(const std::filesystem::path& file, const std::string& where);

}  // namespace annelid
