// What observers of a network in several processes see: process 0 gets the events of all processes,
// and tells them to its observers in the order of a single process (docs/internals/processes.md).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "systemc/cut/cut.hpp"
#include "systemc/fabric/fabric.hpp"
#include "systemc/network/observer.hpp"

namespace annelid::systemc {

/// The words of an event, one value after the other.
class EventWriter {
 public:
  EventWriter& add(std::uint32_t value) {
    words_.push_back(value);
    return *this;
  }
  EventWriter& add_long(std::uint64_t value) {
    return add(static_cast<std::uint32_t>(value)).add(static_cast<std::uint32_t>(value >> 32));
  }
  EventWriter& add_text(std::string_view text);
  [[nodiscard]] std::span<const std::uint32_t> words() const { return words_; }
  void clear() { words_.clear(); }

 private:
  std::vector<std::uint32_t> words_;
};

/// Reads them again, in the same order.
class EventReader {
 public:
  explicit EventReader(std::span<const std::uint32_t> words) : words_(words) {}
  [[nodiscard]] bool empty() const { return words_.empty(); }
  [[nodiscard]] std::uint32_t next() {
    const std::uint32_t value = words_.front();
    words_ = words_.subspan(1);
    return value;
  }
  [[nodiscard]] std::uint64_t next_long() {
    const std::uint64_t low = next();
    return low | std::uint64_t{next()} << 32;
  }
  [[nodiscard]] std::string next_text();

 private:
  std::span<const std::uint32_t> words_;
};

/// Each process has one, and sets it as the observer of its fabric. Clients add events of kinds of
/// their own. Every so many exchanges of the cut, the processes gather the events in process 0,
/// which replays those of cycles that are over everywhere:
///
///   for each cycle that some process has stepped, in ascending order
///     what was added before the cycle began; then FabricObserver::cycle
///     for each phase of the cycle (Fabric::Phase)
///       the events of process 0 in their order, then those of process 1, ...
///
/// Nodes, and so processes, are stepped in ascending order, so this is the order of a single
/// process.
class EventStream final : public FabricObserver, private CutListener {
 public:
  /// Of a client's events: the same number in all processes.
  using Kind = std::uint32_t;
  using Words = std::span<const std::uint32_t>;
  /// Called in process 0: the process that added the event, its cycle, its words.
  using Replayer = std::function<void(int process, Cycle, Words)>;

  /// The fabric must have a cut. There is at most one stream for a cut.
  explicit EventStream(Fabric& fabric);
  ~EventStream() override;

  /// Sets the observer that is told of the events of routers, sources and NICs, or nullptr. Only
  /// process 0 has one.
  void set_observer(FabricObserver* observer) { observer_ = observer; }

  /// Makes a new kind of events. To be called before the first cycle, in the same order in all
  /// processes; the others than process 0 need no replayer.
  [[nodiscard]] Kind add_kind(Replayer replayer);
  /// Adds an event: now, in the current phase of the current cycle, or before the next cycle if
  /// none is being executed. At most 2^20 words.
  void add(Kind kind, Words words) { add(kind, words, fabric_.phase()); }
  /// The same in a phase that is not over in the current cycle.
  void add(Kind kind, Words words, Fabric::Phase phase);
  /// Adds an event that tells registers at the start of `cycle`: the current one, or an earlier one
  /// that this process did not step and for which it has added nothing yet.
  void add_registers(Kind kind, Cycle cycle, Words words);

  /// Collective, at the end of a run: process 0 replays all the rest.
  void finish();

  // ---- The fabric's events
  void cycle(Cycle cycle) override;
  void packet(Cycle, NodeId, Port local, const PacketInfo&) override;
  void injected(Cycle, NodeId, Port local, const Flit&) override;
  void allocated(Cycle, NodeId, Port in, Vc in_vc, Port out, Vc out_vc) override;
  void granted(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit&) override;
  void moved(Cycle, NodeId, Port in, Vc in_vc, Port out, const Flit&) override;
  void blocked(Cycle, NodeId, Port in, Vc in_vc, Port out, BlockCause) override;

  /// `f` is called before each exchange's arrivals are taken, with the next cycle, and by finish(),
  /// with kNever: the last moment to add the registers of a cycle that this process skips.
  void add_before_arrivals(std::function<void(Cycle now)> f) {
    before_arrivals_.push_back(std::move(f));
  }

 private:
  /// The events of a process that are still to be replayed.
  struct Source {
    std::vector<std::uint32_t> words;
    std::size_t at = 0;
    [[nodiscard]] bool empty() const { return at == words.size(); }
  };

  void exchanged(Cycle now) override;
  void begin_record(Cycle cycle, bool observed);
  std::uint32_t* add_event(Kind kind, std::size_t words, Fabric::Phase phase);
  void add_flit_event(Kind kind, NodeId node, Port in, Vc in_vc, Port out, const Flit& flit);
  void gather(Cycle over);

  // In process 0.
  void replay(Cycle over);
  void replay_cycle(Cycle cycle);
  bool replay_phase(int process, Cycle cycle, Fabric::Phase phase);
  void replay_event(int process, Cycle cycle, Kind kind, Words words);
  void replay_fabric_event(Cycle cycle, Kind kind, Words words);
  [[nodiscard]] static Cycle next_cycle(const Source& source);

  Fabric& fabric_;
  Cut& cut_;
  std::vector<Replayer> kinds_;
  std::vector<std::function<void(Cycle)>> before_arrivals_;

  std::vector<std::uint32_t> words_;  // since the last time that they were gathered
  Cycle recorded_ = kNever;           // the cycle of the last record
  std::uint64_t exchanges_ = 0;       // since they were gathered
  std::uint64_t interval_ = 1;        // exchanges between two times

  std::vector<Source> sources_;  // in process 0, by process
  FabricObserver* observer_ = nullptr;
};

}  // namespace annelid::systemc
