// The network from the view of a node: its size, its shape, and the positions of its processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "firmware/address.hpp"
#include "firmware/platform/quadrants.hpp"

namespace annelid::firmware {

/// Division of dividends below 2^24 by a fixed number, 1..256. The core's divider takes 34 cycles,
/// a multiplication 2. The result is exact: the reciprocal is too large by less than 256/2^32 of
/// itself.
class Divisor {
 public:
  explicit constexpr Divisor(std::uint32_t value = 1)
      : value_(value), reciprocal_(value == 1 ? 0 : 0xFFFFFFFFU / value + 1) {}

  [[nodiscard]] constexpr std::uint32_t value() const { return value_; }
  [[nodiscard]] constexpr std::uint32_t quotient(std::uint32_t n) const {
    if (value_ == 1) return n;
    return static_cast<std::uint32_t>(std::uint64_t{n} * reciprocal_ >> 32);
  }

 private:
  std::uint32_t value_, reciprocal_;
};

/// A process's identifier, CCL's PID. There is one process per node, and its identifier is the
/// number of the node, (z·size_y + y)·size_x + x.
using Pid = std::uint32_t;

/// The network's shape. The node reads it from the NIC once, when it starts.
class Topology {
 public:
  /// `rings`: bit d is set if dimension d is a ring.
  constexpr Topology(Address self, Size size, std::uint32_t rings = 0, std::uint32_t dims = 2,
                     std::uint32_t ports = 1, bool one_port = false)
      : self_(self),
        size_(size),
        x_(static_cast<std::uint32_t>(size.x)),
        y_(static_cast<std::uint32_t>(size.y)),
        z_(static_cast<std::uint32_t>(size.z)),
        rings_(rings),
        dims_(dims),
        ports_(ports),
        one_port_(one_port),
        pid_(pid(self)),
        quadrants_(size, self) {}

  [[nodiscard]] constexpr Address self() const { return self_; }
  [[nodiscard]] constexpr Size size() const { return size_; }
  [[nodiscard]] constexpr std::uint32_t nodes() const {
    return x_.value() * y_.value() * z_.value();
  }
  [[nodiscard]] constexpr bool is_ring(int dimension) const {
    return (rings_ >> dimension & 1) != 0;
  }
  [[nodiscard]] constexpr std::uint32_t rings() const { return rings_; }  ///< bit d: dimension d
  [[nodiscard]] constexpr bool has_rings() const { return rings_ != 0; }
  /// Dimensions, 1..3.
  [[nodiscard]] constexpr std::uint32_t dims() const { return dims_; }
  /// Local ports of a node.
  [[nodiscard]] constexpr std::uint32_t ports() const { return ports_; }
  [[nodiscard]] constexpr bool one_port() const { return one_port_; }

  /// CCL's mypid.
  [[nodiscard]] constexpr Pid pid() const { return pid_; }
  [[nodiscard]] constexpr Pid pid(Address a) const {
    return (a.z * y_.value() + a.y) * x_.value() + a.x;
  }
  /// Returns the node of a process; `pid` < nodes().
  [[nodiscard]] constexpr Address address(Pid pid) const {
    const std::uint32_t row = x_.quotient(pid), z = y_.quotient(row);
    return {static_cast<std::uint8_t>(pid - row * x_.value()),
            static_cast<std::uint8_t>(row - z * y_.value()), static_cast<std::uint8_t>(z)};
  }

  // For schedules that number nodes in another way.
  [[nodiscard]] constexpr const Divisor& x() const { return x_; }
  [[nodiscard]] constexpr const Divisor& y() const { return y_; }
  [[nodiscard]] constexpr const Divisor& z() const { return z_; }
  [[nodiscard]] constexpr const Quadrants& quadrants() const { return quadrants_; }

  /// Makes the one object in which a collective keeps what it has found out at the start of a node:
  /// what depends on the network alone.
  template <typename T>
  T& make_notes() {
    static_assert(sizeof(T) <= kNotes && alignof(T) <= alignof(void*) &&
                  std::is_trivially_destructible_v<T>);
    has_notes_ = true;
    return *new (notes_) T;
  }
  [[nodiscard]] bool has_notes() const { return has_notes_; }
  /// Returns that object, or nullptr if there is none.
  template <typename T>
  [[nodiscard]] const T* notes() const {
    return has_notes_ ? std::launder(reinterpret_cast<const T*>(notes_)) : nullptr;
  }

 private:
  Address self_;
  Size size_;
  Divisor x_, y_, z_;
  std::uint32_t rings_, dims_, ports_;
  bool one_port_;
  Pid pid_;
  Quadrants quadrants_;
  static constexpr std::size_t kNotes = 160;
  bool has_notes_ = false;
  alignas(void*) std::byte notes_[kNotes] = {};
};

}  // namespace annelid::firmware
