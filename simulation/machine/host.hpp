// The host of all nodes: puts a call into every mailbox, either all before the same cycle or each
// in a cycle of its own.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "nic/nic.hpp"
#include "systemc/network/link.hpp"

namespace annelid::simulation {

class Host final : public systemc::Clocked {
 public:
  /// `scheduler` and `nics` must outlive the host.
  Host(systemc::Scheduler& scheduler, const std::vector<std::unique_ptr<nic::Nic>>& nics);

  /// Calls every process; may be used between runs only. With `skew` 0, every process is called
  /// before the next cycle. Otherwise the seed draws for each process one of the next cycles
  /// 0..skew, and draws the first and the last cycle at least once.
  void call(const nic::Call& call, Cycle skew, std::uint64_t seed);

  /// The cycle in which each process was or will be called, by node.
  [[nodiscard]] const std::vector<Cycle>& called() const { return called_; }

  Cycle step(Cycle now) override;

 private:
  systemc::Scheduler& scheduler_;
  const std::vector<std::unique_ptr<nic::Nic>>& nics_;
  const int handle_;
  nic::Call call_;
  std::vector<Cycle> called_;
  std::multimap<Cycle, NodeId> due_;
};

}  // namespace annelid::simulation
