#include "traffic/plane_endpoints.hpp"

#include <bit>
#include <utility>

namespace annelid::traffic {

void Endpoints::Planes::use_planes(systemc::PlaneInputs& inputs) {
  inputs_ = &inputs;
  const std::size_t words = (owner_.config_.nodes() + 63) / 64;
  queued_.resize(words * owner_.lanes_per_node_);
  vcs_.resize(queued_.size() * owner_.vcs_);
  ready_.resize((words + 63) / 64);
  started_.resize(owner_.queues_.size());
  sending_.resize(owner_.queues_.size() * owner_.vcs_, kNone);
  receiving_.resize(sending_.size(), kNone);
  GroupVc* vc = vcs_.data();
  for (std::uint32_t word = 0; word < words; ++word) {
    for (int local = 0; local < static_cast<int>(owner_.lanes_per_node_); ++local) {
      for (int v = 0; v < static_cast<int>(owner_.vcs_); ++v)
        (vc++)->to = inputs.input(word, local, v);
    }
  }
}

// ---- Sources ------------------------------------------------------------------------------------

/// The VCs of a channel take turns: the first candidate at or after the pointer, else the first.
void Endpoints::Planes::choose_vcs(GroupVc* vcs) const {
  const unsigned count = owner_.vcs_;
  std::uint64_t after = 0, any = 0;
  for (unsigned v = 0; v < count; ++v) {
    const std::uint64_t here = vcs[v].candidate & vcs[v].pointer;
    vcs[v].sends = here & ~after;
    after |= here;
  }
  for (unsigned v = 0; v < count; ++v) {
    vcs[v].sends |= vcs[v].candidate & ~any & ~after;
    any |= vcs[v].candidate;
  }
}

/// Takes the first packet of a queue.
void Endpoints::Planes::start(std::uint32_t word, int local, Vc v, unsigned bit) {
  const std::uint32_t group = group_of(word, local), index = lane_of(word, local, bit);
  Queue& queue = owner_.queues_[index];
  const PacketIndex packet_index = queue.first;
  const Packet* const packet = owner_.take_first(queue, now_);
  if (packet == nullptr) [[unlikely]] {
    choose_again(group, v, bit);
    return;
  }
  const std::uint64_t node = std::uint64_t{1} << bit;
  if (queue.first == kNone) queued_[group] &= ~node;
  GroupVc& vc = vc_of(group, v);
  vc.sending |= node;
  vc.behind.set(bit, packet->flits - 1);
  sending_[index * owner_.vcs_ + v] = packet_index;
  started_[index] += packet->flits;
  inputs_->start(vc.to, word * 64 + bit, packet_index, packet->destination);
}

/// All tags of a node are in use: only VCs that have a packet under way may send.
void Endpoints::Planes::choose_again(std::uint32_t group, Vc v, unsigned bit) {
  const std::uint64_t node = std::uint64_t{1} << bit;
  vc_of(group, v).sends &= ~node;
  Vc first = 0, chosen = 0;
  bool any = false, after = false;
  for (Vc w = static_cast<Vc>(owner_.vcs_); w-- > 0;) {
    const GroupVc& vc = vc_of(group, w);
    if ((vc.candidate & vc.sending & node) == 0) continue;
    any = true;
    first = w;
    if ((vc.pointer & node) == 0) continue;
    after = true;
    chosen = w;
  }
  if (any) vc_of(group, after ? chosen : first).sends |= node;
}

template <bool one_vc>
[[gnu::always_inline]] inline void Endpoints::Planes::send(std::uint32_t word, int local, Vc v,
                                                           GroupVc* vcs) {
  GroupVc& vc = vcs[v];
  const std::uint64_t flits = vc.sends, tails = vc.behind.count_down(flits);
  vc.sending &= ~tails;
  if constexpr (!one_vc) {
    for (unsigned w = 0; w <= v; ++w) vcs[w].pointer &= ~flits;
    for (unsigned w = v + 1; w < owner_.vcs_; ++w) vcs[w].pointer |= flits;
  }
  *vc.to.flits |= flits;
  *vc.to.tails |= tails;
  inputs_->touch(word, v);
  if (owner_.fabric_.observer() != nullptr) report(word, local, v, flits, tails);
}

/// Returns the nodes that still have flits to send.
template <bool one_vc>
std::uint64_t Endpoints::Planes::inject_group(std::uint32_t word, int local) {
  const std::uint32_t group = group_of(word, local);
  GroupVc* const vcs = &vcs_[group * owner_.vcs_];
  const unsigned count = one_vc ? 1 : owner_.vcs_;
  std::uint64_t any = 0, left = 0;
  for (unsigned v = 0; v < count; ++v) {
    vcs[v].candidate = (vcs[v].sending | queued_[group]) & ~*vcs[v].to.full;
    any |= vcs[v].candidate;
  }
  if (any != 0) {
    if constexpr (one_vc) {
      vcs->sends = vcs->candidate;
    } else {
      choose_vcs(vcs);
    }
    for (unsigned v = 0; v < count; ++v) {
      for (std::uint64_t rest = vcs[v].sends & ~vcs[v].sending; rest != 0; rest &= rest - 1) {
        start(word, local, static_cast<Vc>(v), static_cast<unsigned>(std::countr_zero(rest)));
      }
    }
    for (unsigned v = 0; v < count; ++v) {
      if (vcs[v].sends != 0) send<one_vc>(word, local, static_cast<Vc>(v), vcs);
    }
  }
  for (unsigned v = 0; v < count; ++v) left |= vcs[v].sending;
  return left | queued_[group];
}

Cycle Endpoints::Planes::step(Cycle now) {
  inject(now);
  return inputs_->flits_inside() == 0 || owner_.workload_reacts_ ? creation_ : kNever;
}

// While the network has flits, it calls this in every cycle.
void Endpoints::Planes::inject(Cycle now) {
  if (now_ == now) return;
  now_ = now;
  owner_.take_freed_tags(now);
  Workload& workload = owner_.workload_;
  if (owner_.workload_reacts_) creation_ = workload.next(now);
  if (creation_ <= now) {
    workload.create(now, owner_);
    creation_ = workload.next(now + 1);
  }
  const int locals = static_cast<int>(owner_.lanes_per_node_);
  for (std::uint32_t i = 0; i < ready_.size(); ++i) {
    for (std::uint64_t rest = ready_[i]; rest != 0; rest &= rest - 1) {
      const auto word = i * 64 + static_cast<std::uint32_t>(std::countr_zero(rest));
      std::uint64_t left = 0;
      for (int local = 0; local < locals; ++local) {
        left |=
            owner_.vcs_ == 1 ? inject_group<true>(word, local) : inject_group<false>(word, local);
      }
      if (left == 0) ready_[i] &= ~(std::uint64_t{1} << word % 64);
    }
  }
  if (inputs_->flits_inside() == 0 && creation_ != planned_ && creation_ != kNever) {
    planned_ = creation_;
    owner_.fabric_.wake(owner_.handle_, planned_);
  }
}

void Endpoints::Planes::report(std::uint32_t word, int local, Vc v, std::uint64_t flits,
                               std::uint64_t tails) const {
  for (std::uint64_t rest = flits; rest != 0; rest &= rest - 1) {
    const auto bit = static_cast<unsigned>(std::countr_zero(rest));
    const std::uint32_t lane = lane_of(word, local, bit);
    const PacketIndex packet = sending_[lane * owner_.vcs_ + v];
    const std::uint32_t k = injected(packet) - 1;
    owner_.report(
        lane, now_, owner_.packets_[packet].flits,
        {.data = data(packet, k), .vc = v, .head = k == 0, .tail = (tails >> bit & 1) != 0});
  }
}

void Endpoints::Planes::count_injections() {
  for (std::uint32_t lane = 0; lane < started_.size(); ++lane) started_[lane] = flits_left(lane);
}

/// The flits that are still to be sent of the packets that were started.
std::uint64_t Endpoints::Planes::flits_left(std::uint32_t lane) const {
  const std::uint32_t node = lane / owner_.lanes_per_node_, bit = node % 64;
  const std::uint32_t group = group_of(node / 64, static_cast<int>(lane % owner_.lanes_per_node_));
  std::uint64_t flits = 0;
  for (std::uint32_t v = 0; v < owner_.vcs_; ++v) {
    const GroupVc& vc = vcs_[group * owner_.vcs_ + v];
    if ((vc.sending >> bit & 1) != 0) flits += vc.behind.value(bit) + 1;
  }
  return flits;
}

// ---- Sinks --------------------------------------------------------------------------------------

void Endpoints::Planes::head_ejected(NodeId node, int local, Vc v, std::uint32_t packet_index) {
  const std::uint32_t lane = node * owner_.lanes_per_node_ + static_cast<std::uint32_t>(local);
  PacketIndex& receiving = receiving_[lane * owner_.vcs_ + v];
  const Packet& packet = owner_.receive(lane, node, receiving, packet_index, now_);
  GroupVc& vc = vc_of(group_of(node / 64, local), v);
  vc.receiving |= std::uint64_t{1} << node % 64;
  vc.awaited.set(node % 64, packet.flits - 1);
}

void Endpoints::Planes::flits_ejected(std::uint32_t word, int local, Vc v, std::uint64_t flits,
                                      std::uint64_t tails) {
  GroupVc& vc = vc_of(group_of(word, local), v);
  if (const std::uint64_t lost = flits & ~vc.receiving; lost != 0) {
    owner_.fail(lane_of(word, local, static_cast<unsigned>(std::countr_zero(lost))),
                "a flit that is not the next one of its packet");
  }
  if (const std::uint64_t last = vc.awaited.count_down(flits); last != tails) {
    owner_.fail(lane_of(word, local, static_cast<unsigned>(std::countr_zero(last ^ tails))),
                "a packet of another length");
  }
  vc.receiving &= ~tails;
  if (tails != 0 && owner_.workload_reacts_) owner_.wake();
  for (std::uint64_t rest = tails; rest != 0; rest &= rest - 1) {
    const std::uint32_t lane = lane_of(word, local, static_cast<unsigned>(std::countr_zero(rest)));
    owner_.finish(std::exchange(receiving_[lane * owner_.vcs_ + v], kNone));
  }
}

// ---- What a flit would say ----------------------------------------------------------------------

std::uint64_t Endpoints::Planes::data(std::uint32_t packet_index, std::uint32_t k) const {
  const Packet& packet = owner_.packets_[packet_index];
  const std::uint64_t head = pack(systemc::HeadFields{owner_.config_.address(packet.destination),
                                                      owner_.config_.address(packet.source),
                                                      static_cast<std::uint16_t>(packet.tag)});
  return k == 0 ? head : body_data(head, k);
}

std::uint32_t Endpoints::Planes::injected(std::uint32_t packet_index) const {
  const Packet& packet = owner_.packets_[packet_index];
  const std::uint32_t word = packet.source / 64, bit = packet.source % 64;
  const std::uint32_t lane = owner_.lane_of(packet.source, packet.destination);
  const std::uint32_t group = group_of(word, static_cast<int>(lane % owner_.lanes_per_node_));
  for (std::uint32_t v = 0; v < owner_.vcs_; ++v) {
    const GroupVc& vc = vcs_[group * owner_.vcs_ + v];
    if (sending_[lane * owner_.vcs_ + v] != packet_index) continue;
    if ((vc.sending >> bit & 1) != 0) return packet.flits - 1 - vc.behind.value(bit);
  }
  return packet.flits;
}

}  // namespace annelid::traffic
