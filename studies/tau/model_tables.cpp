// The results of a model's fit, as tables and files.
#include <fmt/format.h>

#include <cmath>

#include "base/files.hpp"
#include "base/result_folder.hpp"
#include "studies/reproduce/markdown.hpp"
#include "studies/tau/models.hpp"
#include "studies/tau/tau.hpp"

namespace annelid::studies {
namespace {

using reference::models::Parameter;
using MeasuredPoint = reference::models::Point;
using reference::models::Unit;
using reproduction::Table;

std::string unit_text(Unit unit, const std::string& time) {
  std::string known = time.empty() ? "time" : time;
  const std::string one = time == "cycles" ? "cycle" : known;
  switch (unit) {
    case Unit::kTime:
      return known;
    case Unit::kTimePerByte:
      return known + "/byte";
    case Unit::kBytesPerTime:
      return "bytes/" + one;
    case Unit::kBytes:
      return "bytes";
    default:
      return "";
  }
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

std::string percent(double measured, double fitted) {
  const double deviation = 100 * (measured / fitted - 1);
  return std::abs(deviation) < 0.005 ? "0.00 %" : fmt::format("{:+.2f} %", deviation);
}

}  // namespace

Table parameter_table(const ModelReport& report) {
  Table table{{"parameter", "value", "unit", "meaning"}, {}};
  for (const Parameter& p : report.fit.parameters) {
    table.rows.push_back({p.symbol, p.value ? number(p.value) : "?", unit_text(p.unit, report.unit),
                          p.value ? p.meaning : "not determined: " + p.missing});
  }
  return table;
}

Table point_table(const ModelReport& report) {
  const std::string unit = unit_text(Unit::kTime, report.unit);
  Table table{{"nodes", "messages", "bytes", unit, "by the model", "deviation"}, {}};
  for (std::size_t i = 0; i < report.fit.points.size(); ++i) {
    const MeasuredPoint& p = report.fit.points[i];
    const double fitted = report.fit.fitted[i];
    table.rows.push_back({number(p.nodes), number(p.messages), fmt::format("{}", p.bytes),
                          fmt::format("{}", p.time), fmt::format("{:.6g}", fitted),
                          percent(p.time, fitted)});
  }
  return table;
}

Table check_table(const ModelReport& report) {
  Table table{{"not in the fit", "by the model", unit_text(Unit::kTime, report.unit), "deviation"},
              {}};
  for (const ModelCheck& c : report.checks) {
    table.rows.push_back({c.what, c.predicted ? number(c.predicted) : "?",
                          fmt::format("{}", c.measured),
                          c.predicted ? percent(c.measured, *c.predicted) : ""});
  }
  return table;
}

Table nodes_table(const ModelReport& report) {
  const std::string unit = unit_text(Unit::kTime, report.unit);
  Table table{
      {"n", "t0, " + unit, "r_inf, " + unit_text(Unit::kBytesPerTime, report.unit), "worst"}, {}};
  for (const auto& l : report.fit.lines) {
    table.rows.push_back({number(l.nodes), number(l.fit.line.start),
                          l.fit.line.per_length > 0 ? number(1 / l.fit.line.per_length) : "?",
                          fmt::format("{:.2f} %", 100 * l.fit.worst)});
  }
  return table;
}

std::vector<std::string> growth_lines(const ModelReport& report) {
  if (!report.fit.start_growth || !report.fit.length_growth) {
    return {"t0(n) and r_inf(n) have no order: that takes three numbers of nodes"};
  }
  return {"t0(n)        = " + growth_text(*report.fit.start_growth),
          "1 / r_inf(n) = " + growth_text(*report.fit.length_growth)};
}

void write_model(const ModelReport& report, const std::filesystem::path& folder) {
  const ResultFolder lock(folder, {"points.csv", "parameters.csv", "checks.csv"});
  Table points{
      {"nodes", "messages", "bytes", report.unit.empty() ? "time" : "time (" + report.unit + ")",
       "sender", "receiver", "command"},
      {}};
  for (std::size_t i = 0; i < report.fit.points.size(); ++i) {
    const MeasuredPoint& p = report.fit.points[i];
    points.rows.push_back({number(p.nodes), number(p.messages), fmt::format("{}", p.bytes),
                           fmt::format("{}", p.time), number(p.sender), number(p.receiver),
                           i < report.commands.size() ? report.commands[i] : ""});
  }
  write_file(folder / "points.csv", csv(points));
  write_file(folder / "parameters.csv", csv(parameter_table(report)));
  write_file(folder / "checks.csv", csv(check_table(report)));
}

}  // namespace annelid::studies
