#include "base/command_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/output_file.hpp"

namespace annelid {
namespace fs = std::filesystem;

void CommandFiles::reads(const std::string& what, const fs::path& file) {
  if (!file.empty()) add({what, file, real_place(file), false});
}

void CommandFiles::writes(const std::string& what, const fs::path& file) {
  if (!file.empty()) add({what, file, real_place(file), true});
}

void CommandFiles::writes(const std::string& what, const fs::path& folder,
                          std::initializer_list<const char*> files) {
  if (folder.empty()) return;
  for (const char* const file : files) writes(what, folder / file);
}

void CommandFiles::add(Use use) {
  if (is_stream(use.file)) return;
  const auto other = std::ranges::find_if(
      uses_, [&](const Use& u) { return (u.written || use.written) && u.place == use.place; });
  if (other != uses_.end()) {
    const Use& output = use.written ? use : *other;
    const Use& before = use.written ? *other : use;
    const std::string use_before =
        before.written ? before.what + " writes" : "is read as " + before.what;
    throw InputError(output.what, fmt::format("\"{}\", which {}", output.file.string(), use_before),
                     "another file");
  }
  uses_.push_back(std::move(use));
}

}  // namespace annelid
