// Writes a text line for every flit on every channel. `diff` compares these lines between two runs,
// and `annelid timeline` reads them.
#pragma once

#include <iosfwd>
#include <ostream>
#include <string>

#include "systemc/analysis/flit_sequence.hpp"
#include "systemc/network/config.hpp"

namespace annelid::systemc {

/// Writes lines of the form
///
///     cycle x,y channel vc kind data [source>destination tag [step n bytes n | control]]
///     17 3,2 +x 0 H 0004000203000107 3,2>7,1 4
///
/// channel is +x, -x, +y, -y or ej0.. of the router that sends the flit, or inj0.. of the NIC. kind
/// is H (head), B (body), T (tail) or S (a packet of a single flit). data has 16 hexadecimal
/// digits. Only heads have source, destination and tag. On the injection channel the NIC adds to a
/// head what does not travel with the packet: the message's step and bytes, or that it is a control
/// packet. Lines are sorted by cycle, then node (row-major), then channel in the order above. So
/// equal runs give equal bytes, whatever the order of their events.
class FlitLog final : public FlitSequence {
 public:
  /// Writes `header` first; each line of it begins with #.
  FlitLog(std::ostream& out, const NetworkConfig& config, std::string header = {});
  ~FlitLog() override;

  void flit(const ChannelFlit& flit) override;

  /// Writes everything that is buffered, as the destructor also does.
  void flush();

 private:
  void write();

  std::ostream& out_;
  NetworkConfig config_;
  std::string text_;
};

}  // namespace annelid::systemc
