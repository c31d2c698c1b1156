// The table of block schedules, checked from its text: nothing here is shared with what made it or
// with those who use it. State space: every block of schedules/blocks.inc, plain and mirrored in
// every combination of dimensions; every plan.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Cell = std::array<int, 3>;

struct Sent {
  int step;
  Cell from, to;
};

struct Block {
  Cell size;
  int steps = 0;
  std::vector<std::array<int, 3>> lines;  ///< step, from, to, as in the file
};

std::vector<std::pair<std::string, std::vector<int>>> entries(const std::string& file) {
  std::ifstream in(std::string(ANNELID_SOURCE_DIR "/schedules/") + file);
  EXPECT_TRUE(in) << file;
  static const std::regex kEntry(R"((BLOCK|M|PLAN)\(([0-9, ]*)\))");
  std::vector<std::pair<std::string, std::vector<int>>> all;
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find("//"));
    for (std::sregex_iterator i(line.begin(), line.end(), kEntry), end; i != end; ++i) {
      std::vector<int> numbers;
      std::istringstream arguments((*i)[2]);
      for (std::string n; std::getline(arguments, n, ',');) numbers.push_back(std::stoi(n));
      all.emplace_back((*i)[1], numbers);
    }
  }
  return all;
}

const std::vector<Block>& blocks() {
  static const std::vector<Block> all = [] {
    std::vector<Block> read;
    for (const auto& [name, n] : entries("blocks.inc")) {
      if (name == "BLOCK") {
        read.push_back({{n.at(0), n.at(1), n.at(2)}, n.at(3), {}});
      } else {
        read.back().lines.push_back({n.at(0), n.at(1), n.at(2)});
      }
    }
    return read;
  }();
  return all;
}

Cell cell(const Cell& size, int number) {
  return {number % size[0], number / size[0] % size[1], number / size[0] / size[1]};
}

/// What is wrong with a broadcast within a block, or "".
std::string fault(const Cell& size, const Cell& source, int steps, const std::vector<Sent>& sent) {
  std::map<Cell, int> has{{source, 0}};  // since the end of which step
  std::ostringstream where;
  for (const Sent& s : sent) {
    where << "step " << s.step << ", (" << s.from[0] << ',' << s.from[1] << ',' << s.from[2]
          << ") to (" << s.to[0] << ',' << s.to[1] << ',' << s.to[2] << "): ";
    for (std::size_t d = 0; d < 3; ++d) {
      if (s.from[d] < 0 || s.from[d] >= size[d] || s.to[d] < 0 || s.to[d] >= size[d]) {
        return where.str() + "outside the block";
      }
    }
    if (s.step < 1 || s.step > steps) return where.str() + "no such step";
    if (!has.emplace(s.to, s.step).second) return where.str() + "has it already";
    where.str("");
  }
  if (has.size() != static_cast<std::size_t>(size[0] * size[1] * size[2])) return "not all reached";
  std::set<std::array<int, 6>> used;  // step, node, dimension and direction
  for (const Sent& s : sent) {
    if (has.find(s.from) == has.end() || has.at(s.from) >= s.step) return "a sender without it";
    Cell at = s.from;
    for (std::size_t d = 0; d < 3; ++d) {
      while (at[d] != s.to[d]) {
        const int way = s.to[d] > at[d] ? 1 : -1;
        if (!used.insert({s.step, at[0], at[1], at[2], static_cast<int>(d), way}).second) {
          return "a channel with two messages";
        }
        at[d] += way;
      }
    }
  }
  return "";
}

std::vector<Sent> messages(const Block& block, unsigned mirrored) {
  const auto place = [&](int number) {
    Cell c = cell(block.size, number);
    for (std::size_t d = 0; d < 3; ++d) {
      if ((mirrored >> d & 1) != 0) c[d] = block.size[d] - 1 - c[d];
    }
    return c;
  };
  std::vector<Sent> all;
  for (const auto& [step, from, to] : block.lines) all.push_back({step, place(from), place(to)});
  return all;
}

Cell entry(const Cell& size, unsigned mirrored) {
  Cell c;
  for (std::size_t d = 0; d < 3; ++d) {
    c[d] = (mirrored >> d & 1) != 0 ? size[d] / 2 : (size[d] - 1) / 2;
  }
  return c;
}

/// A node can send to one more node per direction of its channels in each step.
int count_bound(const Cell& size) {
  int factor = 1, steps = 0;
  for (int n : size) factor += n > 1 ? 2 : 0;
  for (int holders = 1; holders < size[0] * size[1] * size[2]; holders *= factor) ++steps;
  return steps;
}

