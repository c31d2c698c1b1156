#include "studies/tau/point_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/csv.hpp"
#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/parse_number.hpp"
#include "base/split.hpp"

namespace annelid::studies {
namespace {

using MeasuredPoint = reference::models::Point;

constexpr double kMostBytes = 0x1p53;  // whole numbers are exact up to here
constexpr std::size_t kLongestFound = 40;

enum class Column : std::uint8_t { kBytes, kTime, kNodes, kMessages, kSender, kReceiver, kOther };

struct ColumnName {
  std::string_view name;
  Column column;
};
/// kOther columns are there for people, such as those of points.csv.
constexpr std::array kColumnNames = {
    ColumnName{"bytes", Column::kBytes},       ColumnName{"size", Column::kBytes},
    ColumnName{"length", Column::kBytes},      ColumnName{"time", Column::kTime},
    ColumnName{"latency", Column::kTime},      ColumnName{"avg latency", Column::kTime},
    ColumnName{"cycles", Column::kTime},       ColumnName{"us", Column::kTime},
    ColumnName{"nodes", Column::kNodes},       ColumnName{"processes", Column::kNodes},
    ColumnName{"messages", Column::kMessages}, ColumnName{"sender", Column::kSender},
    ColumnName{"receiver", Column::kReceiver}, ColumnName{"command", Column::kOther},
    ColumnName{"min latency", Column::kOther}, ColumnName{"max latency", Column::kOther},
    ColumnName{"iterations", Column::kOther}};
constexpr const char* kNamesExpected =
    "bytes and time, and perhaps nodes, messages, sender, receiver";

/// A field without the blanks and quotes around it.
std::string_view bare(std::string_view text) { return trimmed(text, " \t\r\""); }

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  const std::size_t separator = line.find_first_of(",;\t");
  if (separator == std::string_view::npos) {
    for (const std::string_view part : split(line, " ")) {
      if (!bare(part).empty()) fields.emplace_back(bare(part));
    }
  } else if (line[separator] == ',') {
    const auto rows = split_csv(std::string(line) + "\n");
    if (rows.empty()) return fields;  // a quote is open
    for (const std::string& part : rows.front()) fields.emplace_back(bare(part));
  } else {
    for (const std::string_view part : split(line, line.substr(separator, 1))) {
      fields.emplace_back(bare(part));
    }
  }
  return fields;
}

std::optional<double> measured_number(std::string_view text) {
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::string quoted_field(std::string_view text) {
  const bool is_long = text.size() > kLongestFound;
  return fmt::format("\"{}{}\"", text.substr(0, kLongestFound), is_long ? "..." : "");
}

/// "Latency (us)" is the name "latency" and the unit "us".
std::pair<std::string, std::string> name_and_unit(std::string_view title) {
  const std::size_t open = title.find_first_of("([");
  std::string name, unit;
  for (const char c : bare(title.substr(0, open))) {
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (open != std::string_view::npos) {
    const std::string_view rest = title.substr(open + 1);
    unit = bare(rest.substr(0, rest.find_first_of(")]")));
  }
  if (name == "us" || name == "cycles") unit = name;
  return {name, unit};
}

/// Reads a file line by line.
class PointReader {
 public:
  PointReader(const std::string& file, bool is_osu) : file_(file), is_osu_(is_osu) {
    result_.title = file;
  }

  void read(std::string_view line) {
    ++line_;
    const std::size_t hash = line.find('#');
    if (hash != std::string_view::npos) {
      if (is_osu_ && bare(line.substr(0, hash)).empty()) {
        read_osu_comment(bare(line.substr(hash + 1)));
      }
      line = line.substr(0, hash);
    }
    if (bare(line).empty() || (is_osu_ && !osu_begun_)) return;
    const std::vector<std::string> fields = fields_of(trimmed(line));
    if (fields.empty()) refuse(quoted_field(line), "columns with closed quotes");
    if (columns_.empty() && !is_osu_ && !measured_number(fields.front())) {
      read_names(fields);
    } else {
      read_point(fields);
    }
  }

  PointFile result() {
    if (result_.points.empty()) {
      throw InputError(file_, "no points",
                       "a result.json of annelid run, lines with a length in bytes and a time, or "
                       "what an OSU benchmark prints");
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void refuse(const std::string& found, const std::string& expected) const {
    throw InputError(fmt::format("{}:{}", file_, line_), found, expected);
  }

  /// "OSU MPI Latency Test v5.6.2", "Datatype: MPI_CHAR.", "Size          Latency (us)".
  void read_osu_comment(std::string_view text) {
    if (text.starts_with("OSU ")) {
      if (osu_begun_) refuse("a second output of an OSU benchmark", "one in each file");
      osu_begun_ = true;
      result_.title += fmt::format(" ({})", text);
      return;
    }
    const bool has_size = text.starts_with("Size");
    if (has_size) osu_begun_ = true;  // the line before it may have been cut off
    if (!osu_begun_ || !columns_.empty()) return;
    if (!has_size && text.find("(us)") == std::string_view::npos) return;
    if (!has_size || text.find("Latency") == std::string_view::npos) {
      refuse(quoted_field(text),
             "\"Size\" and \"Latency (us)\", as osu_latency and osu_bcast print");
    }
    columns_ = {Column::kBytes, Column::kTime};  // of others behind them, Min, Max, Iterations
    result_.unit = "us";
  }

  void read_names(const std::vector<std::string>& fields) {
    std::vector<std::string_view> known;
    known.reserve(std::size(kColumnNames));
    for (const ColumnName& c : kColumnNames) known.push_back(c.name);
    for (const std::string& field : fields) {
      const auto [name, unit] = name_and_unit(field);
      const auto found = std::ranges::find(kColumnNames, name, &ColumnName::name);
      if (found == kColumnNames.end()) {
        refuse("the column " + quoted_field(field), kNamesExpected + did_you_mean(name, known));
      }
      if (found->column != Column::kOther && std::ranges::count(columns_, found->column) > 0) {
        refuse("a second column of the kind of " + quoted_field(field), "one");
      }
      columns_.push_back(found->column);
      if (found->column == Column::kTime) result_.unit = unit;
    }
    for (const Column needed : {Column::kBytes, Column::kTime}) {
      if (std::ranges::find(columns_, needed) == columns_.end()) {
        refuse(fmt::format("no column of {}", needed == Column::kBytes ? "bytes" : "time"),
               kNamesExpected);
      }
    }
    result_.has_nodes = std::ranges::find(columns_, Column::kNodes) != columns_.end();
  }

  void read_point(const std::vector<std::string>& fields) {
    if (is_osu_ && columns_.empty()) {
      refuse("a line before the names of the columns", "\"# Size ... Latency (us)\" before it");
    }
    const bool without_names = columns_.empty();
    if (without_names) columns_ = {Column::kBytes, Column::kTime};
    if (is_osu_ ? fields.size() < columns_.size() : fields.size() != columns_.size()) {
      refuse(fmt::format("{} column{}", fields.size(), fields.size() == 1 ? "" : "s"),
             without_names ? "two, a length in bytes and a time, or a first line with their names"
                           : fmt::format("{}", columns_.size()));
    }
    MeasuredPoint point;
    for (std::size_t i = 0; i < columns_.size(); ++i) set(point, columns_[i], fields[i]);
    require_ascending(point);
    result_.points.push_back(point);
  }

  void set(MeasuredPoint& point, Column column, std::string_view field) const {
    switch (column) {
      case Column::kBytes:
        point.bytes = whole(field, 0, "a length in bytes, a whole number of at least 0");
        break;
      case Column::kNodes:
        point.nodes = whole(field, 1, "a number of nodes, at least 1");
        break;
      case Column::kMessages:
        point.messages = whole(field, 1, "a number of messages, at least 1");
        break;
      case Column::kTime:
        point.time = time(field);
        if (point.time == 0) refuse(quoted_field(field), "a time above 0");
        break;
      case Column::kSender:
        if (!field.empty()) point.sender = time(field);
        break;
      case Column::kReceiver:
        if (!field.empty()) point.receiver = time(field);
        break;
      default:
        break;
    }
  }
  [[nodiscard]] double whole(std::string_view field, double least, const char* expected) const {
    const auto value = measured_number(field);
    if (!value || *value < least || *value > kMostBytes || *value != std::floor(*value)) {
      refuse(quoted_field(field), expected);
    }
    return *value;
  }
  [[nodiscard]] double time(std::string_view field) const {
    const auto value = measured_number(field);
    if (!value) refuse(quoted_field(field), "a number, a time");
    if (*value < 0) refuse(quoted_field(field), "a time above 0");
    return *value;
  }

  void require_ascending(const MeasuredPoint& point) {
    const auto [before, is_first] =
        last_.try_emplace({point.nodes, point.messages}, Last{point.bytes, line_});
    if (is_first) return;
    const Last last = std::exchange(before->second, Last{point.bytes, line_});
    if (point.bytes == last.bytes) {
      refuse(fmt::format("the length {} a second time, after line {}", point.bytes, last.line),
             "each length once");
    }
    if (point.bytes < last.bytes) {
      refuse(fmt::format("the length {} behind {}", point.bytes, last.bytes), "ascending lengths");
    }
  }

  struct Last {
    double bytes = 0;
    std::size_t line = 0;
  };

  const std::string& file_;
  const bool is_osu_;
  bool osu_begun_ = false;
  std::size_t line_ = 0;
  std::vector<Column> columns_;
  std::map<std::pair<double, double>, Last> last_;  ///< by nodes and messages
  PointFile result_;
};

bool is_osu_line(std::string_view line) {
  line = bare(line);
  return line.starts_with("# OSU ") ||
         (line.starts_with("# Size") && line.find("Latency") != std::string_view::npos);
}

}  // namespace

PointFile parse_points(const std::string& file, const std::string& text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view rest = text;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  const std::vector<std::string_view> lines = split(rest, "\n");
  PointReader reader(file, std::ranges::any_of(lines, is_osu_line));
  for (const std::string_view line : lines) reader.read(line);
  return reader.result();
}

}  // namespace annelid::studies
