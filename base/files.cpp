#include "base/files.hpp"

#include <fmt/format.h>

#include <limits>
#include <system_error>

#include "base/input_error.hpp"
#include "base/new_file.hpp"
#include "base/output_file.hpp"

namespace annelid {
namespace fs = std::filesystem;
namespace {

/// Tools of other systems begin a text with it, to say that it is UTF-8.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Takes these bytes if a file begins with them. Otherwise it gives back those that it has read,
/// which a pipe allows, too.
bool begins_with(std::ifstream& in, std::string_view bytes) {
  std::size_t taken = 0;
  for (; taken < bytes.size(); ++taken) {
    if (in.peek() != static_cast<unsigned char>(bytes[taken])) break;
    (void)in.get();
  }
  in.clear();
  if (taken == bytes.size()) return true;
  for (; taken > 0; --taken) in.unget();
  return false;
}

/// All that follows, as bytes or as characters.
template <typename Bytes>
Bytes rest_of(std::ifstream in, const fs::path& file, const std::string& where, std::size_t limit) {
  Bytes bytes;
  std::vector<char> chunk(1 << 16);
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())) || in.gcount() > 0) {
    const auto* first = reinterpret_cast<const typename Bytes::value_type*>(chunk.data());
    bytes.insert(bytes.end(), first, first + in.gcount());
    if (bytes.size() > limit) {
      throw InputError(where, fmt::format("\"{}\", longer than {} bytes", file.string(), limit),
                       fmt::format("a file of 0 to {} bytes", limit));
    }
  }
  return bytes;
}

}  // namespace

std::ifstream open_file(const fs::path& file, const std::string& where,
                        const std::string& expected) {
  std::error_code error;
  const fs::file_type type = fs::status(file, error).type();
  std::ifstream in(file, std::ios::binary);
  const char* const fault = type == fs::file_type::not_found   ? "no such file"
                            : type == fs::file_type::directory ? "a folder"
                            : !in                              ? "an unreadable file"
                                                               : nullptr;
  if (fault == nullptr) return in;
  const bool named = where == file.string();
  throw InputError(where, named ? fault : fmt::format("{}: \"{}\"", fault, file.string()),
                   expected);
}

std::ifstream open_text(const fs::path& file, const std::string& where,
                        const std::string& expected) {
  std::ifstream in = open_file(file, where, expected);
  if (begins_with(in, "\xff\xfe") || begins_with(in, "\xfe\xff")) {
    throw InputError(where, "a text in UTF-16", "one in UTF-8");
  }
  (void)begins_with(in, kByteOrderMark);
  return in;
}

std::vector<std::byte> read_file(const fs::path& file, const std::string& where, std::size_t limit,
                                 const std::string& expected) {
  return rest_of<std::vector<std::byte>>(open_file(file, where, expected), file, where, limit);
}

std::string read_text(const fs::path& file, const std::string& where, std::size_t limit,
                      const std::string& expected) {
  return rest_of<std::string>(open_text(file, where, expected), file, where, limit);
}

std::string read_text(const fs::path& file) {
  return read_text(file, file.string(), std::numeric_limits<std::size_t>::max());
}

fs::path real_place(const fs::path& file) {
  std::error_code error;
  fs::path place = fs::absolute(followed(file), error);
  if (error) return file;
  fs::path real = fs::weakly_canonical(place, error);
  if (error) return place.lexically_normal();  // whoever opens it says what is wrong
  return real;
}

void write_file(const fs::path& file, std::string_view text) {
  OutputFile out(file, file.string());
  out.stream().write(text.data(), static_cast<std::streamsize>(text.size()));
  out.commit();
}

}  // namespace annelid
