// The startup brings the message to the tops of the mesh; from there on a node sends in the step of
// each level at which it is a top, and then in its base.
#include "firmware/collectives/edn/edn_mesh.hpp"

#include "firmware/collectives/edn/edn_mesh_geometry.hpp"
#include "firmware/collectives/edn/edn_mesh_startup.hpp"

namespace annelid::firmware::edn_mesh {
namespace {

/// What fits() finds out.
struct Notes {
  Mesh mesh;
  Startup startup;
};

/// What a node knows from its start: the mesh with its tops, and the node's own part without the
/// startup, whatever the source is.
struct Home {
  static constexpr std::uint32_t kMostSends = 24;
  Mesh mesh;
  std::array<Address, 4> tops;
  std::uint32_t own;  ///< a bit for each top of the mesh, by Who, that the node is
  Address parent;
  int receive_step;  ///< after the startup; 0: the node is a top of the mesh
  std::uint32_t count;
  std::array<std::uint32_t, kMostSends> sends;  ///< as in Node::Steps

  void choose(Startup& startup, Address source, std::uint32_t parameter, Size size) const {
    startup.nodes = {source, tops[0], tops[1], tops[2], tops[3]};
    startup.choose(mesh.tops, parameter == 1, size == Size{4, 4, 1});
  }
};

void find_tops(const Mesh& mesh, Address* tops) {
  const bool is_base = mesh.levels == 0 && mesh.cells == nullptr;
  for (int i = 0; i < mesh.tops; ++i) {
    tops[i] = is_base ? edn_square::top(i, mesh.square_level) : mesh.node(mesh.levels, {{}, i});
  }
}

bool fits(Frame& frame) {
  if (!frame.is_network() || frame.has_rings()) return false;
  auto& [mesh, startup] = frame.make_notes<Notes>();
  const Topology& network = frame.group().topology();
  const Home* const home = network.notes<Home>();
  if (home != nullptr && network.size() == frame.size()) {
    mesh = home->mesh;
    home->choose(startup, frame.root(), frame.parameter(), frame.size());
    return true;
  }
  if (!mesh.describe(frame.size())) return false;
  startup.nodes[kSource] = frame.root();
  find_tops(mesh, &startup.nodes[kA]);
  startup.choose(mesh.tops, frame.parameter() == 1, frame.size() == Size{4, 4, 1});
  return true;
}

int steps(const Frame& frame) {
  const auto& [mesh, startup] = frame.notes<Notes>();
  return startup.steps() + mesh.levels + mesh.steps_of_base();
}

// What the rule keeps in the plan: the next step to look at; and, as Standing has them, the level
// in its base, the level above that whose step comes next, and as which top the node sends in it.
constexpr std::size_t kNext = 0, kBaseLevel = 1, kLevel = 2, kTop = 3;
constexpr std::uint32_t kUnknown = 0xFF;  // kLevel: not found yet

/// The mesh's tops are known.
Standing find_standing(const Notes& notes, Address node) {
  const auto& [mesh, startup] = notes;
  for (int i = 0; i < mesh.tops; ++i) {
    if (startup.nodes[static_cast<std::size_t>(kA + i)] == node)
      return {mesh.square_level, mesh.levels, {{}, i}};
  }
  return standing(mesh, node);
}

void keep(const Standing& s, TreePlan& plan) {
  plan.state[kBaseLevel] = static_cast<std::uint32_t>(s.base_level);
  plan.state[kLevel] = static_cast<std::uint32_t>(s.level);
  plan.state[kTop] = s.top.word();
}

void find_parent(const Frame& frame, Address node, TreePlan& plan) {
  const auto& [mesh, startup] = frame.notes<Notes>();
  plan.receive_step = 0;
  plan.state[kNext] = 1;
  plan.state[kLevel] = kUnknown;  // what the source is has time until it has sent
  if (node == frame.root()) return;
  const Standing s = find_standing(frame.notes<Notes>(), node);
  keep(s, plan);
  if (s.level == mesh.levels) {
    plan.receive_step = startup.find_sender(node, plan.parent);
  } else {
    int step = 0;
    plan.parent = parent(mesh, node, s, step);
    plan.receive_step = startup.steps() + step;
  }
  plan.state[kNext] = static_cast<std::uint32_t>(plan.receive_step + 1);
}

/// Adds the sends of the startup's steps from `plan.step` + 1 on, up to the first in which the node
/// sends; or sets `plan.step` to the last.
[[gnu::noinline]] void add_in_startup(const Startup& startup, Address node, TreePlan& plan) {
  while (plan.step < startup.steps() && plan.sends().empty()) {
    ++plan.step;
    startup.for_each_send(node, plan.step, [&](Address to) { plan.add(to); });
  }
}

/// Adds the sends of the next of the levels' steps H .. 1, as add_in_startup() does.
[[gnu::noinline]] void add_in_levels(const Mesh& mesh, int steps_before, Address source,
                                     TreePlan& plan) {
  auto level = static_cast<int>(plan.state[kLevel]);
  Top top = Top::from_word(plan.state[kTop]);
  while (level > 0 && plan.sends().empty()) {
    plan.step = steps_before + mesh.levels + 1 - level;
    const Joint& j = mesh.joint(level--);
    for (std::size_t i = 0; i < j.sends; ++i) {
      const Address to = mesh.node(level, j.in_part(top.block, j.to[top.index][i]));
      if (!(to == source)) plan.add(to);
    }
    top = j.in_part(top.block, j.top[top.index]);
  }
  plan.state[kLevel] = static_cast<std::uint32_t>(level);
  plan.state[kTop] = top.word();
}

/// Adds the sends of the next step of a base of cells, behind `steps_before`.
[[gnu::noinline]] void add_in_cells(const Mesh& mesh, int steps_before, Address node,
                                    Address source, TreePlan& plan) {
  const Address local = mesh.in_base(node), lowest = node - local;
  const int cell = mesh.cells->number(local);
  int step = plan.step - steps_before;
  if (step < 0) step = 0;
  while (step < mesh.steps_of_base() && plan.sends().empty()) {
    ++step;
    for (const std::uint8_t child : mesh.cells->children(cell)) {
      if (mesh.cells->step(child) != step) continue;
      const Address to = lowest + mesh.cells->node(child);
      if (!(to == source)) plan.add(to);
    }
  }
  plan.step = steps_before + step;
}

/// Adds the sends of the next step of a square, behind `steps_before`.
[[gnu::noinline]] void add_in_square(const Mesh& mesh, int steps_before, Address node,
                                     Address source, TreePlan& plan) {
  // In step 1 the square itself comes, the block of level k, then those of k - 1, ... 0.
  const auto highest = static_cast<int>(plan.state[kBaseLevel]);
  int level = mesh.square_level - (plan.step - steps_before);
  if (level > highest) level = highest;
  const edn_square::Point at = Mesh::point(Address::from_word(node.word() & mesh.within));
  for (; level >= 0 && plan.sends().empty(); --level) {
    for (const std::uint16_t flips : edn_square::sends(at, level, mesh.square_level)) {
      const Address to = Address::from_word(node.word() ^ flips);
      if (!(to == source)) plan.append(to);  // in order
    }
  }
  plan.step = steps_before + mesh.square_level - level;
}

bool next_step(const Frame& frame, Address node, TreePlan& plan) {
  const auto& [mesh, startup] = frame.notes<Notes>();
  const Address source = frame.root();
  plan.clear();
  plan.step = static_cast<int>(plan.state[kNext]) - 1;
  if (plan.step < startup.steps()) add_in_startup(startup, node, plan);
  if (plan.sends().empty()) {
    if (plan.state[kLevel] == kUnknown) keep(find_standing(frame.notes<Notes>(), node), plan);
    if (static_cast<int>(plan.state[kLevel]) > 0)
      add_in_levels(mesh, startup.steps(), source, plan);
  }
  if (plan.sends().empty()) {
    const auto add_in_base = mesh.cells == nullptr ? add_in_square : add_in_cells;
    add_in_base(mesh, startup.steps() + mesh.levels, node, source, plan);
  }
  plan.state[kNext] = static_cast<std::uint32_t>(plan.step + 1);
  return !plan.sends().empty();
}

/// Finds the part of a node that knows what depends on the network alone.
void start(Topology& network) {
  Mesh mesh;
  if (network.has_rings() || !mesh.describe(network.size())) return;
  Home& home = network.make_notes<Home>();
  home.mesh = mesh;
  find_tops(mesh, home.tops.data());
  const Address self = network.self(), nobody = Address::from_word(0xFFFFFFFF);
  const Standing s = standing(mesh, self);
  home.own = 0;
  for (std::uint32_t i = 0; i < mesh.tops; ++i) {
    if (home.tops[i] == self) home.own |= 1U << (kA + i);
  }
  home.receive_step = 0;
  if (s.level < mesh.levels) home.parent = parent(mesh, self, s, home.receive_step);
  home.count = 0;
  TreePlan plan;
  keep(s, plan);
  plan.step = home.receive_step;
  for (;;) {
    plan.clear();
    if (static_cast<int>(plan.state[kLevel]) > 0) add_in_levels(mesh, 0, nobody, plan);
    if (plan.sends().empty()) {
      const auto add_in_base = mesh.cells == nullptr ? add_in_square : add_in_cells;
      add_in_base(mesh, mesh.levels, self, nobody, plan);
    }
    if (plan.sends().empty()) return;
    for (const Address to : plan.sends()) {
      if (home.count == Home::kMostSends) stop("a node of a mesh has more sends than expected");
      home.sends[home.count++] = TreePart::packed(to, plan.step);
    }
  }
}

bool find_part(const Topology& network, std::uint32_t root, std::uint32_t parameter,
               TreePart& part) {
  const Home* const home = network.notes<Home>();
  if (home == nullptr) return false;
  const Address source = Address::from_word(root);
  Startup startup;
  home->choose(startup, source, parameter, network.size());
  const bool is_source = network.self() == source;
  const std::uint32_t self = home->own | (is_source ? 1U << kSource : 0);
  part.parent = home->parent;
  part.receive_step = is_source ? 0 : startup.steps() + home->receive_step;
  if (self != 0) startup.find_part(self, part);
  part.kept = {home->sends.data(), home->sends.data() + home->count,
               static_cast<std::uint32_t>(startup.steps())};
  return true;
}

[[gnu::cold]] std::uint32_t subtree(const Frame& frame, Address node) {
  const Address source = frame.root();
  if (node == source) return frame.nodes();
  const auto& [mesh, startup] = frame.notes<Notes>();
  const Standing of_source = standing(mesh, source);
  // The source's tree is missing from those of all that would come before it.
  const auto without_source = [&, &mesh = mesh](Address top) {
    std::uint32_t nodes = nodes_below(mesh, top, standing(mesh, top));
    Address above = source;
    for (Standing s = of_source; s.level < mesh.levels; s = standing(mesh, above)) {
      int step = 0;
      above = parent(mesh, above, s, step);
      if (above == top) return nodes - nodes_below(mesh, source, of_source);
    }
    return nodes;
  };
  std::uint32_t nodes = without_source(node);
  if (standing(mesh, node).level < mesh.levels) return nodes;
  // Tops of the mesh that got the message from this one, and from those.
  Address senders[4] = {node};
  std::size_t count = 1;
  for (int step = 1; step <= startup.steps(); ++step) {
    for (std::size_t i = 0, before = count; i < before; ++i) {
      startup.for_each_send(senders[i], step, [&](Address to) {
        senders[count++] = to;
        nodes += without_source(to);
      });
    }
  }
  return nodes;
}

}  // namespace

const TreeRule kRule{fits, steps, find_parent, next_step, subtree, start, find_part};

}  // namespace annelid::firmware::edn_mesh
