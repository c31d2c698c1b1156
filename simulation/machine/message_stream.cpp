#include "simulation/machine/message_stream.hpp"

namespace annelid::simulation {

MessageStream::MessageStream(systemc::EventStream& stream)
    : stream_(stream),
      kind_(stream.add_kind([this](int, Cycle cycle, systemc::EventStream::Words words) {
        replay(cycle, systemc::EventReader(words));
      })) {}

void MessageStream::add(Event event, const nic::MessageInfo& info, Port local) {
  words_.clear();
  words_.add(static_cast<std::uint32_t>(event)).add(info.source).add(info.destination);
  words_.add(info.tag).add(info.sequence).add(info.bytes).add(info.step);
  words_.add(info.combined ? 1 : 0).add(local);
  stream_.add(kind_, words_.words());
}

void MessageStream::replay(Cycle cycle, systemc::EventReader reader) {
  const auto event = static_cast<Event>(reader.next());
  nic::MessageInfo info;
  info.source = reader.next();
  info.destination = reader.next();
  info.tag = static_cast<std::uint16_t>(reader.next());
  info.sequence = static_cast<std::uint16_t>(reader.next());
  info.bytes = reader.next();
  info.step = reader.next();
  info.combined = reader.next() != 0;
  const auto local = static_cast<Port>(reader.next());
  switch (event) {
    case Event::kPosted:
      return observer_->send_posted(cycle, info);
    case Event::kStarted:
      return observer_->send_started(cycle, info, local);
    case Event::kCompleted:
      return observer_->send_completed(cycle, info);
    case Event::kReceived:
      return observer_->received(cycle, info);
  }
}

}  // namespace annelid::simulation
