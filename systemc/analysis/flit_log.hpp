// A text line for every flit on every channel: what `diff` compares between two runs, and what
// `annelid timeline` reads.
#pragma once

#include <iosfwd>
#include <string>

#include "systemc/analysis/flit_sequence.hpp"
#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// Writes lines of the form
///
///     cycle x,y channel vc kind data [source>destination tag [step n bytes n | control]]
///     17 3,2 +x 0 H 0004000203000107 3,2>7,1 4
///
/// channel is +x, -x, +y, -y or ej0.. of the router that sends the flit, or inj0.. of the NIC; kind
/// is H (head), B (body), T (tail) or S (a packet of a single flit); data has 16 hexadecimal
/// digits; heads alone have source, destination and tag. On the injection channel the NIC adds to a
/// head what does not travel with the packet: the message's step and bytes, or that it is a control
/// packet. Lines are sorted by cycle, then node (row-major), then channel in the order above: equal
/// runs give equal bytes in whatever order their events came.
class FlitLog final : public FlitSequence {
 public:
  /// Writes `header` first: lines that begin with #.
  FlitLog(std::ostream& out, const NetworkConfig& config, std::string header = {});
  ~FlitLog() override;

  void flit(const ChannelFlit& flit) override;

  /// Writes all that is buffered. The destructor does it too.
  void flush();

 private:
  void write();

  std::ostream& out_;
  NetworkConfig config_;
  std::string text_;
};

}  // namespace annelid::systemc
