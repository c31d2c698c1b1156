// Reads an FST file back: every signal's values by time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace annelid::waves {

class WaveFile {
 public:
  /// Throws std::runtime_error if it is no FST file.
  explicit WaveFile(const std::filesystem::path& path);

  /// A change of a signal; bits as text of 0 and 1, most significant first; text without its
  /// colour.
  struct Change {
    std::uint64_t time;
    std::string value;
    friend bool operator==(const Change&, const Change&) = default;
  };
  /// All changes of a signal, e.g. "noc.n_0_0.xp.out.vc[2:0]". Throws std::out_of_range without it.
  [[nodiscard]] const std::vector<Change>& changes(const std::string& name) const;
  /// Its value at a time: text, or a number for bits; fails the test before the first change.
  [[nodiscard]] std::string text(const std::string& name, std::uint64_t time) const;
  [[nodiscard]] std::uint64_t bits(const std::string& name, std::uint64_t time) const;

  [[nodiscard]] bool has(const std::string& name) const { return handles_.count(name) != 0; }
  [[nodiscard]] std::size_t size() const { return handles_.size(); }
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::uint64_t begin() const { return begin_; }
  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  static void note(void* self, std::uint64_t time, std::uint32_t handle, const unsigned char* value,
                   std::uint32_t length);

  std::map<std::string, std::uint32_t> handles_;
  std::map<std::uint32_t, std::vector<Change>> changes_;
  std::uint64_t begin_ = 0, end_ = 0;
};

}  // namespace annelid::waves
