#include "cli/shards.hpp"

#include <fmt/format.h>

#include <system_error>
#include <vector>

#include "base/build.hpp"
#include "base/command_files.hpp"
#include "base/result_folder.hpp"
#include "cli/program.hpp"
#include "cli/standard_output.hpp"
#include "cli/study_words.hpp"
#include "studies/shard/part.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string folder_name(const studies::Shard& shard) {
  return fmt::format("shard-{}-of-{}", shard.number, shard.count);
}

ShardedStudy::ShardedStudy(const std::string& text, const std::string& out,
                           const fs::path& otherwise)
    : folder_(out.empty() ? otherwise : fs::path(out)) {
  if (text.empty()) return;
  shard_ = studies::read_shard(text, "--shard");
  if (out.empty()) folder_ = otherwise / folder_name(*shard_);
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
      {*shard_, study_of(command_line()), fs::current_path(), build_name(), folder_});
  if (quiet) return;
  put("shard {}: {}\n\n  results   {}\n  next      annelid merge {}, once all {} shards are done\n",
      shard_->text(), jobs, folder_.string(),
      folder_.filename() == folder_name(*shard_) ? (folder_.parent_path() / "shard-*").string()
                                                 : "--out DIR DIR...",
      shard_->count);
}

}  // namespace annelid::cli
