// Reduction and all-reduce by halving, then a gather or doubling (Rabenseifner):
// docs/internals/algorithms/by-rank.md, "Rabenseifner".
#include "firmware/collectives/exchanges/fold.hpp"

namespace annelid::firmware::rabenseifner {
namespace {

/// A run of parts, 2^n of them.
struct Run {
  std::uint32_t first, size;
  /// Its half, the lower or the upper one.
  [[nodiscard]] Run half(bool upper) const { return {first + (upper ? size / 2 : 0), size / 2}; }
  /// The run of the same size with which it makes up one of twice the size.
  [[nodiscard]] Run other() const { return {first ^ size, size}; }
  [[nodiscard]] Run both() const { return {first & ~size, 2 * size}; }
};

class HalvingPlan : public PlanOf<HalvingPlan>, private FoldedPlan {
 public:
  HalvingPlan(const Call& call, const Ranked& self)
      : FoldedPlan(call, self, 2),
        parts_(call.bytes(), fold_.processes()),
        process_(fold_.process()),
        halved_(fold_.before() + fold_.log_processes()),
        partial_(has_result() ? call.target() : scratch_area(call, 0)),
        sent_run_{0, fold_.processes()},
        received_run_(sent_run_) {
    if (self.size() == 1) copy = {call.source(), partial_, call.bytes()};
  }

  bool send(PlannedMessage& m) {
    if (fold_.left_out()) {
      give_block(m);
      return send_++ == 1;
    }
    if (send_ <= halved_) {
      const std::uint32_t step = send_++, d = distance(step);
      const bool own = step == fold_.before() + 1 && !fold_.has_neighbour();  // nothing combined
      set(m, step, fold_.address(process_ ^ d),
          bytes_of(own ? call_.source() : partial_, sent_run_.half((process_ & d) == 0)));
      sent_run_ = sent_run_.half((process_ & d) != 0);
      return true;
    }
    for (; send_ < last_; sent_run_ = sent_run_.both()) {
      const std::uint32_t step = send_++, d = joining_distance(step);
      if (!all_ && !parts_with(d)) continue;
      set(m, step, fold_.address(process_ ^ d), bytes_of(partial_, sent_run_));
      if (!all_) {
        send_ = last_ + 1;  // that was all
      } else {
        sent_run_ = sent_run_.both();
      }
      return true;
    }
    if (send_ != last_ || !result_goes()) return false;
    set(m, send_++, fold_.neighbour(), {partial_, call_.bytes()});
    return true;
  }

  bool receive(PlannedMessage& m) {
    const std::uint32_t step = receive_;
    if (step <= halved_) {
      ++receive_;
      const bool first = step <= fold_.before();  // the neighbour's, of a higher rank
      const std::uint32_t d = first ? 0 : distance(step);
      if (!first) received_run_ = received_run_.half((process_ & d) != 0);
      const Buffer kept = bytes_of(partial_, received_run_);
      set(m, step, first ? fold_.neighbour() : fold_.address(process_ ^ d),
          bytes_of(scratch_area(call_, 1), received_run_));
      // The first message is combined with the own block where that lies.
      m.operand = combined_ ? kept.offset : bytes_of(call_.source(), received_run_).offset;
      combined_ = true;
      m.target = kept.offset;
      m.flags = PlannedMessage::kCombines;
      if (!first && (process_ & d) != 0) m.flags |= PlannedMessage::kMessageLeft;
      m.not_before = step - 1;  // then the run is smaller
      return true;
    }
    if (step < last_) {
      ++receive_;
      const std::uint32_t d = joining_distance(step);
      if (!all_ && parts_with(d)) {
        receive_ = last_ + 1;
        return false;
      }
      set(m, step, fold_.address(process_ ^ d), bytes_of(partial_, received_run_.other()));
      m.not_before = halved_;
      received_run_ = received_run_.both();
      return true;
    }
    if (step != last_ || !result_comes()) return false;
    ++receive_;
    set(m, step, fold_.neighbour(), {call_.target(), call_.bytes()});
    return true;
  }

 private:
  [[nodiscard]] std::uint32_t joining_distance(std::uint32_t step) const {
    return fold_.processes() >> (step - halved_);
  }
  /// In a gather: whether this process, all of whose bits above d are the root's, sends at d.
  [[nodiscard]] bool parts_with(std::uint32_t d) const {
    return ((process_ ^ fold_.root_process()) & d) != 0;
  }
  [[nodiscard]] Buffer bytes_of(std::uint32_t offset, Run run) const {
    return parts_.run(offset, run.first, run.first + run.size);
  }

  PartSizes parts_;
  std::uint32_t process_, halved_, partial_;
  bool combined_ = false;  // a message with the own block
  Run sent_run_, received_run_;
};

}  // namespace

CallResult check(const Context& me) { return check_ranked(me, kAnyParameter, true); }

Task run(Context& me) { return play_part<HalvingPlan>(me); }

}  // namespace annelid::firmware::rabenseifner
