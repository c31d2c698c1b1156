#include "reference/edn/edn_mesh.hpp"

#include <algorithm>
#include <tuple>

namespace annelid::reference {
namespace {

Node moved(Node n, Node by) { return {n.x + by.x, n.y + by.y, n.z + by.z}; }

Network larger(const Network& size, const std::array<int, 3>& times) {
  return {size.x * times[0], size.y * times[1], size.z * times[2]};
}

/// Where a part lies in its block.
Node corner_of(int part, const std::array<int, 3>& parts, const Network& part_size) {
  const Node place = node_at({parts[0], parts[1], parts[2]}, part);
  return {place.x * part_size.x, place.y * part_size.y, place.z * part_size.z};
}

/// The step of all blocks of one level, given the step of one of them.
Step tiled(const Step& one, const Network& block, const Network& mesh) {
  const Network blocks{mesh.x / block.x, mesh.y / block.y, mesh.z / block.z};
  Step all;
  for (int i = 0; i < blocks.nodes(); ++i) {
    const Node corner = corner_of(i, blocks.size(), block);
    for (const Message& m : one) all.push_back({moved(m.from, corner), moved(m.to, corner)});
  }
  return all;
}

/// Sizes and tops of the blocks of each level, the base first.
struct Blocks {
  std::vector<Network> size;
  std::vector<std::vector<Node>> tops;
};

Node place_of(EdnLevel::PartTop top, const EdnLevel& level, const Network& part_size,
              const std::vector<Node>& part_tops) {
  return moved(part_tops.at(static_cast<std::size_t>(top.top)),
               corner_of(top.part, level.parts, part_size));
}

Blocks blocks_of(const EdnTree& tree) {
  Blocks blocks{{tree.base.size}, {tree.base.tops}};
  for (const EdnLevel& level : tree.levels) {
    std::vector<Node> tops;
    for (const EdnLevel::PartTop top : level.tops) {
      tops.push_back(place_of(top, level, blocks.size.back(), blocks.tops.back()));
    }
    blocks.size.push_back(larger(blocks.size.back(), level.parts));
    blocks.tops.push_back(tops);
  }
  return blocks;
}

std::vector<Step> fixed_startup(const std::vector<Node>& t, Node s) {
  if (t.size() == 2) return {{{s, t[0]}}, {{t[0], t[1]}}};
  if (t.size() == 3) return {{{s, t[1]}}, {{t[1], t[0]}, {t[1], t[2]}}};
  return {{{s, t[2]}}, {{t[2], t[1]}, {t[2], t[3]}}, {{t[1], t[0]}}};
}

/// By where the source's column is among those of the tops, so that no two messages of a step
/// leave a node the same way or meet in a row.
std::vector<Step> fastest_startup(const std::vector<Node>& t, Node s) {
  if (t.size() == 2) {
    if (s.x < t[0].x) return {{{s, t[0]}}, {{t[0], t[1]}}};
    if (s.x > t[1].x) return {{{s, t[1]}}, {{t[1], t[0]}}};
    return {{{s, t[0]}, {s, t[1]}}};
  }
  if (t.size() == 3) {
    if (s.x == t[1].x) return {{{s, t[0]}, {s, t[1]}, {s, t[2]}}};
    return {{{s, t[1]}}, {{t[1], t[0]}, {t[1], t[2]}}};
  }
  if (s.x < t[0].x) return {{{s, t[2]}}, {{s, t[0]}, {t[2], t[1]}, {t[2], t[3]}}};
  if (s.x < t[1].x) return {{{s, t[0]}, {s, t[1]}}, {{t[0], t[3]}, {t[1], t[2]}}};
  if (s.x <= t[2].x) return {{{s, t[1]}, {s, t[2]}}, {{t[1], t[0]}, {t[2], t[3]}}};
  if (s.x <= t[3].x) return {{{s, t[2]}, {s, t[3]}}, {{t[2], t[1]}, {t[3], t[0]}}};
  return {{{s, t[1]}}, {{s, t[3]}, {t[1], t[0]}, {t[1], t[2]}}};
}

}  // namespace

Startup startup_of(std::uint32_t parameter) {
  if (parameter > 1) {
    throw std::invalid_argument("EDN startup " + std::to_string(parameter) +
                                ": 0 is the fastest, 1 the fixed one");
  }
  return Startup{parameter};
}

Network size_of(const EdnTree& tree) {
  Network size = tree.base.size;
  for (const EdnLevel& level : tree.levels) size = larger(size, level.parts);
  return size;
}

std::vector<Node> tops_of(const EdnTree& tree) { return blocks_of(tree).tops.back(); }

std::vector<Step> level_steps(const EdnTree& tree) {
  const Blocks blocks = blocks_of(tree);
  const Network mesh = blocks.size.back();
  std::vector<Step> steps;
  for (std::size_t l = tree.levels.size(); l > 0; --l) {
    const EdnLevel& level = tree.levels[l - 1];
    Step one;
    for (const EdnLevel::Send send : level.sends) {
      one.push_back({place_of(send.from, level, blocks.size[l - 1], blocks.tops[l - 1]),
                     place_of(send.to, level, blocks.size[l - 1], blocks.tops[l - 1])});
    }
    steps.push_back(tiled(one, blocks.size[l], mesh));
  }
  for (const Step& one : tree.base.steps) steps.push_back(tiled(one, tree.base.size, mesh));
  return steps;
}

std::vector<Step> startup_steps(const std::vector<Node>& tops, Node source, Startup startup) {
  return startup == Startup::kFixed ? fixed_startup(tops, source) : fastest_startup(tops, source);
}

Schedule schedule_from(Node root, std::uint64_t bytes, std::vector<Step> startup,
                       const std::vector<Step>& levels) {
  Schedule schedule{std::move(startup)};
  schedule.steps.insert(schedule.steps.end(), levels.begin(), levels.end());
  for (Step& step : schedule.steps) {
    std::erase_if(step, [&](const Message& m) { return m.to == root || m.to == m.from; });
    for (Message& m : step) m.bytes = bytes;
    const auto place = [](Node n) { return std::tuple(n.z, n.y, n.x); };
    std::ranges::sort(step, {},
                      [&](const Message& m) { return std::pair(place(m.from), place(m.to)); });
  }
  return schedule;
}

}  // namespace annelid::reference
