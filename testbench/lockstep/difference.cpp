#include "testbench/lockstep/difference.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

namespace annelid::lockstep {
namespace {

std::string shown(const systemc::Flit& f) {
  return fmt::format("vc{} {}{} {:016x}", f.vc, f.head ? "H" : "-", f.tail ? "T" : "-", f.data);
}
std::string shown(const std::optional<systemc::Flit>& f) { return f ? shown(*f) : "none"; }
std::string shown(const std::optional<Vc>& vc) { return vc ? fmt::format("vc{}", *vc) : "none"; }
std::string shown(const systemc::Grant& g) {
  if (g == systemc::Grant{}) return "none";
  return fmt::format("{}input {} vc {} on vc {}", g.valid ? "" : "(invalid) ", g.in_port, g.in_vc,
                     g.out_vc);
}
std::string shown(const systemc::VaGrant& g) {
  if (g == systemc::VaGrant{}) return "none";
  return fmt::format("{}input {} vc {} on vc {}", g.valid ? "" : "(invalid) ", g.in_port, g.in_vc,
                     g.out_vc);
}
std::string shown(int value) { return std::to_string(value); }

/// Equal memory is the usual case, and quickly seen. Where only padding differs, the members
/// decide.
bool equal(const systemc::RouterState& a, const systemc::RouterState& b) {
  // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
  return std::memcmp(&a, &b, sizeof(a)) == 0 || a == b;
}

/// Remembers the first pair of values that differ.
class First {
 public:
  template <typename T>
  void compare(std::string_view what, std::size_t port, std::size_t vc, const T& model,
               const T& rtl) {
    compare(fmt::format("{} of port {} vc {}", what, port, vc), model, rtl);
  }
  template <typename T>
  void compare(std::string_view what, std::size_t port, const T& model, const T& rtl) {
    compare(fmt::format("{} of port {}", what, port), model, rtl);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  template <typename T>
  void compare(const std::string& what, const T& model, const T& rtl) {
    if (!text_.empty() || model == rtl) return;
    text_ = fmt::format("{}: model {}, RTL {}", what, shown(model), shown(rtl));
  }
  std::string text_;
};

}  // namespace

std::string trace(const Response& response) {
  std::string line;
  for (std::size_t p = 0; p < kMaxPorts; ++p) {
    if (response.flits[p]) line += fmt::format(" out{}[{}]", p, shown(*response.flits[p]));
    if (response.credits[p]) line += fmt::format(" credit{}[vc{}]", p, *response.credits[p]);
  }
  return line.empty() ? " idle" : line;
}

std::string difference(const systemc::RouterState& model, const systemc::RouterState& rtl) {
  if (equal(model, rtl)) return {};
  First first;
  for (std::size_t p = 0; p < kMaxPorts; ++p) {
    for (std::size_t v = 0; v < kMaxVcs; ++v) {
      const systemc::InputVcState &a = model.input[p][v], &b = rtl.input[p][v];
      first.compare("count", p, v, a.count, b.count);
      first.compare("front", p, v, a.front, b.front);
      first.compare("routed", p, v, a.routed, b.routed);
      first.compare("active", p, v, a.active, b.active);
      first.compare("out_port", p, v, a.out_port, b.out_port);
      first.compare("out_vc", p, v, a.out_vc, b.out_vc);
      first.compare("credits", p, v, model.output[p][v].credits, rtl.output[p][v].credits);
      first.compare("owned", p, v, model.output[p][v].owned, rtl.output[p][v].owned);
    }
    first.compare("in_pointer", p, model.in_pointer[p], rtl.in_pointer[p]);
    first.compare("out_pointer", p, model.out_pointer[p], rtl.out_pointer[p]);
    first.compare("va_in_pointer", p, model.va_in_pointer[p], rtl.va_in_pointer[p]);
    first.compare("va_out_pointer", p, model.va_out_pointer[p], rtl.va_out_pointer[p]);
    first.compare("grant", p, model.grant[p], rtl.grant[p]);
    first.compare("VA grant", p, model.va_grant[p], rtl.va_grant[p]);
  }
  return first.text();
}

std::string difference(const Response& model, const Response& rtl) {
  First first;
  for (std::size_t p = 0; p < kMaxPorts; ++p) {
    first.compare("output flit", p, model.flits[p], rtl.flits[p]);
    first.compare("input credit", p, model.credits[p], rtl.credits[p]);
  }
  return first.text();
}

}  // namespace annelid::lockstep
