#include "simulation/results/account.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <tuple>

#include "interface/packet.hpp"
#include "systemc/network/node_text.hpp"
#include "systemc/network/route.hpp"
#include "traffic/zero_load.hpp"

namespace annelid::simulation {
namespace {

constexpr Cycle kCombineCycles = 4;  // docs/internals/nic/combining.md

bool is_to_itself(const nic::MessageRecord& m) { return m.info.source == m.info.destination; }

/// A message that a node has received or sent.
struct SeenCompletion {
  Cycle seen = 0;  ///< the first cycle in which the core can see the completion
  bool receive = false;
  std::size_t message = 0;
};

class PathWalk {
 public:
  explicit PathWalk(const AccountedRun& run)
      : run_(run), events_(run.called.size()), sends_(run.called.size()) {
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
      const nic::MessageRecord& m = run.messages[i];
      sends_[m.info.source].push_back(i);
      if (m.received != kNever) {
        events_[m.info.destination].push_back({m.received + 1, true, i});
      }
      if (m.sent != kNever && !is_to_itself(m)) {
        events_[m.info.source].push_back({m.sent + 1, false, i});
      }
    }
    for (auto& events : events_) {
      std::ranges::stable_sort(events, [](const SeenCompletion& a, const SeenCompletion& b) {
        return a.seen != b.seen ? a.seen < b.seen : a.receive < b.receive;
      });
    }
    for (const systemc::PacketRecord& packet : run.packets) {
      packets_.emplace(Start{packet.node, packet.local, packet.injected}, &packet);
    }
    admitted_.resize(run.messages.size());
    for (auto& sends : sends_) find_admissions(sends);
  }

  Account follow() {
    const auto last = std::ranges::max_element(run_.finished);
    auto node = static_cast<NodeId>(last - run_.finished.begin());
    at_ = *last + 1;
    Cycle did = *last;  // what the process did in this cycle
    for (;;) {
      const SeenCompletion* const cause = last_before(node, did);
      if (cause == nullptr) break;
      take(Cause::kFirmware, node, at_ - cause->seen, 0);
      const nic::MessageRecord& m = run_.messages[cause->message];
      if (is_to_itself(m)) {
        explain_own(cause->message);
      } else {
        if (cause->receive) explain_arrival(m);
        explain_departure(cause->message);
      }
      node = m.info.source;
      did = m.posted;
    }
    take(Cause::kFirmware, node, at_ - run_.called[node], 0);
    take(Cause::kWaits, node, at_ - run_.start, 0, "the process's call");
    std::ranges::reverse(account_.stretches);
    return std::move(account_);
  }

 private:
  /// When the sends of a node leave its start-up unit (docs/internals/nic/registers.md).
  void find_admissions(std::vector<std::size_t>& sends) {
    // Sends of one cycle enter in an order that is not recorded; it shows where they start.
    std::ranges::stable_sort(sends, [&](std::size_t a, std::size_t b) {
      const auto& x = run_.messages[a];
      const auto& y = run_.messages[b];
      return x.posted != y.posted ? x.posted < y.posted : x.started < y.started;
    });
    Cycle before = kNever;
    for (const std::size_t i : sends) {
      const nic::MessageRecord& m = run_.messages[i];
      const Cycle alpha = is_to_itself(m) ? 0 : run_.config.alpha;
      Cycle& admitted = admitted_[i];
      admitted = m.posted + alpha;
      if (before != kNever) admitted = std::max(admitted, before + std::max<Cycle>(alpha, 1));
      before = admitted;
    }
  }

  /// The last completion that the node saw up to cycle `did`, or nullptr: its call came later.
  [[nodiscard]] const SeenCompletion* last_before(NodeId node, Cycle did) const {
    const auto& events = events_[node];
    const auto end = std::ranges::upper_bound(events, did, {}, &SeenCompletion::seen);
    if (end == events.begin() || std::prev(end)->seen <= run_.called[node]) return nullptr;
    return &*std::prev(end);
  }

  /// The last `cycles` cycles up to at_ that are not yet explained.
  void take(Cause cause, NodeId node, Cycle cycles, std::uint32_t step,
            const std::string& for_whom = {}) {
    if (cycles == 0) return;
    at_ -= cycles;
    account_.stretches.push_back({cause, node, at_, cycles, step, for_whom});
  }
  /// At most so many of those back to `begin`.
  void take_up_to(Cause cause, NodeId node, Cycle cycles, Cycle begin, std::uint32_t step) {
    take(cause, node, std::min(cycles, at_ - begin), step);
  }

  [[nodiscard]] std::string shown(Address address) const {
    return systemc::node_text(run_.config.network, address);
  }
  [[nodiscard]] std::string shown(NodeId node) const {
    return shown(run_.config.network.address(node));
  }

  /// From the tail on the injection channel to the completion of the receive.
  void explain_arrival(const nic::MessageRecord& m) {
    const NodeId to = m.info.destination;
    const Cycle begin = m.sent + 1;
    const systemc::NetworkConfig& network = run_.config.network;
    const int hops = systemc::hops(network, network.address(m.info.source), network.address(to));
    const auto path = static_cast<Cycle>(traffic::head_latency(network, hops));
    if (m.combined) take_up_to(Cause::kCombining, to, kCombineCycles, begin, m.info.step);
    take_up_to(Cause::kStartUp, to, run_.config.gamma, begin, m.info.step);
    // Beside the path, a cycle to take in the tail.
    const Cycle late = at_ - begin > path + 1 ? at_ - begin - path - 1 : 0;
    take(Cause::kWaits, to, late, m.info.step,
         in_its_way(m, fmt::format("the receive of {}'s message", shown(m.info.source))));
    take(Cause::kHops, to, at_ - begin, m.info.step);
  }

