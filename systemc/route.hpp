// Dimension-order routing on a mesh, x before y (docs/microarchitecture.md, section 5.1).
#pragma once

#include <string>

#include "systemc/types.hpp"

namespace annelid {

/// The external output that dimension order takes from `here`, or kFirstLocal on arrival.
constexpr Port dimension_order(Address here, Address destination) {
  if (destination.x != here.x) return destination.x > here.x ? kPlusX : kMinusX;
  if (destination.y != here.y) return destination.y > here.y ? kPlusY : kMinusY;
  return kFirstLocal;
}

/// The local port at which a packet ejects that reached its destination by input `in`.
constexpr Port ejection_port(Port in, int local_ports) {
  return in < kExternalPorts ? static_cast<Port>(kFirstLocal + in % local_ports) : in;
}

/// The output of a packet at the front of input `in`: section 5.1 as it stands.
constexpr Port route(Address here, Address destination, Port in, int local_ports) {
  const Port output = dimension_order(here, destination);
  return output == kFirstLocal ? ejection_port(in, local_ports) : output;
}

/// The first external output on the way, which chooses a message's injection port (docs/nic.md,
/// section 4). `from` and `to` must differ.
constexpr Port first_output(Address from, Address to) { return dimension_order(from, to); }

/// External channels on the way.
constexpr int hops(Address from, Address to) {
  const int dx = int{to.x} - int{from.x};
  const int dy = int{to.y} - int{from.y};
  return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

/// The input of the neighbour that an external output is joined to: +x meets -x, +y meets -y.
constexpr Port opposite(Port external) { return external ^ 1; }

/// The neighbour beyond an external port, and whether it is inside a mesh of size_x * size_y.
struct Neighbour {
  bool exists = false;
  Address address;
};
constexpr Neighbour neighbour(Address here, Port external, int size_x, int size_y) {
  const int x = int{here.x} + (external == kPlusX) - (external == kMinusX);
  const int y = int{here.y} + (external == kPlusY) - (external == kMinusY);
  if (x < 0 || x >= size_x || y < 0 || y >= size_y) return {};
  return {true, {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 0}};
}

/// "+x", "-x", "+y", "-y"; a local port's name depends on the direction: "ej0" leaves the network,
/// "inj0" enters it.
inline std::string output_channel_name(Port output) {
  static constexpr const char* kNames[] = {"+x", "-x", "+y", "-y"};
  return output < kExternalPorts ? kNames[output] : "ej" + std::to_string(output - kFirstLocal);
}
inline std::string injection_channel_name(int local) { return "inj" + std::to_string(local); }

}  // namespace annelid
