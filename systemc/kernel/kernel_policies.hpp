// Which policies a router kernel is compiled for. A kernel's second template parameter is one of
// these structs, and the array of routers takes the first that serves the configuration
// (RouterAssembly::make).
#pragma once

#include "systemc/kernel/allocator.hpp"
#include "systemc/kernel/kernel_shape.hpp"
#include "systemc/network/arbiter.hpp"
#include "systemc/network/routing.hpp"
#include "systemc/network/vc_selection.hpp"

namespace annelid::systemc {

/// Routers of one stage without link registers, with the policies that are simulated most. The
/// compiler leaves out everything that only other routers need.
struct PlainRouters {
  static constexpr bool kGeneral = false;
  using Routing = XyRouting;
  using Arbiter = RoundRobinArbiter;
  using VcSelection = LowestVc;
  using Allocator = InputFirstAllocator;

  static constexpr bool serve(const RouterConfig& router) {
    return router.stages == 1 && router.link_registers == 0 && router.routing == Routing::kKind &&
           router.arbiters == Arbiter::kKind && router.vc_selection == VcSelection::kKind &&
           router.allocator == Allocator::kKind && router.iterations == 1;
  }
  /// f(unit) with the unit of the array's routers.
  template <typename F>
  [[gnu::always_inline]] static decltype(auto) with_routing(const KernelShape& /*shape*/, F f) {
    return f(Routing{});
  }
  template <typename F>
  [[gnu::always_inline]] static decltype(auto) with_arbiter(const KernelShape& /*shape*/, F f) {
    return f(Arbiter{});
  }
  template <typename F>
  [[gnu::always_inline]] static decltype(auto) with_vc_selection(const KernelShape& /*shape*/,
                                                                 F f) {
    return f(VcSelection{});
  }
};

/// Routers of every kind. The choice of a policy is a comparison for each router, with the same
/// result for all routers of an array.
struct AllRouters {
  static constexpr bool kGeneral = true;

  template <typename F>
  [[gnu::always_inline]] static decltype(auto) with_routing(const KernelShape& shape, F f) {
    return RoutingFunctions::with(shape.routing, f);
  }
  template <typename F>
  [[gnu::always_inline]] static decltype(auto) with_arbiter(const KernelShape& shape, F f) {
    return Arbiters::with(shape.arbiters, f);
  }
  template <typename F>
  [[gnu::always_inline]] static decltype(auto) with_vc_selection(const KernelShape& shape, F f) {
    return VcSelections::with(shape.vc_selection, f);
  }
  template <typename F>
  [[gnu::always_inline]] static decltype(auto) with_allocator(const KernelShape& shape, F f) {
    return Allocators::with(shape.allocator, f);
  }
};

}  // namespace annelid::systemc
