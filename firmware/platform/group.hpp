// Process groups as values, after CCL (Bala and others 1995), Section 2. The type is the
// platform's, as each call names a group, which the node finds; communication/form_group.hpp makes
// groups.
#pragma once

#include <cstdint>

#include "firmware/platform/memory.hpp"
#include "firmware/platform/topology.hpp"

namespace annelid::firmware {

/// What tells groups apart, in the whole system (CCL, Section 2.3): the process that has rank 0 in
/// the group, and the value that its counter of groups had then.
struct Pgid {
  std::uint32_t counter = 0;
  Pid pid = 0;
  friend constexpr bool operator==(const Pgid&, const Pgid&) = default;
};

/// An ordered set of processes, as one of its members knows it. A value of a few words: the members
/// of ALL are computed, those of another group are a list in node memory, 4 bytes each, which
/// whoever made the group leaves alone as long as it is used.
class Group {
 public:
  /// No group.
  Group() = default;
  /// The predefined group of all processes, ranked by their identifiers.
  static Group all(const Topology& topology, Memory memory) {
    return {topology, memory, kAllId, 0, topology.nodes(), topology.pid(), kNoList};
  }
  /// The group whose `size` members are listed from `list` on; this process is number `rank` there.
  static Group listed(const Topology& topology, Memory memory, Pgid id, std::uint32_t label,
                      std::uint32_t size, std::uint32_t rank, std::uint32_t list) {
    return {topology, memory, id, label, size, rank, list};
  }

  [[nodiscard]] bool is_all() const { return list_ == kNoList; }
  [[nodiscard]] const Topology& topology() const { return *topology_; }

  [[nodiscard]] Pgid id() const { return id_; }
  /// What group() was given as label, or partition() as this process's value (CCL's getlabel).
  [[nodiscard]] std::uint32_t label() const { return label_; }
  /// Members (CCL's getsize).
  [[nodiscard]] std::uint32_t size() const { return size_; }
  /// This process's own rank.
  [[nodiscard]] std::uint32_t rank() const { return rank_; }
  /// Who has a rank, which is below size() (CCL's getpid; for all ranks: getmembers).
  [[nodiscard]] Pid pid(std::uint32_t rank) const {
    return is_all() ? rank : memory_.load<std::uint32_t>(list_ + 4 * rank);
  }
  [[nodiscard]] Address address(std::uint32_t rank) const { return topology_->address(pid(rank)); }
  /// The rank of a process (CCL's getrank), kNotAMember if it has none. Takes a search: ranks are
  /// what schedules are written in.
  [[nodiscard]] std::uint32_t rank_of(Pid pid) const;
  static constexpr std::uint32_t kNotAMember = 0xFFFFFFFF;

  /// Below every counter that a process gives away, taken as signed numbers.
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
};

}  // namespace annelid::firmware
