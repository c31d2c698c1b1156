#include "testbench/simulation/forked_team.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <thread>

namespace annelid::test {
namespace {

constexpr std::size_t kArea = std::size_t{64} << 20;  // pages that are not used cost nothing
constexpr std::size_t kHead = 4096;
constexpr auto kPatience = std::chrono::minutes(5);

}  // namespace

class ForkedTeam::Member final : public Exchange {
 public:
  Member(ForkedTeam& team, int process) : team_(team), process_(process) {}

  int process() const override { return process_; }
  int processes() const override { return team_.processes_; }
  Traffic traffic() const override { return {}; }

  // A message is its tag, its length and its words. Tags are those of a sender.
  void swap(std::span<Link> links) override {
    std::vector<std::uint32_t> said;
    for (const Link& link : links) {
      said.push_back(static_cast<std::uint32_t>(link.send_tag));
      said.push_back(static_cast<std::uint32_t>(link.out.size()));
      said.insert(said.end(), link.out.begin(), link.out.end());
    }
    say(std::as_bytes(std::span(said)));
    for (Link& link : links) {
      const auto words = heard<std::uint32_t>(link.peer);
      std::size_t at = 0;
      while (words.at(at) != static_cast<std::uint32_t>(link.receive_tag)) at += 2 + words[at + 1];
      const auto* const first = words.data() + at + 2;
      link.in.assign(first, first + words[at + 1]);
    }
    team_.meet();
  }

  void least(std::span<std::uint64_t> values) override {
    combine(values, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
  }
  void sum(std::span<std::uint64_t> values) override {
    combine(values, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  }
  void begin_least(std::span<std::uint64_t> values) override { least(values); }
  void end_least() override {}

  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    say(bytes);
    std::vector<std::vector<std::byte>> all;
    for (int from = 0; process_ == 0 && from < processes(); ++from)
      all.push_back(heard<std::byte>(from));
    team_.meet();
    return all;
  }

  [[noreturn]] void abort(int status) override { std::_Exit(status); }

 private:
  void say(std::span<const std::byte> bytes) {
    const std::span<std::byte> own = team_.area(process_);
    const std::size_t size = bytes.size();
    if (size + sizeof size > own.size()) throw std::runtime_error("a message is too long");
    std::memcpy(own.data(), &size, sizeof size);
    if (size > 0) std::memcpy(own.data() + sizeof size, bytes.data(), size);
    team_.meet();
  }
  template <typename T>
  [[nodiscard]] std::vector<T> heard(int from) const {
    const std::span<std::byte> other = team_.area(from);
    std::size_t size = 0;
    std::memcpy(&size, other.data(), sizeof size);
    std::vector<T> values(size / sizeof(T));
    if (size > 0) std::memcpy(values.data(), other.data() + sizeof size, size);
    return values;
  }
  template <typename Combine>
  void combine(std::span<std::uint64_t> values, Combine combined) {
    say(std::as_bytes(values));
    for (int from = 0; from < processes(); ++from) {
      if (from == process_) continue;
      const auto others = heard<std::uint64_t>(from);
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = combined(values[i], others.at(i));
      }
    }
    team_.meet();
  }

  ForkedTeam& team_;
  const int process_;
};

ForkedTeam::ForkedTeam(int processes) : processes_(processes) {
  const std::size_t bytes = kHead + static_cast<std::size_t>(processes) * kArea;
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  shared_ = new (memory) Shared{};
}

ForkedTeam::~ForkedTeam() { munmap(shared_, kHead + static_cast<std::size_t>(processes_) * kArea); }

std::span<std::byte> ForkedTeam::area(int process) const {
  return {reinterpret_cast<std::byte*>(shared_) + kHead + static_cast<std::size_t>(process) * kArea,
          kArea};
}

void ForkedTeam::meet() {
  const std::uint32_t meeting = shared_->meetings.load();
  if (shared_->waiting.fetch_add(1) + 1 == static_cast<std::uint32_t>(processes_)) {
    shared_->waiting.store(0);
    shared_->meetings.fetch_add(1);
    return;
  }
  const auto until = std::chrono::steady_clock::now() + kPatience;
  for (int looks = 0; shared_->meetings.load() == meeting; ++looks) {
    if (shared_->failed.load()) throw EndedByOther{};
    if (looks < 4) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(1));
    }
    if (std::chrono::steady_clock::now() > until) {
      throw std::runtime_error("the other processes do not come");
    }
  }
}

int ForkedTeam::run_one(int process, const std::function<void(Exchange*)>& job) {
  try {
    Member member(*this, process);
    job(processes_ == 1 ? nullptr : &member);
    return 0;
  } catch (const EndedByOther&) {
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "process %d: %s\n", process, error.what());
  }
  shared_->failed.store(true);
  return 1;
}

bool ForkedTeam::run(const std::function<void(Exchange*)>& job) {
  std::vector<pid_t> children;
  for (int process = 0; process < processes_; ++process) {
    const pid_t child = fork();
    if (child == 0) _exit(run_one(process, job));
    children.push_back(child);
  }
  bool well = true;
  for (const pid_t child : children) {
    int status = 0;
    if (waitpid(child, &status, 0) != child || status != 0) {
      well = false;
      shared_->failed.store(true);
    }
  }
  return well;
}

}  // namespace annelid::test
