#include "base/thread_team.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

namespace annelid {
namespace {

// Threads meet once in a window of cycles, within microseconds of each other, unless one has no
// processor: then spinning would keep one from it.
int spins(int threads) {
  return static_cast<unsigned>(threads) <= std::thread::hardware_concurrency() ? 2000 : 0;
}

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

/// What a thread shows to the others is written before a meeting and read before the next one. It
/// is in the team, which outlives a thread that ends early.
class alignas(64) ThreadTeam::Member final : public Exchange {
 public:
  Member(ThreadTeam& team, int thread) : team_(team), thread_(thread) {}

  int process() const override { return thread_; }
  int processes() const override { return static_cast<int>(team_.members_.size()); }
  Traffic traffic() const override { return traffic_; }

  // A box is written again two messages later. By then the other thread has sent a message since it
  // took this one.
  void swap(std::span<Link> links) override {
    if (ends_.empty()) connect(links);
    const auto number = static_cast<std::uint32_t>(traffic_.swaps++);
    for (std::size_t i = 0; i < links.size(); ++i) {
      traffic_.bytes += links[i].out.size() * sizeof(std::uint32_t);
      Box& box = *ends_[i].out;
      box.words[number & 1].swap(links[i].out);
      box.sent.store(number + 1, std::memory_order_release);
      box.sent.notify_one();
    }
    traffic_.messages += links.size();
    for (std::size_t i = 0; i < links.size(); ++i) {
      Box& box = *ends_[i].in;
      team_.await_change(box.sent, number);
      links[i].in.swap(box.words[number & 1]);
    }
  }

  void least(std::span<std::uint64_t> values) override {
    combine(values, [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
  }
  void begin_least(std::span<std::uint64_t> values) override { asked_ = values; }
  void end_least() override { least(asked_); }
  void sum(std::span<std::uint64_t> values) override {
    combine(values, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  }

  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override {
    bytes_.assign(bytes.begin(), bytes.end());
    team_.meet();
    std::vector<std::vector<std::byte>> all;
    if (thread_ == 0) {
      for (const auto& member : team_.members_) all.push_back(std::move(member->bytes_));
    }
    team_.meet();
    return all;
  }

  [[noreturn]] void abort(int status) override { std::_Exit(status); }

 private:
  struct Ends {
    Box *out, *in;
  };
  void connect(std::span<Link> links) {
    for (const Link& link : links) {
      ends_.push_back(
          {&team_.box(thread_, link.send_tag), &team_.box(link.peer, link.receive_tag)});
    }
  }

  template <typename Combine>
  void combine(std::span<std::uint64_t> values, Combine combined) {
    values_.assign(values.begin(), values.end());
    team_.meet();
    for (const auto& member : team_.members_) {
      if (member.get() == this) continue;
      for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = combined(values[i], member->values_[i]);
      }
    }
    team_.meet();
  }

  ThreadTeam& team_;
  const int thread_;
  Traffic traffic_;
  std::vector<Ends> ends_;  // by link
  std::vector<std::byte> bytes_;
  std::vector<std::uint64_t> values_;
  std::span<std::uint64_t> asked_;
};

ThreadTeam::ThreadTeam(int threads) : spins_(spins(threads)) {
  for (int thread = 0; thread < threads; ++thread) {
    members_.push_back(std::make_unique<Member>(*this, thread));
  }
}

ThreadTeam::~ThreadTeam() = default;

Exchange& ThreadTeam::exchange(int thread) { return *members_[static_cast<std::size_t>(thread)]; }

void ThreadTeam::await_change(std::atomic<std::uint32_t>& value, std::uint32_t old) {
  for (int spin = 0; value.load(std::memory_order_acquire) == old; ++spin) {
    if (failed_.load(std::memory_order_acquire)) throw EndedByOther{};
    if (spin < spins_) {
      pause_briefly();
    } else {
      value.wait(old, std::memory_order_acquire);
    }
  }
}

void ThreadTeam::meet() {
  const std::uint32_t meeting = meetings_.load(std::memory_order_acquire);
  if (waiting_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_.size()) {
    waiting_.store(0, std::memory_order_relaxed);
    meetings_.fetch_add(1, std::memory_order_release);
    meetings_.notify_all();
  } else {
    await_change(meetings_, meeting);
  }
  if (failed_.load(std::memory_order_acquire)) throw EndedByOther{};
}

ThreadTeam::Box& ThreadTeam::box(int sender, int tag) {
  const std::lock_guard lock(boxes_mutex_);
  return boxes_[{sender, tag}];
}

// The failed thread sends nothing and comes to no meeting, so nobody may wait for it. A thread that
// is about to sleep must see a change.
void ThreadTeam::fail() {
  failed_.store(true, std::memory_order_release);
  const auto wake = [](std::atomic<std::uint32_t>& value) {
    value.fetch_add(1, std::memory_order_release);
    value.notify_all();
  };
  wake(meetings_);
  const std::lock_guard lock(boxes_mutex_);
  for (auto& [ends, box] : boxes_) wake(box.sent);
}

void ThreadTeam::run(const std::function<void(int thread)>& job) {
  std::vector<std::exception_ptr> failures(members_.size());
  const auto run_one = [&](std::size_t thread) {
    try {
      job(static_cast<int>(thread));
    } catch (const EndedByOther&) {
    } catch (...) {
      failures[thread] = std::current_exception();
      fail();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t thread = 1; thread < members_.size(); ++thread)
      threads.emplace_back(run_one, thread);
    run_one(0);
  }
  const auto failure = std::ranges::find_if(
      failures, [](const std::exception_ptr& each) { return each != nullptr; });
  if (failure != failures.end()) std::rethrow_exception(*failure);
}

}  // namespace annelid