const Block* find(const Cell& size) {
  for (const Block& b : blocks()) {
    if (b.size == size) return &b;
  }
  return nullptr;
}

TEST(BlockSchedules, ReachEveryCellOnceFromHoldersOverFreeChannelsAlsoWhenMirrored) {
  for (const Block& block : blocks()) {
    for (unsigned mirrored = 0; mirrored < 8; ++mirrored) {
      EXPECT_EQ(
          fault(block.size, entry(block.size, mirrored), block.steps, messages(block, mirrored)),
          "")
          << block.size[0] << "x" << block.size[1] << "x" << block.size[2];
    }
  }
  // 148 up to 10 x 10 x 1 and up to 4 x 4 x 4, and others that stand for a whole mesh
  EXPECT_GT(blocks().size(), 148u);
  for (int w = 1; w <= 10; ++w) {
    for (int h = 1; h <= 10; ++h) EXPECT_NE(find({w, h, 1}), nullptr) << w << "x" << h;
  }
}

TEST(BlockSchedules, TakeTheStepsThatCountingAsksForOrOneMore) {
  // The search has shown that the one more is needed: 2x2, 4x5, 5x4, 5x5 ...
  int one_more = 0;
  for (const Block& block : blocks()) {
    int last = 0;
    for (const auto& line : block.lines) last = std::max(last, line[0]);
    EXPECT_EQ(last, block.steps);
    const int more = block.steps - count_bound(block.size);
    EXPECT_GE(more, 0);
    EXPECT_LE(more, 1);
    one_more += more;
  }
  EXPECT_GT(one_more, 0);
  EXPECT_EQ(find({4, 4, 1})->steps, 2);
  EXPECT_EQ(find({8, 8, 1})->steps, 3);
  EXPECT_EQ(find({10, 10, 1})->steps, 3);
}

TEST(BlockSchedules, AreInTheOrderThatTheFormatSays) {
  const Block* before = nullptr;
  for (const Block& b : blocks()) {
    const auto key = [](const Block& x) { return Cell{x.size[2], x.size[1], x.size[0]}; };
    if (before != nullptr) {
      EXPECT_LT(key(*before), key(b));
    }
    before = &b;
    for (std::size_t i = 1; i < b.lines.size(); ++i) {
      const auto by_sender = [](const std::array<int, 3>& m) { return Cell{m[1], m[0], m[2]}; };
      EXPECT_LT(by_sender(b.lines[i - 1]), by_sender(b.lines[i]));
    }
  }
}

TEST(BlockSchedules, ChangedOnPurposeAreNoticed) {
  const Block& block = *find({4, 4, 1});
  const Cell source = entry(block.size, 0);
  const auto changed = [&](auto change) {
    std::vector<Sent> sent = messages(block, 0);
    change(sent);
    return fault(block.size, source, block.steps, sent);
  };
  EXPECT_EQ(changed([](auto&) {}), "");
  EXPECT_EQ(changed([](auto& s) { s.pop_back(); }), "not all reached");
  EXPECT_NE(changed([](auto& s) { s.push_back(s.back()); }).find("has it already"),
            std::string::npos);
  EXPECT_NE(changed([](auto& s) { s[0].step = 3; }).find("no such step"), std::string::npos);
  EXPECT_NE(changed([](auto& s) { s[0].to[0] = 4; }).find("outside"), std::string::npos);
  EXPECT_EQ(changed([](auto& s) {
              for (Sent& m : s) m.step = 3 - m.step;
            }),
            "a sender without it");
  // Two senders of one step exchange their receivers: some pair must meet on a channel.
  int conflicts = 0;
  for (std::size_t i = 0; i < block.lines.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      conflicts += changed([&](auto& s) {
                     if (s[i].step == s[j].step) std::swap(s[i].to, s[j].to);
                   }) == "a channel with two messages";
    }
  }
  EXPECT_GT(conflicts, 20);
}

