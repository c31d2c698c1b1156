#include "studies/common/program_runs.hpp"

#include <utility>

#include "base/files.hpp"

namespace annelid::studies {
namespace fs = std::filesystem;

ProgramRuns::ProgramRuns(fs::path folder, std::size_t processes)
    : running_(processes), folder_(std::move(folder)) {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

ProgramRuns::~ProgramRuns() {
  running_.end();  // before the folder that they write to goes
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void ProgramRuns::run(std::size_t count, const Arguments& arguments,
                      const std::function<void(const EndedWork&)>& finished) {
  const std::string program = own_program().string();
  const auto out = [&](std::size_t run) { return folder_ / std::to_string(run); };
  const auto log = [&](std::size_t run) { return folder_ / (std::to_string(run) + ".log"); };
  running_.run(
      count,
      [&](std::size_t run) -> std::optional<pid_t> {
        auto words = arguments(run);
        if (!words) return std::nullopt;
        words->insert(words->end(), {"--out", out(run).string()});
        return start_process(program, *words, log(run));
      },
      [&](std::size_t run, int status) {
        finished({run, status, read_text(status == 0 ? out(run) / "result.json" : log(run))});
        fs::remove_all(out(run));
        fs::remove(log(run));
      });
}

}  // namespace annelid::studies
