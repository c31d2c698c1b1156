#include "studies/cost/reports.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/json.hpp"
#include "studies/cost/estimate.hpp"

namespace annelid::cost {
namespace {

bool starts_with(const std::string& text, const std::string& prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

double number_in(const std::string& line) {
  const std::size_t at = line.find_first_of("-0123456789");
  try {
    return std::stod(line.substr(at == std::string::npos ? line.size() : at));
  } catch (const std::exception&) {
    throw CostError("expected a number in \"" + line + "\"");
  }
}

}  // namespace

std::map<std::string, double> parse_liberty_areas(const std::string& liberty) {
  std::map<std::string, double> areas;
  std::istringstream in(liberty);
  std::string cell;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    line.erase(0, first);
    if (starts_with(line, "cell (") || starts_with(line, "cell(")) {
      const std::size_t open = line.find('(') + 1;
      cell = line.substr(open, line.find(')') - open);
    } else if (!cell.empty() && starts_with(line, "area")) {
      areas[cell] = number_in(line);
      cell.clear();
    }
  }
  return areas;
}

std::int64_t Statistics::total() const {
  std::int64_t sum = 0;
  for (const auto& [type, count] : cells) sum += count;
  return sum;
}

Statistics parse_statistics(const std::string& text) {
  Statistics s;
  std::istringstream in(text);
  bool table = false, found = false;
  for (std::string line; std::getline(in, line);) {
    if (line.find("Number of cells:") != std::string::npos) {
      table = found = true;
      s.cells.clear();  // the last module of the text is the top
    } else if (line.find("Chip area for") != std::string::npos) {
      s.area = number_in(line.substr(line.rfind(':')));
    } else if (table) {
      std::istringstream words(line);
      std::string type;
      std::int64_t count = 0;
      if (words >> type >> count) {
        s.cells[type] = count;
      } else {
        table = false;
      }
    }
  }
  if (!found) throw CostError("Yosys printed no statistics of cells");
  return s;
}

std::vector<TimingPath> parse_timing_paths(const std::string& text) {
  std::vector<TimingPath> paths;
  std::istringstream in(text);
  bool complete = true, arrived = false;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) continue;
    const std::string l = line.substr(first);
    if (starts_with(l, "Startpoint: ")) {
      paths.emplace_back().start = l.substr(12, l.find(" (", 12) - 12);
      complete = arrived = false;
    } else if (paths.empty()) {
      continue;
    } else if (starts_with(l, "Endpoint: ")) {
      paths.back().end = l.substr(10, l.find(" (", 10) - 10);
    } else if (l.find("input external delay") != std::string::npos) {
      paths.back().input_delay = number_in(l);
    } else if (l.find("library setup time") != std::string::npos) {
      paths.back().setup = -number_in(l);
    } else if (l.find("data arrival time") != std::string::npos && !arrived) {
      paths.back().arrival = number_in(l);
      arrived = true;
    } else if (starts_with(l, "slack") || l.find(" slack (") != std::string::npos) {
      complete = arrived;
    }
  }
  if (!complete)
    throw CostError("OpenSTA's report ends within the path from " + paths.back().start);
  return paths;
}

PlaceAndRoute parse_nextpnr_report(const std::string& text) {
  try {
    const auto json = parse_json(text, "nextpnr's report");
    PlaceAndRoute result;
    result.cells = json.at("utilization").at("ICESTORM_LC").at("used").get<std::int64_t>();
    for (const auto& [clock, figures] : json.at("fmax").items()) {
      const double mhz = figures.at("achieved").get<double>();
      if (result.clock_mhz == 0 || mhz < result.clock_mhz) result.clock_mhz = mhz;
    }
    if (result.clock_mhz <= 0) throw CostError("nextpnr reports no clock");
    return result;
  } catch (const nlohmann::json::exception& error) {
    throw CostError(std::string("nextpnr's report cannot be read: ") + error.what());
  }
}

}  // namespace annelid::cost
