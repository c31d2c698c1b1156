#include "base/standard_error.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace annelid {
namespace {

/// Keeps a signal away from this thread during its lifetime: one that comes meanwhile vanishes.
class WithoutSignal {
 public:
  explicit WithoutSignal(int signal) {
    sigemptyset(&set_);
    sigaddset(&set_, signal);
    sigset_t pending{};
    sigpending(&pending);
    was_pending_ = sigismember(&pending, signal) == 1;
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  WithoutSignal(const WithoutSignal&) = delete;
  WithoutSignal& operator=(const WithoutSignal&) = delete;
  ~WithoutSignal() {
    constexpr timespec kNow{};
    if (!was_pending_) (void)sigtimedwait(&set_, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t set_{}, before_{};
  bool was_pending_ = false;
};

}  // namespace

void put_error(std::string_view text) noexcept {
  const WithoutSignal no_reader(SIGPIPE);
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void occupy_standard_descriptors() noexcept {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest descriptor that is free is this one. Child processes inherit it, as they would
    // have the same trouble. It leads to the path only, so it can be neither read nor written.
    (void)!open("/", O_PATH);
  }
}

}  // namespace annelid
