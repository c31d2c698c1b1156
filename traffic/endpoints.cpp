#include "traffic/endpoints.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>

#include "systemc/modules/hierarchy_scope.hpp"
#include "systemc/network/route.hpp"
#include "systemc/network/slot.hpp"
#include "traffic/plane_endpoints.hpp"

namespace annelid::traffic {

/// The endpoint's end of a local link.
class Endpoints::End final : public systemc::PlaneEnd {
 public:
  End(Endpoints& owner, std::uint32_t lane) : owner_(owner), lane_(lane) {}
  void put_flit(const systemc::Flit& flit) override { owner_.flit_arrived(lane_, flit); }
  void put_credit(Vc vc) override { owner_.credit_arrived(lane_, vc); }
  [[nodiscard]] systemc::PlaneTerminals& terminals() const override { return *owner_.planes_; }
  [[nodiscard]] std::uint32_t lane() const override { return lane_; }

 private:
  Endpoints& owner_;
  std::uint32_t lane_;
};

Endpoints::Endpoints(const sc_core::sc_module_name& name, systemc::Network& network,
                     Workload& workload)
    : sc_module(name),
      to_router("to_router"),
      from_router("from_router"),
      network_(network),
      fabric_(network.fabric()),
      config_(network.config()),
      lanes_per_node_(static_cast<std::uint32_t>(config_.router.local_ports)),
      vcs_(static_cast<std::uint32_t>(config_.router.local_vcs)),
      own_(network.slab()),
      workload_(workload),
      workload_reacts_(workload.reacts()),
      queues_(config_.nodes() * std::size_t{lanes_per_node_}),
      planes_(std::make_unique<Planes>(*this)),
      sources_(config_.nodes()) {
  for (NodeId node = 0; node < config_.nodes() && lanes_per_node_ > 1; ++node) {
    addresses_.push_back(pack(config_.address(node)));
  }
  if (systemc::Cut* const cut = fabric_.cut()) cut->set_terminals(*this);
  if (!network.attach(*planes_)) attach_links();
  handle_ = fabric_.add(*this);
}

Endpoints::~Endpoints() = default;

void Endpoints::attach_links() {
  const systemc::HierarchyScope inside(*this);
  const std::size_t lanes = queues_.size();
  const std::uint32_t first = own_.first * lanes_per_node_, end = own_.end * lanes_per_node_;
  to_router.init(end - first);
  from_router.init(end - first);
  ends_.reserve(lanes);
  lanes_.resize(lanes);
  outgoing_.resize(lanes * vcs_);
  incoming_.resize(lanes * vcs_);
  credits_.resize(lanes * vcs_, static_cast<std::uint8_t>(config_.router.depth));
  ready_.resize((lanes + 63) / 64);
  for (std::uint32_t i = first; i < end; ++i) {
    ends_.push_back(std::make_unique<End>(*this, i));
    from_router[i - first].bind(*ends_.back());
    network_.attach(i / lanes_per_node_, static_cast<int>(i % lanes_per_node_),
                    to_router[i - first], from_router[i - first]);
    lanes_[i].credit = static_cast<std::uint8_t>((1u << vcs_) - 1);
  }
}

void Endpoints::end_of_elaboration() {
  const std::size_t first = std::size_t{own_.first} * lanes_per_node_;
  for (std::size_t i = 0; i < to_router.size(); ++i) lanes_[first + i].router = to_router[i][0];
}

// ---- What arrives in a cycle is used in the next one --------------------------------------------

void Endpoints::credit_arrived(std::uint32_t lane, Vc vc) {
  credits_due_[fabric_.now() & 1].push_back({lane, vc});
  wake();
}

void Endpoints::flit_arrived(std::uint32_t lane, const systemc::Flit& flit) {
  if (flit.vc >= vcs_) [[unlikely]]
    fail(lane, "a flit on a control VC");
  drains_.add(fabric_.now(), *lanes_[lane].router, flit.vc);
  wake();
  ++flits_ejected_;
  Incoming& incoming = incoming_[lane * vcs_ + flit.vc];
  if (flit.head) {
    take_head(lane, flit, incoming);
  } else if (incoming.packet == kNone ||
             flit.data != body_data(incoming.head_data, incoming.received)) {
    fail(lane, "a flit that is not the next one of its packet");
  }
  ++incoming.received;
  if (flit.tail != (incoming.received == incoming.flits)) fail(lane, "a packet of another length");
  if (flit.tail) finish(std::exchange(incoming.packet, kNone));
}

void Endpoints::take_head(std::uint32_t lane, const systemc::Flit& flit, Incoming& incoming) {
  const systemc::HeadFields head = systemc::unpack_head(flit.data);
  const PacketIndex index =
      config_.contains(head.source) ? find(config_.id(head.source), head.tag) : kNone;
  const Packet& packet =
      receive(lane, lane / lanes_per_node_, incoming.packet, index, fabric_.now());
  incoming = {index, 0, packet.flits, flit.data};
}

void Endpoints::finish(PacketIndex index) {
  Packet& packet = packets_[index];
  packet.tail_ejected = fabric_.now();
  ++packets_ejected_;
  free_number(packet);
  for (PacketObserver* o : observers_) o->ejected(packet);
  workload_.ejected(packet);
  free_.push_back(index);
}

// ---- A cycle ------------------------------------------------------------------------------------

Cycle Endpoints::step(Cycle now) {
  if (planes_->in_use()) return planes_->step(now);
  const auto parity = (now + 1) & 1;
  for (const LaneVc& due : credits_due_[parity]) {
    ++credits_[due.lane * vcs_ + due.vc];
    lanes_[due.lane].credit |= static_cast<std::uint8_t>(1u << due.vc);
    ready_[due.lane / 64] |= std::uint64_t{1} << due.lane % 64;
  }
  credits_due_[parity].clear();
  drains_.give(now);
  take_freed_tags(now);

  if (workload_.next(now) <= now) workload_.create(now, *this);
  bool busy = false;
  for (std::size_t word = 0; word < ready_.size(); ++word) {
    for (std::uint64_t rest = ready_[word]; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(rest));
      if (inject(static_cast<std::uint32_t>(word * 64) + bit, now)) {
        busy = true;
      } else {
        ready_[word] &= ~(std::uint64_t{1} << bit);  // until a credit, a packet or a tag comes
      }
    }
  }
  return busy ? now + 1 : workload_.next(now + 1);
}

