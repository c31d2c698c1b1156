#include "reference/costs/critical_path.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "reference/costs/latency.hpp"

namespace annelid::reference {
namespace {

constexpr std::uint64_t kControlFlits = 2;
/// A flit that is started to combine in t is written in t + 3, and done from t + 4 on.
constexpr Cycle kCombineCycles = 3;

int dimensions(const Network& net) {
  if (net.z > 1) return 3;
  return net.y > 1 ? 2 : 1;
}

/// What a node can do from when on, and which message made it so late.
struct Moment {
  Cycle cycle = 0;
  std::optional<MessageId> after;
  void wait_for(Cycle other, MessageId message) {
    if (other >= cycle) *this = {other, message};
  }
};

struct Sender {
  Cycle admitted = 0;  ///< of its last send
  bool has_sent = false;
  std::vector<Moment> port_is_free;  ///< from this cycle on a head may be injected
};

class Walk {
 public:
  Walk(const Network& net, const Timing& timing)
      : net_(net), timing_(timing), dimensions_(dimensions(net)) {
    ports_ = timing.local_ports == 0 ? 2 * dimensions_ : timing.local_ports;
    if (timing.one_port) ports_ = 1;
    const auto nodes = static_cast<std::size_t>(net.nodes());
    senders_.resize(nodes);
    receivers_.resize(nodes);
    next_combine_.resize(nodes);
    for (Sender& s : senders_) s.port_is_free.resize(static_cast<std::size_t>(ports_));
  }

  Prediction play(const Schedule& schedule) {
    int strands = 1;
    for (const Step& step : schedule.steps) {
      for (const Message& m : step) {
        strands = std::max({strands, m.strand + 1, m.strand_there + 1});
      }
    }
    may_go_.assign(static_cast<std::size_t>(strands), std::vector<Moment>(senders_.size()));
    Prediction result;
    result.complete.resize(senders_.size());
    for (std::size_t i = 0; i < schedule.steps.size(); ++i) {
      const Step& step = schedule.steps[i];
      if (std::ranges::find(schedule.joins, i) != schedule.joins.end()) join_strands();
      std::vector<MessageTimes> times;
      for (std::size_t m = 0; m < step.size(); ++m) times.push_back(message(step[m], {i, m}));
      complete_receives(step, times);
      // Only now: what a step brings counts for the steps after it.
      for (std::size_t m = 0; m < step.size(); ++m) {
        const MessageId id{i, m};
        moment(step[m].from, step[m].strand).wait_for(times[m].tail + timing_.reaction, id);
        moment(step[m].to, step[m].receiving_strand())
            .wait_for(times[m].received + timing_.reaction, id);
        Cycle& complete = result.complete[node(step[m].to)];
        complete = std::max(complete, times[m].received);
        if (times[m].received > result.end) {
          result.end = times[m].received;
          result.path = {id};
        }
      }
      result.messages.push_back(std::move(times));
    }
    while (!result.path.empty()) {
      const MessageId last = result.path.back();
      const auto& after = result.messages[last.step][last.index].after;
      if (!after) break;
      result.path.push_back(*after);
    }
    std::ranges::reverse(result.path);
    return result;
  }

 private:
  [[nodiscard]] std::size_t node(Node n) const {
    return static_cast<std::size_t>(index_of(net_, n));
  }
  Moment& moment(Node n, int strand) { return may_go_[static_cast<std::size_t>(strand)][node(n)]; }

  /// All strands of a node wait for the latest.
  void join_strands() {
    for (std::size_t n = 0; n < senders_.size(); ++n) {
      Moment latest;
      for (const auto& strand : may_go_) {
        if (strand[n].cycle >= latest.cycle) latest = strand[n];
      }
      for (auto& strand : may_go_) strand[n] = latest;
    }
  }

  /// From a head on the injection channel to the tail's consumption at the receiver.
  [[nodiscard]] Cycle way(Node from, Node to, std::uint64_t flits) const {
    const auto h = static_cast<std::uint64_t>(distance(net_, from, to));
    const auto internal = timing_.one_port ? static_cast<Cycle>(dimensions_ - 1) : 0;
    return zero_load_latency(h, flits, timing_.pipeline, timing_.link_registers) +
           internal * timing_.pipeline + 1;
  }

