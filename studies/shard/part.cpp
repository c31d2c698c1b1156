#include "studies/shard/part.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/json.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;

std::string command_text(const Part& part) {
  std::string text = "annelid";
  for (const std::string& word : part.study.words()) text += " " + word;
  return text;
}

constexpr std::array<std::string_view, 6> kPartKeys = {"shard",   "study",      "inputs",
                                                       "options", "started_in", "build"};

/// The options of part.json: each a name, and a value unless it is a flag.
std::vector<std::vector<std::string>> options_in(const JsonFile& part) {
  constexpr const char* kKey = "options";
  constexpr const char* kExpected = "a list of options, each a list of its name and its value";
  auto all = part.get<std::vector<std::vector<std::string>>>(kKey, kExpected);
  for (const auto& option : all) {
    if (option.size() == 1 || option.size() == 2) continue;
    throw InputError(part.where(kKey), fmt::format("an option of {} texts", option.size()),
                     kExpected);
  }
  return all;
}

}  // namespace

void write_part(const Part& part) {
  const nlohmann::ordered_json json = {{"shard", part.shard.text()},
                                       {"study", part.study.name},
                                       {"inputs", part.study.inputs},
                                       {"options", part.study.options},
                                       {"started_in", part.started_in.string()},
                                       {"build", part.build}};
  write_file(part.folder / kPartFile, json_text(json, 1) + "\n");
}

Part read_part(const fs::path& folder) {
  const fs::path file = folder / kPartFile;
  std::error_code error;
  if (!fs::exists(file, error)) {
    throw InputError(folder.string(),
                     fmt::format("no {}{}", kPartFile, error ? ": " + error.message() : ""),
                     "the folder of a shard that has come to its end (--shard I/N)");
  }
  const JsonFile part(file, kPartKeys);
  return {read_shard(part.text("shard"), part.where("shard")),
          {part.text("study"), part.texts("inputs"), options_in(part)},
          part.text("started_in"),
          part.text("build"),
          folder};
}

void require_whole(std::span<const Part> parts, const std::string& build) {
  const Part& first = parts.front();
  std::map<std::size_t, const Part*> by_number;
  for (const Part& part : parts) {
    const std::string where = part.folder.string();
    if (part.build != build) {
      throw InputError(where, "results of build " + part.build + " of the program",
                       "results of this program, which is build " + build);
    }
    if (part.study != first.study || part.shard.count != first.shard.count) {
      throw InputError(where, fmt::format("shard {} of {}", part.shard.text(), command_text(part)),
                       fmt::format("a shard of {} in {} of {}", first.shard.count,
                                   first.folder.string(), command_text(first)));
    }
    const auto [other, added] = by_number.emplace(part.shard.number, &part);
    if (!added) {
      throw InputError(where, "shard " + part.shard.text(),
                       "another, as " + other->second->folder.string() + " is this one");
    }
  }
  std::string missing;
  for (std::size_t number = 1; number <= first.shard.count; ++number) {
    if (by_number.contains(number)) continue;
    missing += (missing.empty() ? "" : ", ") + Shard{number, first.shard.count}.text();
  }
  if (missing.empty()) return;
  throw InputError("annelid merge",
                   fmt::format("{} of {} shards", by_number.size(), first.shard.count),
                   "also the folders of " + missing);
}

}  // namespace annelid::studies
