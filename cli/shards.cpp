#include "cli/shards.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
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

/// The words of the whole study: without what belongs to one shard, or to one machine.
std::vector<std::string> study_words(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 3> kWithValue = {"--shard", "--out", "--jobs"};
  constexpr std::array<std::string_view, 2> kFlags = {"--quiet", "--fresh"};
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const std::string_view name = word.substr(0, word.find('='));
    if (std::ranges::find(kFlags, name) != kFlags.end()) continue;
    if (std::ranges::find(kWithValue, name) == kWithValue.end()) {
      kept.emplace_back(word);
    } else if (name == word) {
      ++i;  // its value is the next word
    }
  }
  return kept;
}

}  // namespace

void add_shard_option(CLI::App& command, std::string& text) {
  command
      .add_option("--shard", text,
                  "Does only share I of N, from 1 to N. annelid merge joins the shares.")
      ->type_name("I/N");
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
