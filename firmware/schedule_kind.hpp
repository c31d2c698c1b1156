// What to ask of the program that counts the cycles of schedules (schedule_cost.hpp).
#pragma once

#include <cstdint>

namespace annelid::firmware {

enum class ScheduleKind : std::uint32_t {
  kTwoTree = 1,  ///< neighbours, colours and first steps in both trees
  kTwoTreeShifted,
  kTwoTreeScan,
  kCirculantReceives,
  kCirculantSends,
};

}  // namespace annelid::firmware