std::uint64_t Endpoints::send(NodeId source, NodeId destination, std::uint32_t flits,
                              std::uint32_t mark) {
  const PacketIndex index = new_packet();
  packets_[index] = {.id = packets_created_++,
                     .source = source,
                     .destination = destination,
                     .flits = flits,
                     .mark = mark,
                     .created = fabric_.now()};
  next_[index] = kNone;
  flits_created_ += flits;
  const std::uint32_t lane_index = lane_of(source, destination);
  Queue& queue = queues_[lane_index];
  if (queue.first == kNone) {
    queue.first = index;
  } else {
    next_[queue.last] = index;
  }
  queue.last = index;
  if (planes_->in_use()) {
    planes_->queue(source, lane_index);
  } else {
    ready_[lane_index / 64] |= std::uint64_t{1} << lane_index % 64;
  }
  for (PacketObserver* o : observers_) o->created(packets_[index]);
  return packets_[index].id;
}

Endpoints::PacketIndex Endpoints::new_packet() {
  if (free_.empty()) {
    packets_.emplace_back();
    next_.push_back(kNone);
    return static_cast<PacketIndex>(packets_.size() - 1);
  }
  const PacketIndex index = free_.back();
  free_.pop_back();
  return index;
}

std::uint32_t Endpoints::lane_of(NodeId source, NodeId destination) const {
  if (lanes_per_node_ == 1) return source;
  return source * lanes_per_node_ +
         first_output(config_, addresses_[source], addresses_[destination]) % lanes_per_node_;
}

