// The `annelid` program.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <new>
#include <string_view>

#include "base/result_folder.hpp"
#include "base/standard_error.hpp"
#include "cli/program.hpp"

// libsystemc wants this symbol; the program has a main() of its own.
extern "C" int sc_main(int, char**) { return 0; }

namespace {

/// Not every library that is in use here can be unwound when there is no memory: the program ends
/// where it is. What it has stored is complete, and the next one goes on from there.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view kText =
      "annelid: out of memory: a smaller network or shorter messages need less\n";
  (void)!write(STDERR_FILENO, kText.data(), kText.size());
  annelid::leave_result_folders();
  _exit(1);
}

/// The folder of the results does not stay locked, and vanishes if it is empty and new. Calls only
/// what a signal may.
void end_by_signal(int number) {
  annelid::leave_result_folders();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

/// Signals that a user started the program without, as nohup does, stay ignored.
void clean_up_after_signals() {
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
    if (std::signal(number, end_by_signal) == SIG_IGN) std::signal(number, SIG_IGN);
  }
}

/// The stack that every command can do with. With less it would end by SIGSEGV, without a word.
constexpr rlim_t kLeastStack = rlim_t{512} << 10;

bool has_stack() {
  rlimit limit{};
  return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kLeastStack;
}

}  // namespace

int main(int argc, char** argv) {
  annelid::occupy_standard_descriptors();
  if (!has_stack()) {
    annelid::put_error(
        "annelid: ulimit -s: found a stack of less than 512 KiB, expected at least that, as "
        "ulimit -s 8192 gives\n");
    return 2;
  }
  std::set_new_handler(end_without_memory);
  clean_up_after_signals();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too long is then an error, with a message
  return annelid::cli::run_command_line(argc, argv);
}
