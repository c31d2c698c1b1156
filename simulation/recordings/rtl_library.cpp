#include "simulation/recordings/rtl_library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <regex>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/cache_folder.hpp"
#include "base/child_process.hpp"
#include "base/file_lock.hpp"
#include "base/files.hpp"
#include "base/new_file.hpp"
#include "base/run_failure.hpp"
#include "base/split.hpp"
#include "base/warning.hpp"
#include "systemc/cosim/rtl_model.hpp"
#include "systemc/network/rtl_parameters.hpp"

namespace annelid::simulation {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVerilator = "verilator";
constexpr const char* kFileList = "rtl/rtl.f";
constexpr const char* kLibrary = "router.so";
constexpr const char* kLog = "log";
constexpr const char* kMaker = "annelid_make_rtl_model";
constexpr auto kPause = std::chrono::milliseconds(50);

/// The texts by their names, relative to the folder of the sources.
using Sources = std::map<std::string, std::string>;

/// Adds a header and what it includes of ours.
void add_header(const fs::path& folder, const std::string& name, Sources& sources) {
  if (sources.contains(name)) return;
  const std::string& text = sources[name] = read_text(folder / name);
  static const std::regex kInclude("#include \"([^\"]+)\"");
  for (std::sregex_iterator found(text.begin(), text.end(), kInclude), end; found != end; ++found) {
    add_header(folder, found->str(1), sources);
  }
}

/// Adds the files of rtl/ that such a source includes.
void add_rtl_includes(const fs::path& folder, Sources& sources, const std::string& text) {
  static const std::regex kInclude("`include \"([^\"]+)\"");
  for (std::sregex_iterator found(text.begin(), text.end(), kInclude), end; found != end; ++found) {
    const std::string name = "rtl/" + found->str(1);
    if (!sources.contains(name)) sources[name] = read_text(folder / name);
  }
}

/// The RTL, in compile order.
std::vector<std::string> rtl_files(const fs::path& folder) {
  std::vector<std::string> names;
  std::istringstream list(read_text(folder / kFileList));
  for (std::string name; list >> name;) names.push_back("rtl/" + name);
  names.emplace_back("systemc/cosim/cosim_router.sv");
  return names;
}

Sources sources_of(const fs::path& folder, const std::vector<std::string>& rtl) {
  Sources sources;
  for (const std::string& name : rtl) {
    const std::string text = read_text(folder / name);
    add_rtl_includes(folder, sources, text);
    sources[name] = text;
  }
  add_header(folder, "systemc/cosim/rtl_model_of.hpp", sources);
  sources["make.cpp"] = fmt::format(
      "#include \"systemc/cosim/rtl_model_of.hpp\"\n"
      "#include \"Vrouter.h\"\n"
      "extern \"C\" __attribute__((visibility(\"default\")))\n"
      "std::unique_ptr<annelid::systemc::RtlModel> {}(\n"
      "    const annelid::systemc::RouterConfig& config) {{\n"
      "  return std::make_unique<annelid::systemc::RtlModelOf<Vrouter>>(config);\n"
      "}}\n",
      kMaker);
  return sources;
}

/// What Verilator is told: a shared library of one router, whose names are its own.
std::vector<std::string> arguments_of(const systemc::RouterConfig& c,
                                      const std::vector<std::string>& rtl) {
  std::vector<std::string> arguments = {
      "--cc", "--exe", "--build", "--prefix", "Vrouter", "--top-module", "cosim_router", "--Mdir",
      "model", "-o", std::string("../") + kLibrary, "-Irtl", "--assert", "-Wno-fatal", "-O3",
      "--output-split", "20000",
      // The compiler works in the folder `model`.
      "-CFLAGS", "-std=c++20 -fPIC -fvisibility=hidden -I..", "-LDFLAGS", "-shared", "-MAKEFLAGS",
      "OPT_FAST=-O2 OPT_SLOW=-O1 OPT_GLOBAL=-O2"};
  for (const systemc::RtlParameter& p : systemc::rtl_parameters(c)) {
    arguments.push_back(fmt::format("-G{}={}", p.parameter.rtl, p.code));
  }
  arguments.insert(arguments.end(), rtl.begin(), rtl.end());
  arguments.emplace_back("make.cpp");
  return arguments;
}

std::string key_of(const Sources& sources, const std::vector<std::string>& arguments) {
  std::string text;
  for (const auto& [name, source] : sources) text.append(name).append("\n").append(source);
  for (const std::string& argument : arguments) text.append(argument).append("\n");
  return digest(text);
}

/// Runs Verilator in a group of processes of its own, which ends with this object.
class Verilation {
 public:
  Verilation(const std::vector<std::string>& arguments, const fs::path& folder)
      : child_(fork_process()) {
    (void)setpgid(child_, child_);  // whichever of the two is the first
    if (child_ != 0) return;
    int status = 126;
    try {
      const EndedProgram end = run_child(kVerilator, arguments, folder);
      write_file(folder / kLog, end.text);
      status = end.status;
    } catch (const std::exception&) {  // there is no log then
    }
    _exit(status);
  }
  Verilation(const Verilation&) = delete;
  Verilation& operator=(const Verilation&) = delete;
  ~Verilation() {
    if (child_ == 0) return;
    kill(-child_, SIGTERM);
    wait_process(child_);
  }