/// Sends a flit if a VC has one and a credit; false if none has.
bool Endpoints::inject(std::uint32_t lane_index, Cycle now) {
  Lane& lane = lanes_[lane_index];
  unsigned candidates = lane.credit;
  if (queues_[lane_index].first == kNone) candidates &= lane.occupied;
  Vc vc = 0;
  for (;;) {
    if (candidates == 0) return false;
    vc = static_cast<Vc>(systemc::round_robin(candidates, lane.next_vc));
    if ((lane.occupied >> vc & 1) != 0 || start_packet(lane, lane_index, vc, now)) break;
    candidates &= lane.occupied;
  }
  lane.next_vc = static_cast<Vc>((vc + 1u) % vcs_);

  Outgoing& outgoing = outgoing_[lane_index * vcs_ + vc];
  const std::uint32_t k = outgoing.sent++;
  const systemc::Flit flit{.data = k == 0 ? outgoing.head_data : body_data(outgoing.head_data, k),
                           .vc = vc,
                           .head = k == 0,
                           .tail = k + 1 == outgoing.flits};
  if (--credits_[lane_index * vcs_ + vc] == 0)
    lane.credit &= static_cast<std::uint8_t>(~(1u << vc));
  if (flit.tail) lane.occupied &= static_cast<std::uint8_t>(~(1u << vc));
  lane.router->put_flit(flit);
  if (fabric_.observer() != nullptr) report(lane_index, now, outgoing.flits, flit);
  return true;
}

/// Takes the first packet of the queue; false if all tags of its source are in use.
bool Endpoints::start_packet(Lane& lane, std::uint32_t lane_index, Vc vc, Cycle now) {
  Queue& queue = queues_[lane_index];
  const PacketIndex index = queue.first;
  const Packet* const packet = take_first(queue, now);
  if (packet == nullptr) return false;
  lane.occupied |= static_cast<std::uint8_t>(1u << vc);
  outgoing_[lane_index * vcs_ + vc] = {
      index, 0, packet->flits,
      pack(systemc::HeadFields{config_.address(packet->destination),
                               config_.address(packet->source),
                               static_cast<std::uint16_t>(packet->tag)})};
  return true;
}

void Endpoints::report(std::uint32_t lane, Cycle now, std::uint32_t flits,
                       const systemc::Flit& flit) const {
  const NodeId node = lane / lanes_per_node_;
  const auto local = static_cast<Port>(lane % lanes_per_node_);
  if (flit.head) {
    const std::uint32_t bytes = flits > 2 ? (flits - 2) * 8 : 0;
    fabric_.observer()->packet(
        now, node, local, {.head = systemc::unpack_head(flit.data), .bytes = bytes, .step = 1});
  }
  fabric_.observer()->injected(now, node, local, flit);
}

// ---- Packets in flight --------------------------------------------------------------------------

/// Doubles the number of places; false if there is one for each tag.
bool Endpoints::make_room(InFlight& source) const {
  auto& by_tag = source.by_tag;
  if (by_tag.size() == kTags) return false;
  std::vector<PacketIndex> larger(std::max<std::size_t>(4, 2 * by_tag.size()), kNone);
  for (const PacketIndex other : by_tag) {
    if (other != kNone) larger[packets_[other].tag & (larger.size() - 1)] = other;
  }
  by_tag = std::move(larger);
  return true;
}

/// A source may be waiting for a tag only if it has one place for each, so that no other gets more.
/// Then the place is free from the next cycle on.
void Endpoints::free_tag_later(const Packet& packet) {
  const std::uint32_t place = packet.tag & (kTags - 1);
  sources_[packet.source].by_tag[place] = kFreed;
  freed_tags_[fabric_.now() & 1].push_back({packet.source, place});
  wake();
}

void Endpoints::take_freed_tags(std::vector<FreedTag>& freed) {
  for (const FreedTag& tag : freed) {
    sources_[tag.source].by_tag[tag.place] = kNone;
    for (std::uint32_t i = 0; !ready_.empty() && i < lanes_per_node_; ++i) {
      const std::uint32_t lane = tag.source * lanes_per_node_ + i;
      ready_[lane / 64] |= std::uint64_t{1} << lane % 64;
    }
  }
  freed.clear();
}

