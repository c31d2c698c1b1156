#include "cli/shards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/build.hpp"
#include "base/command_files.hpp"
#include "base/result_folder.hpp"
#include "cli/commands.hpp"
#include "cli/program.hpp"
#include "cli/standard_output.hpp"
#include "studies/shard/part.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

/// The words but these options, of which the first ones have a value.
std::vector<std::string> words_without(const std::vector<std::string>& words,
                                       std::span<const std::string_view> with_value,
                                       std::span<const std::string_view> flags) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view name = word.substr(0, word.find('='));
    if (std::ranges::find(flags, name) != flags.end()) continue;
    if (std::ranges::find(with_value, name) == with_value.end()) {
      kept.emplace_back(word);
    } else if (name == word) {
      ++i;  // its value is the next word
    }
  }
  return kept;
}

}  // namespace

std::vector<std::string> study_words(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 4> kWithValue = {"--shard", "--jobs", "--document",
                                                          "--date"};
  constexpr std::array<std::string_view, 2> kFlags = {"--quiet", "--fresh"};
  return words_without(words_without_engine(words), kWithValue, kFlags);
}

std::vector<std::string> words_without_engine(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 6> kWithValue = {"--engine", "--tasks",  "--partition",
                                                          "--time",   "--memory", "--out"};
  return words_without(words, kWithValue, {});
}

ShardedStudy::ShardedStudy(const std::string& text, const std::string& out, fs::path otherwise)
    : folder_(out.empty() ? otherwise : fs::path(out)) {
  if (text.empty()) return;
  shard_ = studies::read_shard(text, "--shard");
  if (!out.empty()) return;
  results_ = std::move(otherwise);
  folder_ = results_ / fmt::format("shard-{}-of-{}", shard_->number, shard_->count);
}

void ShardedStudy::require_apart(const std::vector<std::pair<std::string, std::string>>& inputs,
                                 std::initializer_list<const char*> results) const {
  CommandFiles files;
  for (const auto& [what, file] : inputs) files.reads(what, file);
  files.writes("--out", folder_, results);
  files.writes("--out", folder_, {ResultFolder::kLockFile});
  if (shard_) files.writes("--out", folder_, {studies::kPartFile});
}

void ShardedStudy::begin() const {
  std::error_code not_there;
  if (shard_) fs::remove(folder_ / studies::kPartFile, not_there);
}

void ShardedStudy::end(const std::string& jobs, bool quiet) const {
  fs::create_directories(folder_);  // a shard without jobs has made no file
  studies::write_part(
      {*shard_, study_words(command_line()), fs::current_path(), results_, build_name(), folder_});
  if (quiet) return;
  put("shard {}: {}\n\n  results   {}\n  next      annelid merge {}, once all {} shards are done\n",
      shard_->text(), jobs, folder_.string(),
      results_.empty() ? "--out DIR DIR..." : (results_ / "shard-*").string(), shard_->count);
}

}  // namespace annelid::cli