  std::optional<int> status() {
    const std::optional<int> status = status_if_ended(child_);
    if (status) child_ = 0;
    return status;
  }

 private:
  pid_t child_;
};

/// The end of Verilator's log, behind a line break: enough to see why it has failed.
std::string tail_of(const fs::path& log) {
  constexpr std::size_t kMost = 1000;
  std::error_code error;
  if (!fs::exists(log, error)) return "";
  std::string text = read_text(log);
  text.resize(std::min(text.find("%Error: Command Failed"), text.size()));  // it is long
  return "\n" + (text.size() > kMost ? text.substr(text.size() - kMost) : text);
}

void make_library(const fs::path& folder, const Sources& sources,
                  const std::vector<std::string>& arguments, Progress& progress) {
  using namespace std::chrono;
  for (const auto& [name, text] : sources) {
    fs::create_directories((folder / name).parent_path());
    write_file(folder / name, text);
  }
  std::vector<std::string> all = {"-j", std::to_string(process_count(0))};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const HeldSignals held;
  const auto began = steady_clock::now();
  Verilation verilation(all, folder);
  std::optional<int> status;
  while (!(status = verilation.status())) {
    progress.show(fmt::format("verilates a router that this build does not have, once: {} s",
                              duration_cast<seconds>(steady_clock::now() - began).count()));
    held.sleep(kPause);
  }
  progress.clear();
  if (*status != 0) {
    throw RunFailure(
        fmt::format("--rtl: Verilator failed with status {}:{}", *status, tail_of(folder / kLog)));
  }
}

/// Held while this process looks for a library and makes it. Where there is no cache, or the file
/// system knows no locks, two processes may both make it: each puts a whole file in its place.
class CacheLock {
 public:
  CacheLock(const fs::path& folder, Progress& progress) : file_(open_lock(folder)) {
    if (file_ < 0) return;
    const HeldSignals held;
    while (lock_file(file_) == Locked::kByAnother) {
      progress.show("waits for another annelid that verilates a router");
      held.sleep(kPause);
    }
    progress.clear();
  }
  CacheLock(const CacheLock&) = delete;
  CacheLock& operator=(const CacheLock&) = delete;
  ~CacheLock() {
    if (file_ >= 0) close(file_);
  }

 private:
  static int open_lock(const fs::path& folder) {
    if (folder.empty()) return -1;  // or it would be in the working directory
    return open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
  }

  int file_;
};

/// Keeps a library, with its digest behind it, where the loader does not look.
void keep(const fs::path& made, const fs::path& kept) {
  try {
    const std::string bytes = read_text(made);
    write_file(kept, bytes + digest(bytes));
  } catch (const std::runtime_error& error) {
    warn(fmt::format("the router is not kept for later runs: {}", error.what()));
  }
}

bool is_whole(const fs::path& kept) try {
  std::error_code error;
  if (!fs::is_regular_file(kept, error)) return false;
  const std::string bytes = read_text(kept);
  if (bytes.size() < kDigestLength) return false;
  const std::string_view all = bytes;
  const std::size_t length = all.size() - kDigestLength;
  return digest(all.substr(0, length)) == all.substr(length);
} catch (const std::runtime_error&) {  // it is made again
  return false;
}

/// Returns false if the library cannot be loaded, as from a file system without programs; dlerror()
/// says why.
bool load(const fs::path& library, const systemc::RouterConfig& config) {
  void* const loaded = dlopen(fs::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const maker = loaded == nullptr ? nullptr : dlsym(loaded, kMaker);
  if (maker == nullptr) return false;
  systemc::add_rtl_model(config, reinterpret_cast<systemc::RtlMaker>(maker));
  return true;
}

bool is_installed(const char* program) {
  const char* const path = std::getenv("PATH");
  for (const std::string_view folder : split(path == nullptr ? "" : path, ":")) {
    if (access((fs::path(folder) / program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

void load_or_make(const systemc::RouterConfig& config, const fs::path& folder, Progress& progress) {
  const std::vector<std::string> rtl = rtl_files(folder);
  const Sources sources = sources_of(folder, rtl);
  const std::vector<std::string> arguments = arguments_of(config, rtl);
  const fs::path cache = cache_folder("rtl");
  const fs::path kept = cache.empty() ? cache : cache / (key_of(sources, arguments) + ".so");
  std::error_code ignored;
  if (!cache.empty()) fs::create_directories(cache, ignored);
  const CacheLock lock(cache, progress);
  if (is_whole(kept) && load(kept, config)) return;
  if (!is_installed(kVerilator)) return;
  const TemporaryFolder work;
  make_library(work.path(), sources, arguments, progress);
  const fs::path made = work.path() / kLibrary;
  if (!kept.empty()) keep(made, kept);
  if (!load(made, config)) throw RunFailure(fmt::format("--rtl: {}", dlerror()));
}

}  // namespace

void provide_rtl(const RecordingOptions& options, const systemc::NetworkConfig& network,
                 Progress& progress) {
  if (options.rtl.empty() || options.rtl_sources.empty() || network.ideal) return;
  if (std::error_code error; !fs::exists(options.rtl_sources / kFileList, error)) return;
  (void)parse_nodes("--rtl", options.rtl, network.nodes());
  if (systemc::has_rtl_model(network.router)) return;
  load_or_make(network.router, options.rtl_sources, progress);
}

}  // namespace annelid::simulation
