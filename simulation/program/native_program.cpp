#include "simulation/program/native_program.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include <fstream>
#include <new>
#include <stdexcept>
#include <utility>

#include "base/child_process.hpp"
#include "base/new_file.hpp"
#include "interface/registers.hpp"

namespace annelid::simulation {
namespace {

constexpr std::size_t kPageBytes = nic::NodeMemory::kPageBytes;
constexpr std::size_t kStackBytes = std::size_t{1} << 20, kGuardBytes = kPageBytes;

void require(bool good, const std::string& found, const char* expected) {
  if (!good) throw std::runtime_error("found " + found + ", expected " + expected);
}

constexpr std::size_t whole_pages(std::uint64_t bytes) {
  return static_cast<std::size_t>((bytes + kPageBytes - 1) / kPageBytes * kPageBytes);
}

std::size_t variable_bytes(const firmware::NativeProgramEntry& entry) {
  return static_cast<std::size_t>(entry.variables_end - entry.variables);
}

/// The process that run() enters. makecontext passes no pointers.
thread_local NativeProcess* entered = nullptr;

/// The loader gives one copy of a file to all who load it. So each node loads another file.
void* load_copy(const std::vector<std::byte>& file) {
  static std::uint64_t copies = 0;
  const HeldSignals held;  // a signal leaves no folder behind
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / fmt::format("program-{}.so", copies++);
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  out.close();
  if (!out) throw std::runtime_error("found no room for a copy of the program in " + path.string());
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    require(false, fmt::format("a file that cannot be loaded ({})", dlerror()),
            "a program of `annelid firmware build --native`");
  }
  return handle;
}

}  // namespace

void require_native_program(const NativeProgram& program, std::uint64_t memory_bytes) {
  const NativeProcess::Library library(program);
  const firmware::NativeProgramEntry& entry = library.entry();
  require(variable_bytes(entry) <= memory_bytes,
          fmt::format("variables of {} bytes in node memory", variable_bytes(entry)),
          "no more than it has");
  require(!program.ccl_modes || entry.ccl_modes != nullptr, "no calls of CCL",
          "a program that calls operations of ccl.h, for which --mode and --develop are");
}

NativeProcess::Library::Library(const NativeProgram& program) : handle_(load_copy(program.file)) {
  entry_ = static_cast<const firmware::NativeProgramEntry*>(
      dlsym(handle_, firmware::NativeProgramEntry::kSymbol));
  if (entry_ != nullptr && entry_->version == firmware::NativeProgramEntry::kVersion) return;
  dlclose(handle_);
  require(false, "a shared object without this version's symbol annelid_program",
          "a program that this annelid has built with --native");
}
NativeProcess::Library::~Library() { dlclose(handle_); }

void NativeProcess::Mapping::map(std::size_t size) {
  // Most of it is never used.
  void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  begin = static_cast<std::byte*>(at);
  bytes = size;
}
NativeProcess::Mapping::~Mapping() {
  if (begin != nullptr) munmap(begin, bytes);
}

NativeProcess::NativeProcess(const NativeProgram& program, firmware::RegisterBus& bus,
                             nic::NodeMemory& memory, Write write)
    : program_(program), write_(std::move(write)), library_(program), texts_(program.arguments) {
  const firmware::NativeProgramEntry& entry = library_.entry();
  if (program_.ccl_modes) *entry.ccl_modes = *program_.ccl_modes;
  const auto variables = static_cast<std::size_t>(variable_bytes(entry));
  memory_.map(whole_pages(memory.size()));
  memory.use(0, {entry.variables, variables});
  memory.use(variables, {memory_.begin + variables, whole_pages(memory.size()) - variables});
  for (std::string& text : texts_) arguments_.push_back(text.data());
  arguments_.push_back(nullptr);

  host_.bus = &bus;
  host_.memory = memory_.begin;
  host_.context = this;
  host_.sleep = [](void* self) { static_cast<NativeProcess*>(self)->leave(); };
  host_.pause = [](void* self) {
    auto& me = *static_cast<NativeProcess*>(self);
    me.pauses_ = true;
    me.leave();
  };
  host_.write = [](void* self, int descriptor, const char* text, std::size_t bytes) {
    static_cast<NativeProcess*>(self)->write_(descriptor, {text, bytes});
  };
  host_.end = [](void* self, int status) {
    auto& me = *static_cast<NativeProcess*>(self);
    me.status_ = status;
    const std::uint32_t low = me.host_.bus->read(reg::kCycle);
    me.end_cycle_ = std::uint64_t{me.host_.bus->read(reg::kCycleHigh)} << 32 | low;
    me.leave();
  };

  stack_.map(kStackBytes + kGuardBytes);
  mprotect(stack_.begin, kGuardBytes, PROT_NONE);
  getcontext(&own_);
  own_.uc_stack.ss_sp = stack_.begin + kGuardBytes;
  own_.uc_stack.ss_size = kStackBytes;
  own_.uc_link = nullptr;
  makecontext(&own_, &NativeProcess::begin, 0);
}

NativeProcess::~NativeProcess() = default;

void NativeProcess::begin() {
  NativeProcess& me = *entered;
  try {
    me.library_.entry().start(&me.host_, static_cast<int>(me.texts_.size()), me.arguments_.data());
  } catch (...) {
    me.error_ = std::current_exception();
  }
  me.leave();
}

void NativeProcess::run() {
  pauses_ = false;
  entered = this;
  swapcontext(&simulator_, &own_);
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void NativeProcess::leave() { swapcontext(&own_, &simulator_); }

}  // namespace annelid::simulation
