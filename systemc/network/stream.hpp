// The middle of long packets, which the fabric moves for many cycles at once
// (Fabric::repeat_last_cycle).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "systemc/network/types.hpp"

namespace annelid::systemc {

class LinkIf;

/// Injects a body flit of one packet in each cycle.
class StreamSource {
 public:
  virtual ~StreamSource() = default;
  /// Sends the next body flits of the packet: writes their data.
  virtual void send(std::span<std::uint64_t> flits) = 0;
};

/// Consumes a body flit of one packet in each cycle. The end of a local link may be one.
class StreamSink {
 public:
  virtual ~StreamSink() = default;
  /// Adds the places of the flits in its buffer, newest first. False if it takes no stream on this
  /// VC.
  virtual bool add_places(Vc vc, std::vector<std::uint64_t*>& places) = 0;
  /// Consumes the next body flits of the packet.
  virtual void consume(Vc vc, std::span<const std::uint64_t> flits) = 0;
};

/// What the components of a network would do in each of the next cycles.
struct Streams {
  struct Start {
    StreamSource* source;
    LinkIf* router;  ///< the router's end of the link
    Vc vc;
  };
  std::vector<Start> starts;
  std::size_t sinks = 0;  ///< the number of sinks that consume a flit
};

}  // namespace annelid::systemc
