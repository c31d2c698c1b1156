// The paths of streams through the routers, on which their flits move for many cycles at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "systemc/network/stream.hpp"

namespace annelid::systemc {

class StreamPaths {
 public:
  /// Follows each stream from its source to its sink. `moved`: the flits that moved in the last
  /// cycle. True if they all belong to these streams, and nothing but body flits is on the paths.
  [[nodiscard]] bool follow(const Streams& streams, std::uint64_t moved);
  /// Moves all streams by `flits` flits. Only the data of the flits on a path change: as many enter
  /// each buffer as leave it.
  void advance(std::size_t flits);

 private:
  struct Path {
    StreamSource* source;
    StreamSink* sink;
    Vc vc;              // at the sink
    std::size_t first;  // of its places, newest flit first
    std::size_t flits;  // in the network
  };
  [[nodiscard]] std::uint64_t follow(const Streams::Start& start);

  std::vector<Path> paths_;
  std::vector<std::uint64_t*> places_;
  std::vector<std::uint64_t> data_;  // of a stream, oldest flit first
};

}  // namespace annelid::systemc
