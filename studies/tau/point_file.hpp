// Files of measured times: CSV, and what the OSU micro-benchmarks print.
#pragma once

#include <string>
#include <vector>

#include "reference/costs/communication_models.hpp"

namespace annelid::studies {

struct PointFile {
  std::string title;       ///< the file, and what the benchmark calls itself
  std::string unit;        ///< of the times: "cycles", "us"; empty: the file does not say
  bool has_nodes = false;  ///< the file has a column of nodes; without, points have 2
  std::vector<reference::models::Point> points;  ///< in the order of the file, at least one
};

/// Parses the text of a file. Columns are separated by commas, semicolons, tabs or blanks. Text
/// behind `#` is a comment. A first line of names may name the columns: bytes and time, and also
/// nodes, messages, sender and receiver (reference::models::Point). Without it there are two
/// columns, bytes and time. In the output of an OSU benchmark, the comment "# Size ... Latency
/// (us)" names the columns, and what a launcher printed before its first line does not count.
///
/// Times are above 0, and lengths whole numbers in ascending order, each once for each number of
/// nodes and messages. Throws InputError with the file, the line, what was found and expected.
[[nodiscard]] PointFile parse_points(const std::string& file, const std::string& text);

}  // namespace annelid::studies