// Four parts around a ring, the last one perhaps shorter. A message over two parts goes the nearer
// way: from 0 to 2 backwards, from 1 to 3 by the lengths; all forwards if the parts are equal.
TEST(RingBlocks, AreFreeOfContentionWhateverTheLengthsOfTheParts) {
  std::ifstream in(ANNELID_SOURCE_DIR "/schedules/rings.inc");
  static const std::regex kEntry(R"((RING_BLOCK|M)\(([0-9]+)(?:,([0-9]+),([0-9]+))?\))");
  std::map<int, std::vector<std::array<int, 3>>> read;
  for (std::string line; std::getline(in, line);) {
    line = line.substr(0, line.find("//"));
    for (std::sregex_iterator i(line.begin(), line.end(), kEntry), end; i != end; ++i) {
      const int first = std::stoi((*i)[2]);
      if ((*i)[1] == "RING_BLOCK") {
        read[first] = {};
      } else {
        read.rbegin()->second.push_back({first, std::stoi((*i)[3]), std::stoi((*i)[4])});
      }
    }
  }
  ASSERT_EQ(read.size(), 3u);
  const std::array<std::array<int, 4>, 4> ways_of_two{
      {{1, 1, 1, 1}, {-1, -1, 1, 1}, {-1, 1, 1, -1}, {-1, 1, 1, 1}}};
  for (const auto& [rings, lines] : read) {
    const Block block{{4, 4, 1}, 2, lines};
    std::map<Cell, int> has{{entry(block.size, 0), 0}};
    for (const Sent& m : messages(block, 0)) EXPECT_TRUE(has.emplace(m.to, m.step).second);
    EXPECT_EQ(has.size(), 16u);
    for (const Sent& m : messages(block, 0)) {
      EXPECT_LT(has.at(m.from), m.step);
      EXPECT_LE(m.step, block.steps);
    }
    for (std::size_t c = 0; c < 16; ++c) {
      const std::array<std::size_t, 2> lengths{c % 4, c / 4};
      std::set<std::array<int, 5>> used;
      for (const Sent& s : messages(block, 0)) {
        Cell at = s.from;
        for (std::size_t d = 0; d < 2; ++d) {
          const int along = s.to[d] - at[d];
          int way = along > 0 ? 1 : -1;
          if ((rings >> d & 1) != 0 && std::abs(along) == 3) way = -way;
          if ((rings >> d & 1) != 0 && std::abs(along) == 2)
            way = ways_of_two[lengths[d]][static_cast<std::size_t>(at[d])];
          for (; at[d] != s.to[d]; at[d] = (at[d] + way + 4) % 4) {
            EXPECT_TRUE(used.insert({s.step, at[0], at[1], static_cast<int>(d), way}).second)
                << "rings " << rings << ", lengths " << c;
          }
        }
      }
    }
  }
}

// What a plan promises: a mesh as large as its line, or smaller in any way, is cut into blocks of
// the table that take at most the steps between the plan's and those of the coarser mesh.
TEST(Plans, CutIntoBlocksThatTakeAtMostTheStepsOfTheirLevel) {
  const auto plans = entries("plans.inc");
  std::map<std::array<int, 2>, int> slowest;  // of all blocks up to this size
  for (const Block& b : blocks()) {
    if (b.size[2] > 1 || b.size[0] > 10 || b.size[1] > 10) continue;
    int steps = b.steps;
    for (int w = 1; w <= b.size[0]; ++w) {
      for (int h = 1; h <= b.size[1]; ++h) {
        ASSERT_NE(find({w, h, 1}), nullptr) << "below " << b.size[0] << "x" << b.size[1];
        steps = std::max(steps, find({w, h, 1})->steps);
      }
    }
    slowest[{b.size[0], b.size[1]}] = steps;
  }
  const auto steps_of = [&](int x, int y) {
    if (x == 1 && y == 1) return 0;
    for (const auto& [name, n] : plans) {
      if (n[1] >= x && n[2] >= y) return n[0];
    }
    return 1000;
  };
  ASSERT_GT(plans.size(), 50u);
  std::vector<int> before;
  for (const auto& [name, n] : plans) {
    ASSERT_EQ(name, "PLAN");
    const int steps = n[0], x = n[1], y = n[2], w = n[3], h = n[4];
    const int coarser = steps_of((x + w - 1) / w, (y + h - 1) / h);
    ASSERT_TRUE(slowest.count({w, h})) << w << "x" << h;
    EXPECT_LE(coarser + slowest.at({w, h}), steps) << x << "x" << y;
    const std::vector<int> key{steps, x, y};
    EXPECT_LT(before, key);
    before = key;
  }
  EXPECT_LE(steps_of(256, 256), 8);
}

TEST(Cubes, TakeTheStepsOfTheirLevel) {
  for (int w = 1; w <= 4; ++w) {
    for (int h = 1; h <= 4; ++h) {
      for (int d = 1; d <= 4; ++d) {
        ASSERT_NE(find({w, h, d}), nullptr) << w << "x" << h << "x" << d;
        EXPECT_LE(find({w, h, d})->steps, std::max({w, h, d}) <= 3 ? 2 : 3);
        EXPECT_LE(find({1, 1, d})->steps, d <= 3 ? 1 : 2);
      }
    }
  }
}

}  // namespace
