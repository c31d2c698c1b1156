// The RV32 core with the firmware's code that finds schedules, and with nothing else of a node:
// what finding a schedule costs (Sanders, Speck and Traeff 2009, Section 6.4).
#pragma once

#include <array>
#include <cstdint>

#include "nic/core.hpp"
#include "studies/reproduce/laboratory.hpp"

namespace annelid::studies {

class ScheduleCore {
 public:
  ScheduleCore();

  /// Returns the cycles that the core takes to find the schedule of one process of `processes`.
  /// Throws std::runtime_error if the program does anything but that.
  std::uint64_t cycles(reproduction::CoreSchedule schedule, int processes, int process);

 private:
  std::uint64_t run(std::uint32_t kind, std::uint32_t processes, std::uint32_t process);
  void answer(const nic::BusAccess& access);

  nic::Image image_;
  nic::Core core_;
  /// Node memory: kind, processes, process; digest, instructions, cycles.
  std::array<std::uint32_t, 6> words_ = {};
};

}  // namespace annelid::studies
