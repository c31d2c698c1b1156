// What the NICs of several processes report, for observers in process 0.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "nic/nic_observer_tee.hpp"
#include "systemc/fabric/event_stream.hpp"

namespace annelid::simulation {

/// Observes the NICs of this process. In process 0 its own observers are told what those of all
/// processes report, in the order of a single process.
class NicStream final : public nic::NicObserver {
 public:
  /// The tag of the call that a node of this process has by a ticket.
  using TagOf = std::function<std::uint16_t(NodeId, std::uint16_t ticket)>;

  /// `stream` must outlive it.
  NicStream(systemc::EventStream& stream, TagOf tag_of);
  /// Only process 0 has observers.
  void set_observers(std::vector<nic::NicObserver*> observers) {
    observers_.set_observers(std::move(observers));
  }
  /// In process 0: the tag of a call of any node, once called() has told of it.
  [[nodiscard]] std::uint16_t tag_of(NodeId node, std::uint16_t ticket) const {
    return tags_.at(key(node, ticket));
  }

  void called(Cycle, NodeId, std::uint16_t ticket) override;
  void matched(Cycle, NodeId, const nic::MatchInfo&) override;
  void send_posted(Cycle now, const nic::MessageInfo& info) override {
    add(Event::kPosted, now, info);
  }
  void send_started(Cycle now, const nic::MessageInfo& info, Port local) override {
    add(Event::kStarted, now, info, local);
  }
  void send_completed(Cycle now, const nic::MessageInfo& info) override {
    add(Event::kCompleted, now, info);
  }
  void received(Cycle now, const nic::MessageInfo& info) override {
    add(Event::kReceived, now, info);
  }
  void call_finished(Cycle, NodeId, std::uint16_t ticket, std::uint32_t result) override;
  void trapped(Cycle, NodeId, const nic::Trap&) override;
  void failed(Cycle, NodeId, reg::ErrorCause, const std::string& text) override;

 private:
  enum class Event : std::uint32_t {
    kCalled,
    kMatched,
    kPosted,
    kStarted,
    kCompleted,
    kReceived,
    kFinished,
    kTrapped,
    kFailed
  };
  [[nodiscard]] static std::uint64_t key(NodeId node, std::uint16_t ticket) {
    return std::uint64_t{node} << 16 | ticket;
  }
  /// Begins an event. Its cycle may be later than the one in which it is told.
  systemc::EventWriter& begin(Event event, Cycle cycle, NodeId node);
  void end() { stream_.add(kind_, words_.words()); }
  void add(Event event, Cycle cycle, const nic::MessageInfo& info, Port local = 0);
  void replay(systemc::EventReader words);
  void replay_message(Event event, Cycle cycle, NodeId source, systemc::EventReader words);

  systemc::EventStream& stream_;
  const TagOf tag_of_;
  const systemc::EventStream::Kind kind_;
  nic::NicObserverTee observers_;
  std::unordered_map<std::uint64_t, std::uint16_t> tags_;  // in process 0, by node and ticket
  systemc::EventWriter words_;
};

}  // namespace annelid::simulation
