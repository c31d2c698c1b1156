// What a core needs of a NIC, made for tests: node memory, a queue of events that are raised in
// given cycles, and a timer. It steps the processor as a NIC does, in the cycles that the processor
// asks for and when an event is raised, or in every cycle.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "nic/processor.hpp"

namespace annelid::test {

class Board : public nic::Bus {
 public:
  // The registers: one that takes the oldest event (it reads how many wait), which events count at
  // all (0: none), and the timer's two halves.
  static constexpr std::uint32_t kTake = 0x40000000, kEnable = 0x40000004, kTimer = 0x40000008,
                                 kTimerHigh = 0x4000000c;
  static constexpr std::uint32_t kMemory = 0x80000000, kMemoryBytes = 1024;

  struct Access {
    Cycle time = 0;
    std::uint32_t address = 0, value = 0;  ///< what was stored, or loaded
    bool store = false;
    std::uint8_t bytes = 0;
    friend bool operator==(const Access&, const Access&) = default;
  };

  enum class Steps { kAsAsked, kEveryCycle };

  /// `events`: the cycles in which one is raised, ascending.
  explicit Board(std::vector<Cycle> events = {}) : events_(std::move(events)) {}

  /// Runs a core on `image`, to its halt or to cycle `end`.
  void run(const nic::Image& image, Cycle end, Cycle run_ahead = 4096,
           Steps steps = Steps::kAsAsked, nic::CoreTracer* tracer = nullptr);
  void run(nic::Processor& processor, Cycle end, Steps steps);
  /// From now on the words of memory are private. Then accesses() has no access to a whole word.
  void make_memory_private() { memory_is_private_ = true; }

  [[nodiscard]] const std::vector<Access>& accesses() const { return accesses_; }
  /// The values of the stores, in order.
  [[nodiscard]] std::vector<std::uint32_t> stored() const;
  [[nodiscard]] const std::vector<std::uint32_t>& memory() const { return memory_; }
  [[nodiscard]] const std::optional<nic::Trap>& trap() const { return trap_; }
  [[nodiscard]] Cycle halted_in() const { return halted_in_; }
  [[nodiscard]] Cycle now() const { return now_; }
  /// Calls of Processor::step().
  [[nodiscard]] int steps() const { return steps_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  /// mip in cycle `t`, if it has come.
  [[nodiscard]] std::uint32_t mip(Cycle t) const;

  std::optional<std::uint32_t> access(const nic::BusAccess& access) override;
  [[nodiscard]] nic::PrivateWords private_words() override;
  [[nodiscard]] std::uint32_t pending() const override { return mip(now_); }
  [[nodiscard]] Cycle timer() const override;
  void halted(const nic::Trap& trap) override;

 private:
  /// Raised in cycles before `t`.
  [[nodiscard]] std::size_t raised_before(Cycle t) const;
  [[nodiscard]] std::uint32_t mip_after(Cycle t) const;

  const std::vector<Cycle> events_;
  std::size_t taken_ = 0;
  std::uint32_t enable_ = 1;
  std::uint64_t timer_ = ~std::uint64_t{0};
  std::vector<std::uint32_t> memory_ = std::vector<std::uint32_t>(kMemoryBytes / 4);
  Cycle now_ = 0;
  std::map<Cycle, std::uint32_t> mip_;  // from this cycle on, up to the next entry
  std::vector<Access> accesses_;
  std::optional<nic::Trap> trap_;
  Cycle halted_in_ = 0;
  int steps_ = 0;
  bool memory_is_private_ = false;
  std::uint64_t instructions_ = 0;
};

}  // namespace annelid::test
