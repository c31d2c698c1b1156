// Parsers for the tools' output.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace annelid::cost {

/// Returns the area of each cell of a liberty library, in the library's unit.
std::map<std::string, double> parse_liberty_areas(const std::string& liberty);

/// The output of Yosys' `stat -liberty`.
struct Statistics {
  double area = 0;                            ///< "Chip area", in the library's unit
  std::map<std::string, std::int64_t> cells;  ///< number of each type
  [[nodiscard]] std::int64_t total() const;
};
/// Throws CostError if there is no table of cells in the text.
Statistics parse_statistics(const std::string& text);

/// A path of `report_checks` of OpenSTA. Times in ns.
struct TimingPath {
  std::string start, end;  ///< instance or port
  double arrival = 0;      ///< at the end, from the clock edge
  double input_delay = 0;  ///< the part before an input port
  double setup = 0;        ///< of the register at the end
};
/// Returns all paths of the text, in order. Throws CostError if one is cut off.
std::vector<TimingPath> parse_timing_paths(const std::string& text);

/// The fields of `nextpnr --report` that matter.
struct PlaceAndRoute {
  std::int64_t cells = 0;
  double clock_mhz = 0;
};
/// Throws CostError if the text is no such report.
PlaceAndRoute parse_nextpnr_report(const std::string& json);

}  // namespace annelid::cost
