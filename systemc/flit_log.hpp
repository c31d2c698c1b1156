// A text line for every flit on every channel: what `diff` compares between two runs.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "systemc/config.hpp"
#include "systemc/observer.hpp"

namespace annelid {

/// Writes lines of the form
///
///     cycle x,y channel vc kind data [source>destination tag]
///     17 3,2 +x 0 H 0004000203000107 3,2>7,1 4
///
/// channel is +x, -x, +y, -y or ej0.. of the router that sends the flit, or inj0.. of the NIC; kind
/// is H (head), B (body), T (tail) or S (a packet of a single flit); data has 16 hexadecimal
/// digits; heads alone have the last two columns. Lines are sorted by cycle, then node (row-major),
/// then channel in the order above: equal runs give equal bytes in whatever order their events
/// came.
class FlitLog final : public FabricObserver {
 public:
  FlitLog(std::ostream& out, const NetworkConfig& config);
  ~FlitLog() override;

  void injected(Cycle cycle, NodeId node, Port local, const Flit& flit) override;
  void moved(Cycle cycle, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit) override;

  /// Writes all that is buffered. The destructor does it too.
  void flush();

 private:
  struct Entry {
    std::uint64_t place;  ///< node * 16 + channel: the order within a cycle
    Flit flit;
  };

  void add(Cycle cycle, NodeId node, unsigned channel, const Flit& flit);
  void format_cycle();

  std::ostream& out_;
  NetworkConfig config_;
  Cycle cycle_ = 0;
  std::vector<Entry> entries_;  // of cycle_
  std::string text_;
};

}  // namespace annelid