Endpoints::PacketIndex Endpoints::find(NodeId source, std::uint16_t tag) const {
  if (!own_.has(source)) {
    const auto found = foreign_.find(foreign_key(source, tag));
    return found == foreign_.end() ? kNone : found->second;
  }
  const auto& by_tag = sources_[source].by_tag;
  if (by_tag.empty()) return kNone;
  const PacketIndex index = by_tag[tag & (by_tag.size() - 1)];
  return index < kFreed && static_cast<std::uint16_t>(packets_[index].tag) == tag ? index : kNone;
}

const Packet* Endpoints::in_flight(NodeId source, std::uint16_t tag) const {
  const PacketIndex index = find(source, tag);
  return index == kNone ? nullptr : &packets_[index];
}

// ---- One of several processes -------------------------------------------------------------------

namespace {

std::uint32_t low(Cycle cycle) { return static_cast<std::uint32_t>(cycle); }
std::uint32_t high(Cycle cycle) { return static_cast<std::uint32_t>(cycle >> 32); }

}  // namespace

std::uint32_t Endpoints::packet_of(std::uint64_t flit_data) const {
  const systemc::HeadFields head = systemc::unpack_head(flit_data);
  return find(config_.id(head.source), head.tag);
}

systemc::PacketWords Endpoints::describe(std::uint32_t packet) const {
  const Packet& p = packets_[packet];
  return {p.source,       p.destination,   p.flits,         p.tag,           p.mark,
          low(p.created), high(p.created), low(p.injected), high(p.injected)};
}

std::uint32_t Endpoints::come(const systemc::PacketWords& words) {
  const PacketIndex index = new_packet();
  packets_[index] = {.source = words[0],
                     .destination = words[1],
                     .flits = words[2],
                     .tag = words[3],
                     .mark = words[4],
                     .created = words[5] | Cycle{words[6]} << 32,
                     .injected = words[7] | Cycle{words[8]} << 32};
  next_[index] = kNone;
  if (!planes_->in_use()) foreign_[foreign_key(words[0], words[3])] = index;
  return index;
}

void Endpoints::gone(std::uint32_t packet) {
  free_number(packets_[packet]);
  packets_[packet].injected = kNever;
  free_.push_back(packet);
}

// As after an arrival in this process, the workload is asked in the next cycle.
void Endpoints::share_news(Cycle now) {
  workload_.share_news(fabric_.cut()->exchange(), now);
  fabric_.wake(handle_, now);
}

void Endpoints::free_number(const Packet& packet) {
  if (!is_foreign(packet)) {
    free_tag(packet);
    return;
  }
  longest_foreign_ = std::max(longest_foreign_, fabric_.now() - packet.injected);
  if (!planes_->in_use()) foreign_.erase(foreign_key(packet.source, packet.tag));
}

// A source starts at most one packet per injection channel in a cycle.
bool Endpoints::numbers_may_have_met() {
  std::uint64_t most = 0;
  for (const InFlight& source : sources_) most = std::max<std::uint64_t>(most, source.next_tag);
  for (const Packet& packet : packets_) {  // those that are still in the network
    if (!is_foreign(packet) || packet.tail_ejected != kNever || packet.injected == kNever) continue;
    longest_foreign_ = std::max(longest_foreign_, fabric_.now() - packet.injected);
  }
  std::array<std::uint64_t, 2> greatest = {~most, ~longest_foreign_};
  fabric_.cut()->exchange().least(greatest);
  return ~greatest[0] > kTags && ~greatest[1] >= kTags / lanes_per_node_;
}

// ---- In planes ----------------------------------------------------------------------------------

std::uint64_t Endpoints::flits_ejected() const {
  return planes_->in_use() ? planes_->flits_ejected() : flits_ejected_;
}

void Endpoints::count_injections() { planes_->count_injections(); }

std::uint64_t Endpoints::injections(NodeId node, int local) const {
  return planes_->injections(node * lanes_per_node_ + static_cast<std::uint32_t>(local));
}

void Endpoints::fail(std::uint32_t lane, const char* what) const {
  const NodeId node = lane / lanes_per_node_;
  throw std::logic_error("node " + node_name(config_.router, config_.address(node)) + ", ej" +
                         std::to_string(lane % lanes_per_node_) + ", cycle " +
                         std::to_string(fabric_.now()) + ": " + what);
}

}  // namespace annelid::traffic
