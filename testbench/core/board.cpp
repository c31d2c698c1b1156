#include "testbench/core/board.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace annelid::test {

std::size_t Board::raised_before(Cycle t) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(events_, t) - events_.begin());
}

/// What the end of cycle t leaves in the register mip for t + 1.
std::uint32_t Board::mip_after(Cycle t) const {
  const bool external = enable_ != 0 && raised_before(t + 1) > taken_;
  return (external ? 0x800u : 0u) | (t >= timer_ ? 0x80u : 0u);
}

std::uint32_t Board::mip(Cycle t) const {
  const auto later = mip_.upper_bound(t);
  return later == mip_.begin() ? 0 : std::prev(later)->second;
}

Cycle Board::timer() const { return timer_ == kNever ? kNever : timer_ + 1; }

std::optional<std::uint32_t> Board::access(const nic::BusAccess& a) {
  std::uint32_t value = a.value;
  if (a.address == kTake && !a.store) {
    value = static_cast<std::uint32_t>(raised_before(now_) - taken_);
    if (value > 0) ++taken_;
  } else if (a.address == kEnable && a.store) {
    enable_ = value;
  } else if (a.address == kTimer && a.store) {
    timer_ = timer_ >> 32 << 32 | value;
  } else if (a.address == kTimerHigh && a.store) {
    timer_ = std::uint64_t{value} << 32 | static_cast<std::uint32_t>(timer_);
  } else if (a.address >= kMemory && a.address - kMemory <= kMemoryBytes - a.bytes) {
    for (std::uint32_t i = 0; i < a.bytes; ++i) {
      const std::uint32_t at = a.address - kMemory + i, shift = at % 4 * 8;
      std::uint32_t& word = memory_[at / 4];
      if (a.store) word = (word & ~(0xffU << shift)) | (value >> 8 * i & 0xff) << shift;
      if (!a.store) value = (i == 0 ? 0 : value) | (word >> shift & 0xff) << 8 * i;
    }
  } else {
    return std::nullopt;
  }
  accesses_.push_back({now_, a.address, value, a.store, a.bytes});
  return value;
}

nic::PrivateWords Board::private_words() {
  static const std::vector<nic::PrivateWords::Word> kAll(kMemoryBytes / 4, {true, ~0U});
  if (!memory_is_private_) return {};
  return {kMemory, memory_, kAll};
}

void Board::halted(const nic::Trap& trap) {
  trap_ = trap;
  halted_in_ = now_;
}

void Board::run(nic::Processor& processor, Cycle end, Steps steps) {
  for (now_ = 0; now_ < end && !trap_;) {
    processor.step(now_);
    ++steps_;
    const std::uint32_t after = mip_after(now_);
    mip_[now_ + 1] = after;
    Cycle next = now_ + 1;
    if (steps == Steps::kAsAsked) {
      const nic::Processor::Next asked = processor.next(now_);
      next = (after & asked.awaits) != 0 ? now_ + 1 : asked.at;
      if (next <= now_) throw std::logic_error("next() gave a cycle that has passed");
      // As in a NIC, an event brings a step of its own.
      const std::size_t raised = raised_before(now_ + 1);
      if (raised < events_.size()) next = std::min(next, events_[raised] + 1);
    }
    // Between the steps only the timer changes mip.
    if (timer_ > now_ && timer_ < next) mip_[timer_ + 1] = mip_after(timer_);
    mip_[next] = mip_after(next - 1);
    now_ = next;
  }
  instructions_ = processor.instructions();
}

void Board::run(const nic::Image& image, Cycle end, Cycle run_ahead, Steps steps,
                nic::CoreTracer* tracer) {
  const auto processor = make_core_processor(image, 0, *this, run_ahead);
  processor->core()->set_tracer(tracer);
  run(*processor, end, steps);
}

std::vector<std::uint32_t> Board::stored() const {
  std::vector<std::uint32_t> values;
  for (const Access& a : accesses_) {
    if (a.store) values.push_back(a.value);
  }
  return values;
}

}  // namespace annelid::test
