// A user's program that `annelid firmware build --native` has built for the host: a shared object,
// of which each node loads a copy, so that each has its own variables.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "firmware/native.hpp"
#include "firmware/native_program.hpp"
#include "nic/node_memory.hpp"

namespace annelid::simulation {

/// The file of such a program, and what main gets.
struct NativeProgram {
  std::vector<std::byte> file;
  std::vector<std::string> arguments;      ///< with the program's name
  std::optional<std::uint32_t> ccl_modes;  ///< replaces the program's word of CCL's modes
};

/// Loads a copy, which runs the code that the file has for that, and forgets it. The file is one
/// that require_native_file() accepts, and the user has said that its code may run. Throws
/// std::runtime_error, which says what was found and what was expected, if nodes cannot run it.
void require_native_program(const NativeProgram& program, std::uint64_t memory_bytes);

/// A program on its node. It runs on a stack of its own, and takes no time.
class NativeProcess final : public firmware::NativeFirmware {
 public:
  using Write = std::function<void(int descriptor, const std::string& text)>;

  /// `program`, `bus` and `memory` must outlive the process. `memory` becomes the program's own.
  NativeProcess(const NativeProgram& program, firmware::RegisterBus& bus, nic::NodeMemory& memory,
                Write write);
  NativeProcess(const NativeProcess&) = delete;
  NativeProcess& operator=(const NativeProcess&) = delete;
  ~NativeProcess() override;

  /// Lets the program run until it sleeps, pauses or ends. Passes on what it throws.
  void run() override;
  [[nodiscard]] bool goes_on() const override { return pauses_; }
  [[nodiscard]] bool ended() const override { return status_.has_value(); }
  /// The exit status, if the program has ended.
  [[nodiscard]] const std::optional<int>& status() const { return status_; }
  [[nodiscard]] std::uint64_t end_cycle() const { return end_cycle_; }

 private:
  struct Mapping {
    std::byte* begin = nullptr;
    std::size_t bytes = 0;
    void map(std::size_t size);
    Mapping() = default;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();
  };
  class Library {
   public:
    explicit Library(const NativeProgram& program);
    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;
    ~Library();
    [[nodiscard]] const firmware::NativeProgramEntry& entry() const { return *entry_; }

   private:
    void* handle_;
    const firmware::NativeProgramEntry* entry_;
  };
  friend void require_native_program(const NativeProgram& program, std::uint64_t memory_bytes);

  static void begin();
  /// Goes back to run().
  void leave();

  const NativeProgram& program_;
  const Write write_;
  const Library library_;
  Mapping memory_, stack_;
  std::vector<std::string> texts_;
  std::vector<char*> arguments_;
  firmware::NativeHost host_{};
  ucontext_t simulator_{}, own_{};
  bool pauses_ = false;
  std::optional<int> status_;
  std::uint64_t end_cycle_ = 0;
  std::exception_ptr error_;
};

}  // namespace annelid::simulation
