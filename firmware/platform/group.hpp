// Process groups as values, after CCL (Bala and others 1995), Section 2. The type belongs to the
// platform, because each call names a group, which the node finds. communication/form_group.hpp
// makes groups.
#pragma once

#include <cstdint>

#include "firmware/platform/memory.hpp"
#include "firmware/platform/topology.hpp"

namespace annelid::firmware {

/// The identifier of a group in the whole system (CCL, Section 2.3): the process that has rank 0 in
/// the group, and the value that its counter of groups had at the time.
struct Pgid {
  std::uint32_t counter = 0;
  Pid pid = 0;
  friend constexpr bool operator==(const Pgid&, const Pgid&) = default;
};

/// The sizes of a submesh of the network, 1..256 each. The dimension in which ranks go first is the
/// first one; there are three at most. It takes one word.
class SubmeshSizes {
 public:
  static constexpr std::uint32_t kMost = 3;
  void add(std::uint32_t size) {
    sizes_ |= (size - 1) << 8 * count_;
    ++count_;
  }
  /// 0: the processes are no submesh, or only one.
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t operator[](std::uint32_t i) const {
    return (sizes_ >> 8 * i & 0xFF) + 1;
  }

 private:
  std::uint32_t sizes_ : 24 = 0, count_ : 8 = 0;  // each size less one
};

/// An ordered set of processes, from the view of one of its members. It is a value of a few words.
/// The members of ALL are computed. The members of any other group are a list in node memory, 4
/// bytes each, which must not change while the group is in use.
class Group {
 public:
  /// No group.
  Group() = default;
  /// The predefined group of all processes, ranked by their identifiers.
  static Group all(const Topology& topology, Memory memory) {
    return {topology, memory, kAllId, 0, topology.nodes(), topology.pid(), kNoList};
  }
  /// Makes a group of `size` members that are listed at `list`. This process is at place `rank` of
  /// the list. `submesh`: what find_submesh() says of the list.
  static Group listed(const Topology& topology, Memory memory, Pgid id, std::uint32_t label,
                      std::uint32_t size, std::uint32_t rank, std::uint32_t list,
                      SubmeshSizes submesh = {}) {
    Group group{topology, memory, id, label, size, rank, list};
    group.submesh_ = submesh;
    return group;
  }

  [[nodiscard]] bool is_all() const { return list_ == kNoList; }
  [[nodiscard]] const Topology& topology() const { return *topology_; }

  [[nodiscard]] Pgid id() const { return id_; }
  /// The label that group() was given, or this process's value in partition() (CCL's getlabel).
  [[nodiscard]] std::uint32_t label() const { return label_; }
  /// The number of members (CCL's getsize).
  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// This process's own rank.
  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  /// The submesh that the listed members are.
  [[nodiscard]] SubmeshSizes submesh() const { return submesh_; }
  /// Returns the process that has a rank below size() (CCL's getpid; for all ranks: getmembers).
  [[nodiscard]] Pid pid(std::uint32_t rank) const {
    return is_all() ? rank : memory_.load<std::uint32_t>(list_ + 4 * rank);
  }
  [[nodiscard]] Address address(std::uint32_t rank) const { return topology_->address(pid(rank)); }
  /// Returns the rank of a process (CCL's getrank), or kNotAMember if it has none. It searches the
  /// list, because the group is stored for lookups by rank.
  [[nodiscard]] std::uint32_t rank_of(Pid pid) const;
  static constexpr std::uint32_t kNotAMember = 0xFFFFFFFF;

  /// Its counter, as a signed number, is below every counter that a process gives away.
  static constexpr Pgid kAllId{0xFFFFFFFF, 0};

 private:
  static constexpr std::uint32_t kNoList = 0xFFFFFFFF;

  Group(const Topology& topology, Memory memory, Pgid id, std::uint32_t label, std::uint32_t size,
        std::uint32_t rank, std::uint32_t list)
      : topology_(&topology),
        memory_(memory),
        id_(id),
        label_(label),
        size_(size),
        rank_(rank),
        list_(list) {}

  const Topology* topology_ = nullptr;
  [[no_unique_address]] Memory memory_;
  Pgid id_;
  std::uint32_t label_ = 0, size_ = 0, rank_ = 0, list_ = kNoList;
  SubmeshSizes submesh_;
};

}  // namespace annelid::firmware
