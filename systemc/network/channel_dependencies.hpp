// The channel-dependency graph of a network (Dally and Seitz, 1987), and the check that it has no
// cycle: docs/internals/microarchitecture.md, section 7. docs/internals/deadlock.md explains it
// with an example.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// A vertex of the graph: the data VCs, or the control VC, of one class of a channel. A channel is
/// identified by the switch output of `node` that drives it, 0 .. ports() - 1. Injection channel l
/// is number ports() + l.
struct ChannelClass {
  NodeId node = 0;
  Port channel = 0;
  std::uint8_t cls = 0;
  bool control = false;
  friend bool operator==(const ChannelClass&, const ChannelClass&) = default;
};

/// "1,0 +x class 0" or "1,0 +x class 0 control"; the class is left out if the channel has only one.
std::string name(const NetworkConfig& network, const ChannelClass& vertex);
/// The vertex that a VC of a switch output belongs to.
ChannelClass channel_class(const RouterConfig& router, NodeId node, Port out, Vc vc);

/// The class that a packet at `here` takes in dimension d, a ring. Like the routers' own rule,
/// ring_class(), it may depend only on `here` and on where the packet's wrap-around link in this
/// dimension lies: ahead, behind or nowhere.
using ClassRule = std::function<int(const RouterConfig& router, int d, bool up, Address here,
                                    Address source, Address to)>;

/// The graph of a network that passes validate(). Each router's dependencies follow from the
/// packets that can reach it, so the graph is never stored. A table per dimension says which
/// packets use the channels of a line or ring, and the routing function's turns combine them freely
/// (it makes all hops of one dimension before the next). Building
/// takes time proportional to the sum of the sizes; visiting all edges takes time proportional to
/// the number of channels. With control VCs, the graph of data is followed by an equal graph of
/// control, and no edge joins the two: a packet keeps its kind.
class ChannelDependencies {
 public:
  using Vertex = std::uint32_t;

  /// `rule` replaces ring_class(); tests of the check use it.
  explicit ChannelDependencies(const NetworkConfig& network, const ClassRule& rule = {});

  /// Vertices are 0 .. vertices() - 1. Some belong to no channel or are never used; they have no
  /// edges.
  [[nodiscard]] Vertex vertices() const;
  [[nodiscard]] Vertex vertex(const ChannelClass& channel) const;
  [[nodiscard]] ChannelClass channel(Vertex vertex) const;
  /// Appends, in ascending order, every vertex b for which some packet may hold `vertex` and then
  /// ask for b.
  void successors(Vertex vertex, std::vector<Vertex>& to) const;

 private:
  using ClassMask = std::uint8_t;  // bit c: class c
  /// The packets that use one channel of a line or ring, by their class on it.
  struct LineChannel {
    ClassMask starts = 0;                  // the channel is their first hop in this dimension
    ClassMask ends = 0;                    // the channel is their last hop in this dimension
    std::array<ClassMask, 3> continues{};  // by class: the possible classes on the next channel
  };
  using Follow = std::array<ClassMask, kMaxPorts>;  // by output: the classes that may follow

  [[nodiscard]] LineChannel line_channel(int d, int at, bool up, const ClassRule& rule) const;
  [[nodiscard]] const LineChannel& line(int d, Address at, Port out) const;
  void start(int d, Address at, Follow& follow) const;
  void enter_switch(int d, Address at, Follow& follow) const;
  void inject(Address at, Follow& follow) const;
  void finish_dimension(int d, Address at, Port in, Follow& follow) const;

  NetworkConfig network_;
  Vertex channels_, classes_;                             // of a node, of a channel
  Vertex of_kind_;                                        // vertices of data, of control
  std::array<std::vector<LineChannel>, kMaxDims> lines_;  // by 2 * coordinate + direction
  std::array<bool, kMaxDims> others_move_{};  // there are packets with hops, but with none in d
  std::array<std::array<bool, kMaxDims>, kMaxDims> turns_{};  // from hops in d to hops in e
};

/// A cycle in a graph with vertices 0 .. vertices - 1: no vertex occurs twice, and edges lead from
/// each to the next and from the last to the first. Empty if there is none. `successors` appends
/// the successors of a vertex.
using Successors = std::function<void(std::uint32_t vertex, std::vector<std::uint32_t>& to)>;
[[nodiscard]] std::vector<std::uint32_t> find_cycle(std::uint32_t vertices,
                                                    const Successors& successors);

/// "0,0 +x -> 1,0 +x -> ... -> 0,0 +x". The middle of a long cycle is left out.
std::string cycle_text(const NetworkConfig& network, const std::vector<ChannelClass>& cycle);

/// Packets that may wait on each other forever.
struct DependencyCycle {
  std::vector<ChannelClass> channels;  ///< each may be held while the next is asked for
  std::string text;                    ///< cycle_text()
};
/// Finds a cycle of the network's channel-dependency graph, if there is one. Packets can then
/// deadlock.
[[nodiscard]] std::optional<DependencyCycle> find_cycle(const NetworkConfig& network,
                                                        const ClassRule& rule = {});

/// Throws ConfigError "router.allow_deadlock" with the cycle if there is one, unless
/// `router.allow_deadlock` is set. The network must pass validate().
void check_deadlock_freedom(const NetworkConfig& network, const ClassRule& rule = {});

/// The size of the graph, for reports: vertices that packets use, and edges.
struct DependencyCounts {
  std::size_t channels = 0, dependencies = 0;
  friend bool operator==(const DependencyCounts&, const DependencyCounts&) = default;
};
[[nodiscard]] DependencyCounts count_dependencies(const NetworkConfig& network);

}  // namespace annelid::systemc
