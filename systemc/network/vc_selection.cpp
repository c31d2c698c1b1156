#include "systemc/network/vc_selection.hpp"

#include "systemc/network/route.hpp"

namespace annelid::systemc {
namespace {

constexpr std::uint8_t mask_of(const VcRange& range) {
  return static_cast<std::uint8_t>(((1u << range.count) - 1) << range.first);
}

/// The data VCs of a class of an output.
constexpr VcRange data_vcs(const RouterConfig& router, int output, int c) {
  if (router.classes_of(output) > 1) return vcs_of_class(router, c);
  return {0, router.output_data_vcs(output)};
}

}  // namespace

std::uint8_t first_vc_pointers(const RouterConfig& router, int output) {
  unsigned pointers = 0;
  for (int c = 0; c < router.classes_of(output); ++c) {
    pointers |= 1u << data_vcs(router, output, c).first;
  }
  return static_cast<std::uint8_t>(pointers);
}

std::uint8_t vcs_beside(const RouterConfig& router, int output, int vc) {
  for (int c = 0; c < router.classes_of(output); ++c) {
    const std::uint8_t mask = mask_of(data_vcs(router, output, c));
    if ((mask >> vc & 1) != 0) return mask;
  }
  return 0;
}

}  // namespace annelid::systemc
