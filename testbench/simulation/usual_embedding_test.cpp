// The embedding that is taken if the user asks for none, against the figures that it was chosen by:
// the table of docs/internals/algorithms/groups.md, "Which embedding".
#include "simulation/scenario/usual_embedding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace annelid::simulation {
namespace {

using reference::Embedding;
using reference::Network;
using reference::Operation;

using Figures = std::array<int, reference::kEmbeddings>;  ///< cycles by embedding
/// A row: figures of the 8x8 mesh, the 16x16 mesh, the 8x8 torus, the 16x16 torus.
struct Row {
  const reference::Algorithm* algorithm = nullptr;
  std::vector<Figures> figures;
};

const reference::Algorithm* find(const std::string& operation, const std::string& name) {
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (a.by_rank && name_of(a.operation) == operation && a.name == name) return &a;
  }
  return nullptr;
}

std::vector<Row> documented() {
  std::ifstream page(ANNELID_SOURCE_DIR "/docs/internals/algorithms/groups.md");
  const std::regex row(R"(\| ([a-z-]+) \| ([a-z-]+) \|(.*)\|)");
  const std::regex cell(R"((\d+) / (\d+) / (\d+) \()");
  std::vector<Row> rows;
  for (std::string line; std::getline(page, line);) {
    std::smatch parts;
    if (!std::regex_match(line, parts, row)) continue;
    const reference::Algorithm* algorithm = find(parts[1], parts[2]);
    if (algorithm == nullptr) continue;
    std::string cells = parts[3];
    std::erase(cells, '*');
    Row& found = rows.emplace_back(Row{algorithm, {}});
    for (std::sregex_iterator c(cells.begin(), cells.end(), cell), end; c != end; ++c) {
      found.figures.push_back({std::stoi((*c)[1]), std::stoi((*c)[2]), std::stoi((*c)[3])});
    }
  }
  return rows;
}

/// Rows come first where several are as fast.
Embedding fastest(const Figures& cycles) {
  return static_cast<Embedding>(std::ranges::min_element(cycles) - cycles.begin());
}

Network torus(int side) { return {side, side, 1, {true, true, false}}; }

TEST(UsualEmbedding, IsTheFastestOfTheTableInEverySize) {
  const std::array<Network, 4> networks = {Network{8, 8}, Network{16, 16}, torus(8), torus(16)};
  const std::vector<Row> rows = documented();
  for (const Row& row : rows) {
    ASSERT_EQ(row.figures.size(), networks.size()) << row.algorithm->name;
    for (std::size_t n = 0; n < networks.size(); ++n) {
      EXPECT_EQ(usual_embedding(*row.algorithm, networks[n]), fastest(row.figures[n]))
          << name_of(row.algorithm->operation) << ' ' << row.algorithm->name << " on "
          << to_string(networks[n]);
    }
  }
  // Every algorithm by rank counts, but for exclusive scans, synchronizations without bytes, and
  // InterCom, whose logical mesh says where its messages go.
  std::size_t all = 0;
  for (const reference::Algorithm& a : reference::algorithms()) {
    const bool left_out = a.operation == Operation::kExscan || a.operation == Operation::kSyncIn ||
                          a.operation == Operation::kSyncOut || a.name == "intercom";
    all += a.by_rank && !left_out ? 1 : 0;
  }
  EXPECT_EQ(rows.size(), all);
}

TEST(UsualEmbedding, OfAnotherSizeIsThatOfTheLikelierOne) {
  const reference::Algorithm& scan = *find("scan", "two-tree");
  const auto of = [&](const Network& net) { return usual_embedding(scan, net); };
  const Embedding small = of({8, 8}), large = of({16, 16});
  ASSERT_NE(small, large);  // else the algorithm tells nothing
  EXPECT_EQ(of({16, 8}), small);
  EXPECT_EQ(of({3, 1}), small);
  EXPECT_EQ(of({43, 3}), large);
  EXPECT_EQ(of({4, 8, 5}), large);
  EXPECT_EQ(of({5, 3, 1, {false, true, false}}), of(torus(8)));  // a single ring
}

TEST(UsualEmbedding, OfAnExclusiveScanIsThatOfTheScan) {
  for (const reference::Algorithm& a : reference::algorithms()) {
    if (!a.by_rank || a.operation != Operation::kExscan) continue;
    for (const Network& net : {Network{8, 8}, Network{16, 16}, torus(8), torus(16)}) {
      EXPECT_EQ(usual_embedding(a, net), usual_embedding(*find("scan", std::string(a.name)), net))
          << a.name;
    }
  }
}

TEST(UsualEmbedding, OnTheIdealNetworkIsRows) {
  for (const reference::Algorithm& a : reference::algorithms()) {
    EXPECT_EQ(usual_embedding(a, {16, 16, 1, {}, true}), Embedding::kRows) << a.name;
  }
}

}  // namespace
}  // namespace annelid::simulation
