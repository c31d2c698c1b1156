#include "studies/slurm/shares.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "base/input_error.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"
#include "base/text.hpp"
#include "studies/common/kept_files.hpp"

namespace annelid::studies {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const ArrayStudy& study, std::size_t share) {
  return study.folder / fmt::format("shard-{}-of-{}", share, study.tasks);
}

/// The file's text; empty if it cannot be read, as it may not be there yet.
std::string text_so_far(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// "12-0": the array's number, and how often Slurm had started the task before.
std::optional<ShareStart> start_in(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const std::size_t dash = name.find('-');
  if (dash == std::string::npos) return std::nullopt;
  const auto job = parse_number<std::size_t>(std::string_view(name).substr(0, dash));
  const auto restart = parse_number<std::size_t>(std::string_view(name).substr(dash + 1));
  if (!job || !restart) return std::nullopt;
  const std::string status = text_so_far(folder / "status");
  return ShareStart{*job, *restart, folder, parse_number<int>(trimmed(status, "\n"))};
}

}  // namespace

std::string script_text(const ArrayStudy& study) {
  std::string command = shell_word(study.program.string());
  for (const std::string& word : study.study.words()) command += " " + shell_word(word);
  return fmt::format(
      R"(#!/bin/sh
# A share of a study, as a task of a Slurm array. annelid --engine slurm wrote this file.
cd {} || exit
share={}/shard-$SLURM_ARRAY_TASK_ID-of-{}
# Each start has a folder of its own: the one before may still be running, on a node that Slurm has lost.
start=$share/$SLURM_ARRAY_JOB_ID-${{SLURM_RESTART_COUNT:-0}}
mkdir -p "$start" || exit
exec >"$start/log.txt" 2>&1
# It goes on from the results of the start that came furthest.
for file in {} {}; do
  most=$(cd "$share" && ls -S -- */"$file" 2>/dev/null | head -n 1)
  [ -z "$most" ] || cp -- "$share/$most" "$start/$file"
done
{} --jobs {} --shard "$SLURM_ARRAY_TASK_ID/{}" --out "$start"
status=$?
echo $status >"$start/status"
exit $status
)",
      shell_word(study.started_in.string()), shell_word(study.folder.string()), study.tasks,
      fmt::join(kRowFiles, " "), kMeasurements, command, study.request.cores, study.tasks);
}

std::vector<ShareStart> starts_of(const ArrayStudy& study, std::size_t share) {
  std::vector<ShareStart> starts;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder_of(study, share), none)) {
    if (auto start = start_in(entry.path())) starts.push_back(*std::move(start));
  }
  std::ranges::sort(starts, {}, [](const ShareStart& s) { return std::pair(s.job, s.restart); });
  return starts;
}

std::optional<Part> finished_part(const ArrayStudy& study, std::size_t share) {
  for (const ShareStart& start : starts_of(study, share)) {
    std::error_code error;
    if (!fs::exists(start.folder / kPartFile, error)) continue;
    Part part = read_part(start.folder);
    if (part.shard == Shard{share, study.tasks} && part.study == study.study &&
        part.started_in == study.started_in && part.build == study.build) {
      return part;
    }
  }
  return std::nullopt;
}

std::size_t rows_of(const ShareStart& start) {
  std::size_t rows = 0;
  for (const char* const file : kRowFiles) {
    const std::string text = text_so_far(start.folder / file);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    rows += std::max<std::size_t>(lines, 1) - 1;  // the first one has the names
  }
  return rows;
}

std::string last_lines(const ShareStart& start) {
  constexpr std::size_t kMost = 20;
  const std::string log = text_so_far(start.log());
  std::vector<std::string_view> lines = split(trimmed(log, "\n"), "\n");
  if (lines.size() > kMost) lines.erase(lines.begin(), lines.end() - kMost);
  std::string text;
  for (const std::string_view line : lines) {
    if (!line.empty()) text += "\n  " + one_line(line);
  }
  return text;
}

ShareState state_of(bool finished, const std::optional<int>& status, const SlurmTask* task) {
  constexpr int kSignals = 128;  // a status above says that a signal ended it, as Slurm's own do
  if (finished) return ShareState::kFinished;
  if (status && *status > 0 && *status < kSignals) return ShareState::kFailed;
  if (task == nullptr) return ShareState::kEnded;
  if (task->active()) return ShareState::kGoesOn;
  return task->lost() ? ShareState::kLost : ShareState::kEnded;
}

}  // namespace annelid::studies
