// The cut between the slabs of a network that several processes simulate together
// (docs/internals/processes.md).
//
// A flit or credit that a router sends in cycle t reaches its neighbour in cycle t + R or later (R:
// link registers), and changes nothing there before cycle t + R + 1. So processes exchange what
// crosses the cut once in a window of 1 + R cycles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/exchange.hpp"
#include "systemc/network/flit.hpp"
#include "systemc/network/link.hpp"
#include "systemc/network/slab.hpp"

namespace annelid::systemc {

/// What sources and sinks know about a packet, and what the next process must know when its head
/// has crossed the cut: source, destination, and words that only they read.
using PacketWords = std::array<std::uint32_t, 9>;

/// Sources and sinks whose packets cross the cut. A packet is a handle that they choose, in each
/// process another one.
class CutTerminals {
 public:
  virtual ~CutTerminals() = default;
  /// The packet that a flit belongs to.
  [[nodiscard]] virtual std::uint32_t packet_of(std::uint64_t flit_data) const = 0;
  [[nodiscard]] virtual PacketWords describe(std::uint32_t packet) const = 0;
  /// The head of a packet has come from another process. Returns its handle here.
  virtual std::uint32_t come(const PacketWords& words) = 0;
  /// The tail of a packet has left for another process.
  virtual void gone(std::uint32_t packet) = 0;

  /// Only with Pace::kEveryCycle: whether there is something that those of other processes must
  /// know before the next cycle.
  [[nodiscard]] virtual bool has_news() const { return false; }
  /// Collective, after a cycle in which some process has news: tells all of them. They may change
  /// what happens in cycle `now`, the next one, or later.
  virtual void share_news(Cycle /*now*/) {}
};

/// How often processes exchange messages.
enum class Pace : std::uint8_t {
  kWindow,     ///< once in a window
  kEveryCycle  ///< and then they agree on what to do next
};

/// Called after each exchange, in all processes.
class CutListener {
 public:
  virtual ~CutListener() = default;
  /// Cycle `now` - 1 is over in all processes. What has come has not been taken yet. The call may
  /// be collective.
  virtual void exchanged(Cycle now) = 0;
};

/// The end of a link that crosses the cut, of a router outside the router arrays (RTL). What it
/// takes reaches it in a cycle that may be the last one, which is over, or a later one.
class CutEnd {
 public:
  virtual ~CutEnd() = default;
  virtual void take_flit(const Flit& flit, Cycle reaches) = 0;
  virtual void take_credit(Vc vc, Cycle reaches) = 0;
};

/// A flit or credit that crosses the cut.
struct Crossing {
  /// Of the router that gets it: its place in its plane, modulo the plane's nodes.
  std::uint32_t place = 0;
  Vc vc = 0;
  bool credit = false, head = false, tail = false;
  /// The cycle in which it reaches the router, at least that of the exchange less 1.
  Cycle reaches = 0;
};

class Cut {
 public:
  /// The two sides of a slab.
  enum Side : std::uint8_t { kAbove, kBelow };
  static constexpr std::array kSides = {kAbove, kBelow};

  Cut(const NetworkConfig& network, Exchange& exchange, Pace pace = Pace::kWindow);
  Cut(const Cut&) = delete;
  Cut& operator=(const Cut&) = delete;

  [[nodiscard]] const Slab& slab() const { return slab_; }
  [[nodiscard]] Exchange& exchange() const { return exchange_; }
  [[nodiscard]] bool has(Side side) const { return links_of_[side] != kNoLink; }
  /// The port by which our routers send to this side. They receive from it by the same port.
  [[nodiscard]] Port port(Side side) const {
    return static_cast<Port>(2 * slab_.dim + (side == kAbove ? 0 : 1));
  }
  /// The first node of our plane at this side.
  [[nodiscard]] NodeId border(Side side) const {
    return side == kAbove ? slab_.last_plane() : slab_.first;
  }
  /// The neighbour's plane at this side.
  [[nodiscard]] NodeId beyond(Side side) const {
    return side == kAbove ? slab_.end % slab_.nodes
                          : (slab_.first + slab_.nodes - slab_.plane) % slab_.nodes;
  }

  [[nodiscard]] Pace pace() const { return pace_; }

  /// Without terminals, the flits say all that a packet's receiver must know.
  void set_terminals(CutTerminals& terminals) { terminals_ = &terminals; }
  [[nodiscard]] CutTerminals* terminals() const { return terminals_; }
  /// Null: nobody listens.
  void set_listener(CutListener* listener) { listener_ = listener; }

  /// Where routers at the cut say what they send only when it reaches the neighbour. To be called
  /// before the run, in all processes.
  void exchange_every_cycle() { window_ = due_ = 1; }
  /// The number of cycles between exchanges.
  [[nodiscard]] Cycle window() const { return window_; }
  /// The next exchange is before this cycle.
  [[nodiscard]] Cycle due() const { return due_; }