  /// The injection port by route: the output that the route takes first, modulo the ports.
  [[nodiscard]] std::size_t port(Node from, Node to) const {
    const std::array<int, 3> steps{steps_along(net_.x, net_.ring[0], from.x, to.x),
                                   steps_along(net_.y, net_.ring[1], from.y, to.y),
                                   steps_along(net_.z, net_.ring[2], from.z, to.z)};
    for (const std::size_t d : net_.order) {
      const auto output = 2 * static_cast<int>(d);
      if (steps[d] != 0) {
        return static_cast<std::size_t>((output + (steps[d] > 0 ? 0 : 1)) % ports_);
      }
    }
    throw std::invalid_argument("message from " + to_string(from) + " to itself");
  }

  MessageTimes message(const Message& m, MessageId id) {
    Sender& sender = senders_[node(m.from)];
    const Moment& may_go = moment(m.from, m.strand);
    MessageTimes times;
    times.go = may_go.cycle;
    times.after = may_go.after;

    Cycle admitted = times.go + timing_.alpha;
    if (sender.has_sent) {
      admitted = std::max(admitted, sender.admitted + std::max<Cycle>(timing_.alpha, 1));
    }
    sender.admitted = admitted;
    sender.has_sent = true;

    const std::uint64_t flits = flits_of(m.bytes);
    const Cycle offer_way = way(m.to, m.from, kControlFlits);
    // The next offer to a sender leaves when the header of its message before has come.
    const std::uint64_t pair = static_cast<std::uint64_t>(node(m.from)) << 32 | node(m.to);
    Cycle posted = posted_.try_emplace(pair, timing_.posted).first->second;
    Receiver& receiver = receivers_[node(m.to)];
    if (timing_.in_turn) posted = std::max(posted, receiver.header);
    const Cycle offered = posted + 1 + offer_way;
    const bool eager = timing_.offers && m.bytes <= timing_.eager_bytes && admitted < offered;
    Cycle ready = admitted;
    if (timing_.offers && !eager) ready = std::max(ready, offered);

    Moment& port_is_free = sender.port_is_free[port(m.from, m.to)];
    times.head = ready + 1;
    if (port_is_free.cycle > times.head) {
      times.head = port_is_free.cycle;
      times.after = port_is_free.after;
    }
    times.tail = times.head + flits - 1;

    times.received = times.head + way(m.from, m.to, flits);
    if (timing_.one_port && receiver.tail.cycle + flits > times.received) {
      times.tail += receiver.tail.cycle + flits - times.received;
      times.received = receiver.tail.cycle + flits;
      times.after = receiver.tail.after;
    }
    receiver.tail = {times.received, id};
    port_is_free.wait_for(times.tail + 1, id);
    receiver.header = times.received - (flits - 2);
    posted_[pair] = receiver.header;
    if (eager) times.received = delivered(m, times.received, offered, offer_way);
    return times;
  }

  /// From the arrival of the messages of a step to the completion of their receives.
  void complete_receives(const Step& step, std::vector<MessageTimes>& times) {
    std::vector<std::size_t> order(step.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t m) { return node(step[m].from); });
    for (std::size_t m : order) {
      Cycle& received = times[m].received;
      if (timing_.combining && step[m].bytes > 0) {
        Cycle& next =
            next_combine_[node(step[m].to)];  // its last flit is behind those of older ones
        const Cycle started = std::max(received + 1, next);
        next = started + kCombineCycles + 1;
        received = started + kCombineCycles;
      }
      received += timing_.gamma;
    }
  }

  /// An eager message that met an offer on its way is in the eager place until the offer has been
  /// parked; then it is delivered.
  [[nodiscard]] static Cycle delivered(const Message& m, Cycle arrived, Cycle offered,
                                       Cycle offer_way) {
    const Cycle parked = offered + 1 + offer_way;
    return std::max(arrived, parked) + flits_of(m.bytes);
  }

  const Network& net_;
  const Timing& timing_;
  int dimensions_, ports_;
  std::vector<std::vector<Moment>> may_go_;  ///< by strand and node
  std::vector<Sender> senders_;
  /// When the header and the tail of a node's last message were consumed.
  struct Receiver {
    Cycle header = 0;
    Moment tail;
  };
  std::vector<Receiver> receivers_;
  std::vector<Cycle> next_combine_;                  ///< by node: when a last flit may be started
  std::unordered_map<std::uint64_t, Cycle> posted_;  ///< by sender and receiver
};

}  // namespace

Prediction predict(const Network& net, const Schedule& schedule, const Timing& timing) {
  return Walk(net, timing).play(schedule);
}

}  // namespace annelid::reference