  /// From the go to the tail on the injection channel.
  void explain_departure(std::size_t message) {
    const nic::MessageRecord& m = run_.messages[message];
    const NodeId node = m.info.source;
    const std::uint32_t step = m.info.step;
    const Cycle injection = at_ - m.started;
    take(Cause::kFlits, node, std::min<Cycle>(flits_of(m.info.bytes), injection), step);
    take(Cause::kWaits, node, at_ - m.started, step, in_its_way(m, "control packets at its port"));
    const Cycle admitted = std::min(admitted_[message], m.started);
    take_up_to(Cause::kHops, node, 1, admitted, step);  // to the channel
    explain_port(message, admitted);
    take_up_to(Cause::kStartUp, node, run_.config.alpha, m.posted, step);
    take(Cause::kWaits, node, at_ - m.posted, step, "the start-up of its own earlier sends");
  }

  /// From the admission on: while other messages pass the port, and for the receiver's offer.
  void explain_port(std::size_t message, Cycle admitted) {
    const nic::MessageRecord& m = run_.messages[message];
    Cycle busy = 0;
    for (const std::size_t i : sends_[m.info.source]) {
      const nic::MessageRecord& other = run_.messages[i];
      if (other.posted > at_) break;
      if (i == message || is_to_itself(other) || other.sent == kNever || other.local != m.local)
        continue;
      const Cycle begin = std::max(other.started, admitted);
      const Cycle end = std::min(other.sent + 1, at_);
      if (begin < end) busy += end - begin;
    }
    const Cycle waited = at_ - admitted;
    take(Cause::kWaits, m.info.source, std::min(busy, waited), m.info.step,
         "its own port's earlier messages");
    take(Cause::kWaits, m.info.source, at_ - admitted, m.info.step,
         "the offer of " + shown(m.info.destination));
  }

  /// The packet that blocked flits of the message longest. If none did, the message before it,
  /// which may have been ahead of it in the same buffers; else `otherwise`.
  [[nodiscard]] std::string in_its_way(const nic::MessageRecord& m,
                                       const std::string& otherwise) const {
    const auto found = packets_.find({m.info.source, m.local, m.started});
    if (found == packets_.end()) return otherwise;
    const auto& blockers = found->second->blockers;
    if (!blockers.empty()) {
      const auto longest = std::ranges::max_element(blockers, {}, &systemc::Blocker::cycles);
      const std::string who = name_of(run_.packets[longest->packet].info) + " in its way";
      return blockers.size() > 1 ? who + fmt::format(", and {} more", blockers.size() - 1) : who;
    }
    for (auto before = found; before != packets_.begin();) {
      const systemc::PacketRecord& packet = *(--before)->second;
      if (packet.node != m.info.source || packet.local != m.local) break;
      if (packet.info.control) continue;
      if (packet.tail_ejected < m.started) break;
      return name_of(packet.info) + " ahead of it";
    }
    return otherwise;
  }
  [[nodiscard]] std::string name_of(const systemc::PacketInfo& info) const {
    const std::string ends =
        fmt::format("from {} to {}", shown(info.head.source), shown(info.head.destination));
    return info.control ? "the control packet " + ends
                        : fmt::format("the message {} (step {})", ends, info.step);
  }

  void explain_own(std::size_t message) {
    const nic::MessageRecord& m = run_.messages[message];
    const NodeId node = m.info.source;
    if (m.combined) take_up_to(Cause::kCombining, node, kCombineCycles, m.posted, m.info.step);
    take_up_to(Cause::kStartUp, node, run_.config.gamma, m.posted, m.info.step);
    take_up_to(Cause::kCopies, node, flits_of(m.info.bytes), m.posted, m.info.step);
    take_up_to(Cause::kHops, node, 1, m.posted, m.info.step);
    take(Cause::kWaits, node, at_ - m.posted, m.info.step,
         "its own earlier messages, or its receive");
  }

  const AccountedRun& run_;
  std::vector<std::vector<SeenCompletion>> events_;  // by node, in the order of cycles
  std::vector<std::vector<std::size_t>> sends_;      // by node, in the order of entering
  std::vector<Cycle> admitted_;                      // by message
  using Start = std::tuple<NodeId, Port, Cycle>;     // of a head on an injection channel
  std::map<Start, const systemc::PacketRecord*> packets_;
  Cycle at_ = 0;  // everything from here on is explained
  Account account_;
};

}  // namespace

const char* name_of(Cause cause) {
  constexpr const char* kNames[kCauses] = {"start-up", "flits",  "hops",     "waits",
                                           "firmware", "copies", "combining"};
  return kNames[static_cast<std::size_t>(cause)];
}

Cycle Account::total() const {
  return std::accumulate(stretches.begin(), stretches.end(), Cycle{0},
                         [](Cycle sum, const Stretch& s) { return sum + s.cycles; });
}
Cycle Account::total(Cause cause) const {
  return std::accumulate(
      stretches.begin(), stretches.end(), Cycle{0},
      [cause](Cycle sum, const Stretch& s) { return s.cause == cause ? sum + s.cycles : sum; });
}

Account account_of(const AccountedRun& run) { return PathWalk(run).follow(); }

}  // namespace annelid::simulation