  /// Adds a crossing to the next message. The words that belong to it follow: two for a flit with
  /// data (add_word), and what describes the packet of a head (add_packet).
  void add(Side side, const Crossing& crossing) { words(side).push_back(pack(crossing)); }
  void add_word(Side side, std::uint32_t word) { words(side).push_back(word); }
  void add_packet(Side side, std::uint32_t packet) {
    const PacketWords packet_words = terminals_->describe(packet);
    words(side).insert(words(side).end(), packet_words.begin(), packet_words.end());
  }

  /// Whether there is anything in the next messages.
  [[nodiscard]] bool sends() const;
  /// Cycle `now` - 1 is over: exchanges the messages.
  void swap(Cycle now);
  /// What has come from a side: next() until it returns false, with word() and packet() in between.
  class Reader {
   public:
    Reader(const std::vector<std::uint32_t>& words, Cycle due) : words_(words), due_(due) {}
    bool next(Crossing& crossing);
    [[nodiscard]] std::uint32_t word() { return words_[at_++]; }
    [[nodiscard]] PacketWords packet();

   private:
    const std::vector<std::uint32_t>& words_;
    std::size_t at_ = 0;
    Cycle due_;
  };
  [[nodiscard]] Reader read(Side side, Cycle now) const {
    return {links_[links_of_[side]].in, now};
  }

  /// Of a router at the border of this side that is in no router array.
  void set_end(Side side, NodeId place, CutEnd& end);
  /// Null if the router is in an array.
  [[nodiscard]] CutEnd* end(Side side, std::uint32_t place) const {
    return ends_[side].empty() ? nullptr : ends_[side][place];
  }
  /// A flit with data, or a credit: hands over what the reader has found.
  void take(CutEnd& end, const Crossing& what, Reader& reader) const;
  /// After an exchange, if there is no array: hands over all that has come.
  void come(Cycle now) const;

  /// To be called after each swap(), when what came has been taken. `next`: the next cycle in which
  /// something can happen here; `over`: all cycles before it are over, and nothing happened in the
  /// last ones. If nothing can happen anywhere, skips exchanges. True if nothing will ever happen:
  /// then `over` is the most of all processes.
  bool skip(Cycle now, Cycle next, Cycle& over);

  /// What a process says after a cycle; what all say together, when agree() has returned.
  struct Vote {
    Cycle next = kNever;                 ///< the next cycle in which something can happen
    Cycle last_move = 0, last_plan = 0;  ///< the last of these cycles: see Fabric
    bool sends = false;                  ///< in any process: something crosses the cut
    bool news = false;                   ///< in any process: CutTerminals::has_news
    bool done = false;                   ///< in all processes
    bool stop = false;                   ///< in any process
  };
  /// Only with Pace::kEveryCycle. Waits for all processes.
  [[nodiscard]] Vote agree(const Vote& own);
  /// All processes go on with cycle `now`; the next exchange is behind it.
  void go_on_with(Cycle now) { due_ = now + window_; }

 private:
  static constexpr std::size_t kNoLink = ~std::size_t{0};
  static constexpr unsigned kSwapsToAsk = 8;  ///< after so many exchanges an answer is taken
  [[nodiscard]] std::vector<std::uint32_t>& words(Side side) { return links_[links_of_[side]].out; }
  [[nodiscard]] std::uint32_t pack(const Crossing& crossing) const;

  Slab slab_;
  Exchange& exchange_;
  CutTerminals* terminals_ = nullptr;
  CutListener* listener_ = nullptr;
  Pace pace_;
  Cycle window_, due_;
  std::vector<Exchange::Link> links_;
  std::array<std::size_t, 2> links_of_{kNoLink, kNoLink};  // by side
  std::array<std::uint64_t, 2> question_{};   // the least of: next cycle, complement of `over`
  std::array<std::vector<CutEnd*>, 2> ends_;  // by side and place; empty: there are none
  unsigned asked_ = 0;                        // exchanges since the question; 0: none is open
};

/// The neighbour's end of a link that crosses the cut, for a router that is stepped by itself.
class CutLink final : public LinkIf {
 public:
  CutLink(Cut& cut, Cut::Side side, std::uint32_t place, const Scheduler& time)
      : cut_(cut), side_(side), place_(place), time_(time) {}
  void put_flit(const Flit& flit) override { send(flit, time_.now()); }
  void put_credit(Vc vc) override { send_credit(vc, time_.now()); }
  /// The same for what gets there in another cycle.
  void send(const Flit& flit, Cycle reaches);
  void send_credit(Vc vc, Cycle reaches) {
    cut_.add(side_, {.place = place_, .vc = vc, .credit = true, .reaches = reaches});
  }

 private:
  Cut& cut_;
  Cut::Side side_;
  std::uint32_t place_;
  const Scheduler& time_;
};

}  // namespace annelid::systemc
