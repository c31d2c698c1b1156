// Where the cores' cycles go: the cycles and instructions of each function, without the functions
// that it calls, over all nodes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "nic/core.hpp"

namespace annelid::simulation {

class CoreProfile {
 public:
  /// `image` must outlive it.
  explicit CoreProfile(const nic::Image& image);

  /// What one core has done: counted when it goes on to the next thing, which ends the one before.
  class Node {
   public:
    explicit Node(CoreProfile& profile) : profile_(profile) {}
    void retired(const nic::Retired& instruction);
    /// The cycles from the trap to the handler count to the function that trapped.
    void trapped(Cycle cycle, const nic::Trap& trap);
    /// The core did nothing more up to this cycle.
    void end(Cycle cycle);

   private:
    void until(Cycle cycle);

    CoreProfile& profile_;
    std::size_t function_ = 0;
    Cycle since_ = 0;
    bool slept_ = false, ended_ = true;
  };

  /// A table, the largest first: percent of all cycles but those asleep, cycles, instructions,
  /// name.
  [[nodiscard]] std::string table() const;

 private:
  struct Count {
    std::string name;
    std::uint64_t cycles = 0, instructions = 0;
  };
  std::vector<Count> counts_;             // the last one is for what lies in no function
  std::vector<std::size_t> function_of_;  // by word of RAM
  std::uint64_t asleep_ = 0;
};

}  // namespace annelid::simulation
