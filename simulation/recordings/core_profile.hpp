// Where the cores' cycles go: the cycles and instructions of each function, source line or chain of
// callers, summed over all nodes. A function's figures exclude the functions that it calls.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "nic/core.hpp"
#include "simulation/program/source_lines.hpp"

namespace annelid::simulation {

/// What a profile has a row for; or the format of another program: folded stacks, as flamegraph.pl
/// and speedscope read them, and that of callgrind_annotate and KCachegrind.
enum class ProfileBy : std::uint8_t { kFunction, kLine, kCaller, kFolded, kCallgrind };

class CoreProfile {
 public:
  /// `image` must outlive it.
  explicit CoreProfile(const nic::Image& image, ProfileBy by = ProfileBy::kFunction);

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
    /// A call that has not returned.
    struct Frame {
      std::uint32_t back = 0;  ///< where it returns to
      std::uint32_t site = 0;
      std::size_t context = 0;  ///< of the caller
      bool trap = false;        ///< the caller was interrupted
    };
    void until(Cycle cycle);
    void follow(const nic::Retired& instruction);
    void push(const Frame& frame);
    void return_to(std::uint32_t pc);

    CoreProfile& profile_;
    std::size_t word_ = 0;
    Cycle since_ = 0;
    bool slept_ = false, ended_ = true;
    nic::Retired last_;  ///< word 0: none since the start or the last trap
    std::vector<Frame> frames_;
    std::size_t context_ = 0;
  };

  /// Returns the profile. Tables have the largest row first: percent of all cycles except those
  /// asleep, cycles, instructions, name. `lines` may be without any.
  [[nodiscard]] std::string text(const SourceLines& lines) const;

 private:
  struct Count {
    std::uint64_t cycles = 0, instructions = 0;
    Count& operator+=(const Count& other);
  };
  struct Row {
    std::string name;
    Count count;
  };
  /// A function with the calls that led to it. The first one stands for the start of the core.
  struct Context {
    std::size_t parent = 0, function = 0;
    std::uint32_t site = 0;
    std::uint64_t calls = 0;
    Count count;
  };
  struct Arc {
    std::uint64_t calls = 0;
    Count count;
  };

  [[nodiscard]] bool follows_calls() const { return by_ >= ProfileBy::kCaller; }
  std::size_t context_of(std::size_t parent, std::uint32_t site, std::size_t function);
  [[nodiscard]] const std::string& name_of(std::size_t function) const;
  [[nodiscard]] Count total() const;
  [[nodiscard]] std::string table(std::vector<Row> rows, const char* title) const;
  [[nodiscard]] std::string by_function() const;
  [[nodiscard]] std::string by_line(const SourceLines& lines) const;
  [[nodiscard]] std::string by_caller() const;
  [[nodiscard]] std::string folded() const;
  [[nodiscard]] std::string callgrind(const SourceLines& lines) const;

  const nic::Image& image_;
  ProfileBy by_;
  std::vector<Count> words_;              // by word of RAM
  std::vector<std::size_t> function_of_;  // the same; one behind the last function: none
  std::uint64_t asleep_ = 0;
  std::vector<Context> contexts_;
  std::map<std::tuple<std::size_t, std::uint32_t, std::size_t>, std::size_t> known_contexts_;
};

}  // namespace annelid::simulation
