#include "systemc/network/vc_selection.hpp"

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

constexpr std::uint8_t mask_of(const VcRange& range) {
  return static_cast<std::uint8_t>(((1u << range.count) - 1) << range.first);
}

}  // namespace

std::uint8_t first_vc_pointers(const RouterConfig& router, int output) {
  unsigned pointers = 0;
  for (int c = 0; c < router.classes_of(output); ++c) {
    pointers |= 1u << vcs_of_class(router, output, c).first;
  }
  return static_cast<std::uint8_t>(pointers);
}

std::uint8_t vcs_beside(const RouterConfig& router, int output, int vc) {
  for (int c = 0; c < router.classes_of(output); ++c) {
    const std::uint8_t mask = mask_of(vcs_of_class(router, output, c));
    if ((mask >> vc & 1) != 0) return mask;
  }
  return 0;
}

}  // namespace annelid::systemc
