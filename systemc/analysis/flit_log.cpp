#include "systemc/analysis/flit_log.hpp"

#include <fmt/format.h>

#include <iterator>
#include <ostream>
#include <utility>

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{1} << 16;

char kind_of(const Flit& flit) {
  if (flit.head) return flit.tail ? 'S' : 'H';
  return flit.tail ? 'T' : 'B';
}

}  // namespace

FlitLog::FlitLog(std::ostream& out, const NetworkConfig& config, std::string header)
    : out_(out), config_(config), text_(std::move(header)) {}

FlitLog::~FlitLog() { flush(); }

void FlitLog::flit(const ChannelFlit& f) {
  const RouterConfig& router = config_.router;
  const auto out = std::back_inserter(text_);
  fmt::format_to(out, "{} {} {} {} {} {:016x}", f.cycle, node_name(router, config_.address(f.node)),
                 channel_name(router, f.channel), f.flit.vc, kind_of(f.flit), f.flit.data);
  if (f.flit.head) {
    const HeadFields head = unpack_head(f.flit.data);
    fmt::format_to(out, " {}>{} {}", node_name(router, head.source),
                   node_name(router, head.destination), head.tag);
  }
  if (f.info != nullptr && f.info->control) text_ += " control";
  if (f.info != nullptr && !f.info->control) {
    fmt::format_to(out, " step {} bytes {}", f.info->step, f.info->bytes);
  }
  text_ += '\n';
  if (text_.size() >= kWriteBytes) write();
}

void FlitLog::flush() {
  end_cycle();
  write();
  out_.flush();
}

void FlitLog::write() {
  out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  text_.clear();
}

}  // namespace annelid::systemc
