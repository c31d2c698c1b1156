#include "systemc/flit_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "systemc/route.hpp"

namespace annelid {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 16;
constexpr unsigned kChannels = 32;
constexpr unsigned kFirstInjection = kMaxPorts;

char kind_of(const Flit& flit) {
  if (flit.head) return flit.tail ? 'S' : 'H';
  return flit.tail ? 'T' : 'B';
}

}  // namespace

FlitLog::FlitLog(std::ostream& out, const NetworkConfig& config) : out_(out), config_(config) {}

FlitLog::~FlitLog() { flush(); }

void FlitLog::injected(Cycle cycle, NodeId node, Port local, const Flit& flit) {
  add(cycle, node, kFirstInjection + local, flit);
}

void FlitLog::moved(Cycle cycle, NodeId node, Port /*in*/, Vc /*in_vc*/, Port out,
                    const Flit& flit) {
  add(cycle, node, out, flit);
}

void FlitLog::add(Cycle cycle, NodeId node, unsigned channel, const Flit& flit) {
  if (cycle != cycle_) format_cycle();
  cycle_ = cycle;
  entries_.push_back({std::uint64_t{node} * kChannels + channel, flit});
}

void FlitLog::format_cycle() {
  std::ranges::sort(entries_, {}, &Entry::place);
  const auto out = std::back_inserter(text_);
  for (const auto& [place, flit] : entries_) {
    const Address at = config_.address(static_cast<NodeId>(place / kChannels));
    const auto channel = static_cast<unsigned>(place % kChannels);
    const std::string name =
        channel < kFirstInjection
            ? output_channel_name(config_.router, static_cast<Port>(channel))
            : injection_channel_name(static_cast<int>(channel - kFirstInjection));
    fmt::format_to(out, "{} {} {} {} {} {:016x}", cycle_, node_name(config_.router, at), name,
                   flit.vc, kind_of(flit), flit.data);
    if (flit.head) {
      const HeadFields head = unpack_head(flit.data);
      fmt::format_to(out, " {}>{} {}", node_name(config_.router, head.source),
                     node_name(config_.router, head.destination), head.tag);
    }
    text_ += '\n';
  }
  entries_.clear();
  if (text_.size() >= kWriteBytes) {
    out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }
}

void FlitLog::flush() {
  format_cycle();
  out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  out_.flush();
  text_.clear();
}

}  // namespace annelid
