// A native router's own end of a link.
#pragma once

#include "systemc/network/link.hpp"
#include "systemc/network/types.hpp"

namespace annelid::systemc {

class RepeatingRouters;
class RouterView;

/// For neighbours that are not routers of the same array. It is valid from the router's making
/// until the array's end. It throws std::logic_error for a flit without room and for a credit
/// beyond the buffer's depth (docs/internals/microarchitecture.md, section 4, lists the errors of a
/// neighbour).
class RouterEnd : public LinkIf {
 public:
  RouterEnd(std::uint32_t router, Port link) : router_(router), link_(link) {}
  /// The routers among which router() is.
  [[nodiscard]] virtual const RouterView& routers() const = 0;
  [[nodiscard]] virtual RepeatingRouters& repeating() const = 0;
  [[nodiscard]] std::uint32_t router() const { return router_; }
  [[nodiscard]] Port link() const { return link_; }

 private:
  std::uint32_t router_;
  Port link_;
};

}  // namespace annelid::systemc
