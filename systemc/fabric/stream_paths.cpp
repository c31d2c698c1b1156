#include "systemc/fabric/stream_paths.hpp"

#include <span>

#include "systemc/kernel/router_array.hpp"
#include "systemc/kernel/router_end.hpp"

namespace annelid::systemc {

bool StreamPaths::follow(const Streams& streams, std::uint64_t moved) {
  paths_.clear();
  places_.clear();
  std::uint64_t all = 0;
  for (const Streams::Start& start : streams.starts) {
    const std::uint64_t hops = follow(start);
    if (hops == 0) return false;
    all += hops;
  }
  // Settled buffers make this so. If they did not, a repeat would lose flits without a word.
  return all == moved && paths_.size() == streams.sinks;
}

/// The number of routers on the path, or 0 if there is no stream.
std::uint64_t StreamPaths::follow(const Streams::Start& start) {
  auto* const router = dynamic_cast<RouterEnd*>(start.router);
  if (router == nullptr) return 0;
  const std::size_t first = places_.size();
  const RepeatingRouters::Path path =
      router->repeating().follow(router->router(), router->link(), start.vc, places_);
  auto* const sink = dynamic_cast<StreamSink*>(path.sink);
  if (sink == nullptr || !sink->add_places(path.vc, places_)) return 0;
  paths_.push_back({start.source, sink, path.vc, first, places_.size() - first});
  return path.hops;
}

void StreamPaths::advance(std::size_t flits) {
  for (const Path& path : paths_) {
    data_.resize(path.flits + flits);
    const std::span<std::uint64_t> data = data_;
    const std::span<std::uint64_t*> places(&places_[path.first], path.flits);
    std::size_t at = path.flits;
    for (const std::uint64_t* const place : places) data[--at] = *place;
    path.source->send(data.subspan(path.flits));
    path.sink->consume(path.vc, data.first(flits));
    at = data.size();
    for (std::uint64_t* const place : places) *place = data[--at];
  }
}

}  // namespace annelid::systemc
