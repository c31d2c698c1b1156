// Builds a RouterArray: adds routers, joins their links, and starts them.
#pragma once

#include <memory>

#include "systemc/cut/cut.hpp"
#include "systemc/kernel/router_array.hpp"
#include "systemc/kernel/router_array_host.hpp"
#include "systemc/kernel/router_end.hpp"

namespace annelid::systemc {

/// The routers of one configuration while they are built. start() ends it, so routers that run
/// cannot be changed, and routers that are not complete cannot be stepped.
class RouterAssembly {
 public:
  /// Takes the fastest kernel for the configuration, which must be valid. With a cut, which must
  /// outlive the array, there are only the routers of its slab.
  [[nodiscard]] static std::unique_ptr<RouterAssembly> make(const NetworkConfig& network,
                                                            RouterArrayHost& host,
                                                            Cut* cut = nullptr);
  virtual ~RouterAssembly() = default;

  /// Adds a router, and returns its index in the array.
  virtual std::uint32_t add(Address address, NodeId node) = 0;
  /// Reserves room for this number of routers, to avoid copies.
  virtual void reserve(std::uint32_t routers) = 0;
  /// Joins our side of a link to another router of the array, or to any other component, which then
  /// uses end(). In the first case the way back needs a separate call.
  virtual void join(std::uint32_t router, int link, std::uint32_t neighbour, int its_link) = 0;
  virtual void join(std::uint32_t router, int link, LinkIf& neighbour) = 0;
  [[nodiscard]] virtual RouterEnd& end(std::uint32_t router, int link) = 0;
  /// The registers of the routers, now and when they run: valid until the array's end.
  [[nodiscard]] virtual const RouterView& view() const = 0;

  /// Nothing else will be added or joined: makes the array that runs.
  [[nodiscard]] static std::unique_ptr<RouterArray> start(
      std::unique_ptr<RouterAssembly> assembly) {
    return assembly->finish();
  }

 private:
  [[nodiscard]] virtual std::unique_ptr<RouterArray> finish() = 0;
};

}  // namespace annelid::systemc
