// What the parts of a network hold, told to process 0 by each process whenever it changes.
#pragma once

#include "systemc/fabric/event_stream.hpp"

namespace annelid::simulation {

/// Observes the fabric of a process, before the stream does. What a derived class tells of (record)
/// is known in process 0 for each cycle that the stream replays, as it is at the start of that
/// cycle.
class StateStream : public systemc::FabricObserver {
 public:
  explicit StateStream(systemc::EventStream& stream) : stream_(stream) {
    stream.add_before_arrivals([this](Cycle now) { settle(now); });
  }
  StateStream(const StateStream&) = delete;
  StateStream& operator=(const StateStream&) = delete;

  void cycle(Cycle now) final {
    settle(now);
    record(now);
    stepped_ = now;
    settled_ = false;
  }

 protected:
  [[nodiscard]] systemc::EventStream& stream() { return stream_; }

 private:
  /// Adds what has changed since the last time, by EventStream::add_registers with this cycle.
  virtual void record(Cycle cycle) = 0;

  /// Other processes may step the cycle after the last one that this process has stepped. All stays
  /// as it is from then on, until this process steps again or something arrives.
  void settle(Cycle now) {
    if (settled_ || stepped_ + 1 >= now) return;
    settled_ = true;
    record(stepped_ + 1);
  }

  systemc::EventStream& stream_;
  Cycle stepped_ = kNever;  // the last cycle
  bool settled_ = true;     // the cycle after it is recorded
};

}  // namespace annelid::simulation
