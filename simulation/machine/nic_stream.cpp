#include "simulation/machine/nic_stream.hpp"

#include <utility>

namespace annelid::simulation {

NicStream::NicStream(systemc::EventStream& stream, TagOf tag_of)
    : stream_(stream),
      tag_of_(std::move(tag_of)),
      kind_(stream.add_kind([this](int, Cycle, systemc::EventStream::Words words) {
        replay(systemc::EventReader(words));
      })) {}

// ---- In each process ----------------------------------------------------------------------------

systemc::EventWriter& NicStream::begin(Event event, Cycle cycle, NodeId node) {
  words_.clear();
  return words_.add(static_cast<std::uint32_t>(event)).add_long(cycle).add(node);
}

void NicStream::called(Cycle cycle, NodeId node, std::uint16_t ticket) {
  begin(Event::kCalled, cycle, node).add(ticket).add(tag_of_(node, ticket));
  end();
}

void NicStream::matched(Cycle cycle, NodeId node, const nic::MatchInfo& match) {
  begin(Event::kMatched, cycle, node).add(static_cast<std::uint32_t>(match.how));
  words_.add(match.peer).add(match.tag);
  end();
}

void NicStream::add(Event event, Cycle cycle, const nic::MessageInfo& info, Port local) {
  begin(event, cycle, info.source).add(info.destination).add(info.tag).add(info.sequence);
  words_.add(info.bytes).add(info.step).add(info.combined ? 1 : 0).add(local);
  end();
}

void NicStream::call_finished(Cycle cycle, NodeId node, std::uint16_t ticket,
                              std::uint32_t result) {
  begin(Event::kFinished, cycle, node).add(ticket).add(result);
  end();
}

void NicStream::trapped(Cycle cycle, NodeId node, const nic::Trap& trap) {
  begin(Event::kTrapped, cycle, node).add(trap.pc).add(trap.cause).add(trap.value);
  end();
}

void NicStream::failed(Cycle cycle, NodeId node, reg::ErrorCause cause, const std::string& text) {
  begin(Event::kFailed, cycle, node).add(static_cast<std::uint32_t>(cause)).add_text(text);
  end();
}

// ---- In process 0 -------------------------------------------------------------------------------

void NicStream::replay(systemc::EventReader words) {
  const auto event = static_cast<Event>(words.next());
  const Cycle cycle = words.next_long();
  const NodeId node = words.next();
  switch (event) {
    case Event::kCalled: {
      const auto ticket = static_cast<std::uint16_t>(words.next());
      tags_[key(node, ticket)] = static_cast<std::uint16_t>(words.next());
      observers_.called(cycle, node, ticket);
      return;
    }
    case Event::kMatched: {
      const auto how = static_cast<nic::MatchInfo::How>(words.next());
      const NodeId peer = words.next();
      const nic::MatchInfo match{how, peer, static_cast<std::uint16_t>(words.next())};
      observers_.matched(cycle, node, match);
      return;
    }
    case Event::kFinished: {
      const auto ticket = static_cast<std::uint16_t>(words.next());
      const std::uint32_t result = words.next();
      observers_.call_finished(cycle, node, ticket, result);
      return;
    }
    case Event::kTrapped: {
      const nic::Trap trap{.pc = words.next(), .cause = words.next(), .value = words.next()};
      observers_.trapped(cycle, node, trap);
      return;
    }
    case Event::kFailed: {
      const auto cause = static_cast<reg::ErrorCause>(words.next());
      const std::string text = words.next_text();
      observers_.failed(cycle, node, cause, text);
      return;
    }
    default:
      replay_message(event, cycle, node, words);
  }
}

void NicStream::replay_message(Event event, Cycle cycle, NodeId source,
                               systemc::EventReader words) {
  nic::MessageInfo info;
  info.source = source;
  info.destination = words.next();
  info.tag = static_cast<std::uint16_t>(words.next());
  info.sequence = static_cast<std::uint16_t>(words.next());
  info.bytes = words.next();
  info.step = words.next();
  info.combined = words.next() != 0;
  const auto local = static_cast<Port>(words.next());
  if (event == Event::kPosted) observers_.send_posted(cycle, info);
  if (event == Event::kStarted) observers_.send_started(cycle, info, local);
  if (event == Event::kCompleted) observers_.send_completed(cycle, info);
  if (event == Event::kReceived) observers_.received(cycle, info);
}

}  // namespace annelid::simulation
