#include "deadlock/dependencies.hpp"

#include <algorithm>
#include <utility>

#include "systemc/network/channel_dependencies.hpp"

namespace annelid::deadlock {
namespace {

void make_sets(Graph& graph) {
  for (auto& next : graph) {
    std::ranges::sort(next);
    next.erase(std::unique(next.begin(), next.end()), next.end());
  }
}

/// Many packets have the same dependency: keeps the lists short while they grow.
void add_edge(std::vector<std::uint32_t>& next, std::uint32_t to) {
  constexpr std::size_t kFew = 64;
  if (next.size() < kFew && std::ranges::find(next, to) != next.end()) return;
  next.push_back(to);
}

/// A shortest way from a place to itself, by places of its own only.
std::vector<std::uint32_t> shortest_through(const Graph& graph, std::uint32_t start) {
  constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::vector<std::uint32_t> from(graph.size(), kNone), open{start};
  for (std::size_t i = 0; i < open.size(); ++i) {
    for (const std::uint32_t next : graph[open[i]]) {
      if (next == start) {
        std::vector<std::uint32_t> cycle{open[i]};
        while (cycle.back() != start) cycle.push_back(from[cycle.back()]);
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (from[next] != kNone) continue;
      from[next] = open[i];
      open.push_back(next);
    }
  }
  return {};
}

}  // namespace

Graph dependencies(const Network& network, const States& states) {
  Graph graph(network.places());
  for (StateId x = 0; x < states.count(); ++x) {
    if (states.injected(x)) continue;
    for (const Step& step : states.next(x)) {
      add_edge(graph[states.place(x)], states.place(step.to));
    }
  }
  make_sets(graph);
  return graph;
}

Graph dependencies_between_rings(const Network& network, const Graph& graph) {
  std::vector<std::uint32_t> vertex(graph.size()), after(graph.size());
  for (std::uint32_t p = 0; p < graph.size(); ++p) vertex[p] = after[p] = p;
  for (const BubbleRing& ring : network.rings) {
    for (std::size_t i = 0; i < ring.vcs.size(); ++i) {
      vertex[ring.vcs[i]] = ring.vcs[0];
      after[ring.vcs[i]] = ring.vcs[(i + 1) % ring.vcs.size()];
    }
  }
  Graph between(graph.size());
  for (std::uint32_t p = 0; p < graph.size(); ++p) {
    for (const std::uint32_t next : graph[p]) {
      const bool goes_on = after[p] == next && vertex[p] == vertex[next];
      if (!goes_on) between[vertex[p]].push_back(vertex[next]);
    }
  }
  make_sets(between);
  return between;
}

// A packet's states are one after the other, and its steps stay among them: one walk from each of
// its states that holds an escape of anybody.
Graph escape_dependencies(const Network& network, const States& states) {
  std::vector<bool> escape(network.places());
  for (StateId x = 0; x < states.count(); ++x) {
    for (const Step& step : states.next(x)) {
      if (step.escape) escape[states.place(step.to)] = true;
    }
  }
  Graph graph(network.places());
  std::vector<StateId> seen_from(states.count(), ~StateId{0}), open;
  for (StateId x = 0; x < states.count(); ++x) {
    if (states.injected(x) || !escape[states.place(x)]) continue;
    open = {x};
    seen_from[x] = x;
    while (!open.empty()) {
      const StateId y = open.back();
      open.pop_back();
      for (const Step& step : states.next(y)) {
        if (step.escape) {
          add_edge(graph[states.place(x)], states.place(step.to));
        } else if (seen_from[step.to] != x) {
          seen_from[step.to] = x;
          open.push_back(step.to);
        }
      }
    }
  }
  make_sets(graph);
  return graph;
}

StateId without_escape(const States& states) {
  for (StateId x = 0; x < states.count(); ++x) {
    if (states.delivered(x)) continue;
    if (std::ranges::none_of(states.next(x), &Step::escape)) return x;
  }
  return states.count();
}

std::size_t edges(const Graph& graph) {
  std::size_t sum = 0;
  for (const auto& next : graph) sum += next.size();
  return sum;
}

std::vector<std::uint32_t> cycle_of(const Graph& graph) {
  const auto found =
      systemc::find_cycle(static_cast<std::uint32_t>(graph.size()),
                          [&](std::uint32_t vertex, std::vector<std::uint32_t>& to) {
                            to.insert(to.end(), graph[vertex].begin(), graph[vertex].end());
                          });
  return found.empty() ? found : shortest_through(graph, found.front());
}

}  // namespace annelid::deadlock
