// The events of a cycle.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace annelid::systemc {

/// A list that is filled and emptied in every cycle. Unlike std::vector it constructs nothing when
/// it takes an event, and copies many at once.
template <typename Event>
class EventList {
  static_assert(std::is_trivially_copyable_v<Event>);

 public:
  void add(const Event& event) {
    if (end_ == limit()) [[unlikely]]
      grow(1);
    *end_++ = event;
  }
  void add(std::span<const Event> events) {
    if (static_cast<std::size_t>(limit() - end_) < events.size()) [[unlikely]]
      grow(events.size());
    if (!events.empty()) std::memcpy(end_, events.data(), events.size_bytes());
    end_ += events.size();
  }
  void clear() { end_ = places_.data(); }

  [[nodiscard]] bool empty() const { return end_ == places_.data(); }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end_ - begin()); }
  [[nodiscard]] const Event& operator[](std::size_t place) const { return places_[place]; }
  [[nodiscard]] const Event* begin() const { return places_.data(); }
  [[nodiscard]] const Event* end() const { return end_; }
  [[nodiscard]] Event* begin() { return places_.data(); }
  [[nodiscard]] Event* end() { return end_; }

 private:
  [[nodiscard]] const Event* limit() const { return std::to_address(places_.end()); }
  [[gnu::cold, gnu::noinline]] void grow(std::size_t more) {
    const auto size = static_cast<std::size_t>(end_ - places_.data());
    places_.resize(2 * places_.size() + more);
    end_ = places_.data() + size;
  }

  std::vector<Event> places_;
  Event* end_ = nullptr;
};

}  // namespace annelid::systemc
