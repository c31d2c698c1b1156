// The list unit: starts lists, fetches their descriptors and issues them, and ends them
// (docs/internals/nic/lists.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "nic/call_queue.hpp"
#include "nic/completions.hpp"
#include "nic/issuer.hpp"
#include "nic/list_places.hpp"
#include "nic/message_flow.hpp"
#include "nic/node_identity.hpp"
#include "nic/observers.hpp"

namespace annelid::nic {

class ListUnit {
 public:
  struct Units {
    const NodeIdentity& self;
    const NodeMemory& memory;
    Errors& errors;
    CallQueue& calls;
    Completions& completions;
    ListPlaces& places;
    Issuer& issuer;
    PlaceTable<SendPlace>& sends;
    MessageFlow& flow;
    const Observers& observers;
  };
  explicit ListUnit(const Units& units);

  // ---- Registers ------------------------------------------------------------------------------

  /// LIST_OFFSET and LIST_COUNTS.
  struct Described {
    std::uint32_t offset = 0, receives = 0, sends = 0;
  };
  /// Writes of LIST_SET and LIST_GO.
  void set(std::uint16_t handle, const Described& list, Cycle now);
  void go(std::uint16_t handle, Cycle now);
  [[nodiscard]] std::uint32_t space() const { return places_.space(); }
  [[nodiscard]] std::uint32_t plays() const { return places_.plays(); }
  /// Whether the oldest call that waits is a start, which the core does not see.
  [[nodiscard]] bool start_waits(Cycle now) const {
    if (!places_.used()) return false;
    const Call* const call = calls_.waiting_call(now);
    return call != nullptr && places_.is_start(*call);
  }

  // ---- In a cycle -----------------------------------------------------------------------------

  /// Whether the unit may have anything to do, or anything that the core takes may concern it.
  [[nodiscard]] bool used() const { return places_.used(); }
  /// Executes cycle `now`, after the core's access and the trigger unit's. Whether it did anything.
  bool step(Cycle now) { return used() && step_used(now); }
  /// To be called at the end of cycle `now`: the next cycle in which step() does something if
  /// nothing else happens, or kNever if there is none.
  [[nodiscard]] Cycle next(Cycle now) const { return used() ? next_used(now) : kNever; }

  // ---- Reports --------------------------------------------------------------------------------

  /// Whether a list plays.
  [[nodiscard]] bool busy() const { return places_.playing() != 0; }
  /// A line for each list that plays, with the receive that was put back and what it waits for.
  [[nodiscard]] std::string describe() const;
  /// "receive 3 and send 4", those that are not complete.
  [[nodiscard]] std::string unmet(std::size_t list, const Dependencies& dependencies) const;

 private:
  static constexpr Cycle kFetchCycles = 4;
  static constexpr std::size_t kSides = ListPlaces::kLists * kDirections;

  /// The descriptor that is being fetched.
  struct Fetch {
    Cycle done = 0;  ///< the cycle of its last 8 bytes, which issues it
    std::size_t side = 0;
    Place place = 0;
  };
  /// A descriptor that is issued.
  struct Issue {
    std::size_t list = 0;
    Direction direction = kReceives;
    std::uint32_t number = 0;  ///< among those of its direction
    Place place = 0;
    /// The id by which errors name the transfer.
    [[nodiscard]] std::uint16_t id() const;
  };

  bool step_used(Cycle now);
  [[nodiscard]] Cycle next_used(Cycle now) const;
  bool take_call(Cycle now);
  bool end_lists(Cycle now);
  void end(std::size_t list, Cycle now);
  void begin_fetch(std::size_t side, Cycle now);
  [[nodiscard]] std::optional<std::size_t> find_side(Cycle now) const;
  [[nodiscard]] bool can_fetch(std::size_t side, Cycle now) const;
  [[nodiscard]] bool has_room(const ListPlaces::Playing& list, Direction direction) const;
  void issue_fetched(Cycle now);
  void issue_receive(const Issue& issue, const ListDescriptor& descriptor, Cycle now);
  void issue_send(const Issue& issue, const ListDescriptor& descriptor, Cycle now);
  void hold_join(const Issue& issue, const Dependencies& dependencies);
  void refuse(const Issue& issue, const Issuer::Fault& fault, const ErrorSubject& subject,
              Cycle now);
  void release(Direction direction, Place place);
  [[nodiscard]] std::optional<Issuer::Fault> bad_dependency(const Issue& issue,
                                                            const Dependencies& dependencies) const;

  const NodeIdentity& self_;
  const NodeMemory& memory_;
  Errors& errors_;
  CallQueue& calls_;
  Completions& completions_;
  ListPlaces& places_;
  Issuer& issuer_;
  PlaceTable<SendPlace>& sends_;
  MessageFlow& flow_;
  const Observers& observers_;
  std::optional<Fetch> fetch_;
  std::size_t last_side_ = kSides - 1;
  std::uint32_t by_core_ = 0;  ///< lists that play and that the core has started
};

}  // namespace annelid::nic
