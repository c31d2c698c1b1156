// Where the cores' cycles go: the cycles and instructions of each function, summed over all nodes.
// A function's figures exclude the functions that it calls.
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

  /// Counts what one core does. The cycles of an instruction are counted when the next one begins.
  class Node {
   public:
    explicit Node(CoreProfile& profile) : profile_(profile) {}
    void retired(const nic::Retired& instruction);
    /// The cycles from the trap to the handler are charged to the function that trapped.
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

  /// Returns a table, largest first: percent of all cycles except those asleep, cycles,
  /// instructions, name.
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
