// The messages of the NICs of several processes, for an observer in rank 0.
#pragma once

#include "nic/nic_observer.hpp"
#include "systemc/router/event_stream.hpp"

namespace annelid::simulation {

/// Observes the NICs of this process. Of calls, matches and failures it tells nothing.
class MessageStream final : public nic::NicObserver {
 public:
  /// `stream` must outlive it.
  explicit MessageStream(systemc::EventStream& stream);
  /// Sets the observer that is told of the messages of all processes. Only rank 0 has one.
  void set_observer(nic::NicObserver& observer) { observer_ = &observer; }

  void send_posted(Cycle, const nic::MessageInfo& info) override { add(Event::kPosted, info); }
  void send_started(Cycle, const nic::MessageInfo& info, Port local) override {
    add(Event::kStarted, info, local);
  }
  void send_completed(Cycle, const nic::MessageInfo& info) override {
    add(Event::kCompleted, info);
  }
  void received(Cycle, const nic::MessageInfo& info) override { add(Event::kReceived, info); }

 private:
  enum class Event : std::uint32_t { kPosted, kStarted, kCompleted, kReceived };
  void add(Event event, const nic::MessageInfo& info, Port local = 0);
  void replay(Cycle cycle, systemc::EventReader reader);

  systemc::EventStream& stream_;
  const systemc::EventStream::Kind kind_;
  nic::NicObserver* observer_ = nullptr;
  systemc::EventWriter words_;
};

}  // namespace annelid::simulation
