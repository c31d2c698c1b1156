#include "studies/reproduce/schedule_core.hpp"

#include <fmt/format.h>

#include <span>
#include <stdexcept>

#include "firmware/image.hpp"
#include "firmware/schedule_kind.hpp"
#include "interface/registers.hpp"

namespace annelid::studies {
namespace {

using firmware::ScheduleKind;

nic::Image schedule_cost_program() {
  const std::span<const std::byte> elf = schedule_cost_image();
  return nic::load_elf({elf.begin(), elf.end()});
}

}  // namespace

ScheduleCore::ScheduleCore() : image_(schedule_cost_program()), core_(image_, 0) {}

std::uint64_t ScheduleCore::cycles(reproduction::CoreSchedule schedule, int processes,
                                   int process) {
  const auto cost = [&](ScheduleKind kind) {
    return run(static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(processes),
               static_cast<std::uint32_t>(process));
  };
  switch (schedule) {
    case reproduction::CoreSchedule::kTwoTree:
      return cost(ScheduleKind::kTwoTree);
    case reproduction::CoreSchedule::kTwoTreeShifted:
      return cost(ScheduleKind::kTwoTreeShifted);
    case reproduction::CoreSchedule::kCirculant:
      break;
  }
  return cost(ScheduleKind::kCirculantReceives) + cost(ScheduleKind::kCirculantSends);
}

std::uint64_t ScheduleCore::run(std::uint32_t kind, std::uint32_t processes,
                                std::uint32_t process) {
  constexpr Cycle kLongest = 10'000'000;
  words_ = {kind, processes, process};
  if (core_.state() == nic::Core::State::kAsleep) core_.wake(core_.time());
  const Cycle limit = core_.time() + kLongest;
  while (core_.time() < limit) {
    switch (core_.run(limit, {0, kNever})) {
      case nic::Core::State::kRunning:
        break;
      case nic::Core::State::kAsleep:
        return words_[5];
      case nic::Core::State::kBus:
        answer(core_.access());
        break;
      case nic::Core::State::kWrite:
        throw std::runtime_error("schedule_cost.elf: it writes text");
      case nic::Core::State::kHalted:
        throw std::runtime_error(
            fmt::format("schedule_cost.elf: trap {} at {:#x}", core_.trap().cause, core_.pc()));
    }
  }
  throw std::runtime_error("schedule_cost.elf: no end");
}

void ScheduleCore::answer(const nic::BusAccess& access) {
  const std::uint32_t word = (access.address - reg::kMemoryBase) / 4;
  if (access.address < reg::kMemoryBase || access.bytes != 4 || word >= words_.size()) {
    throw std::runtime_error(fmt::format(
        "schedule_cost.elf: access to {:#x}, expected six words of node memory", access.address));
  }
  if (access.store) words_[word] = access.value;
  core_.finish(access.store ? 0 : words_[word]);
}

}  // namespace annelid::studies
