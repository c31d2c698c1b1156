// `annelid firmware build`: compiles a user's program for the nodes, and links it with the kit.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/child_process.hpp"
#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/new_file.hpp"
#include "base/output_file.hpp"
#include "base/run_failure.hpp"
#include "base/standard_error.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/installed_files.hpp"
#include "cli/standard_output.hpp"

namespace annelid::cli {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The compilers for C and C++, and the package that has them.
struct Compilers {
  const char *c, *cxx, *package;
};
constexpr Compilers kCross = {"riscv64-unknown-elf-gcc", "riscv64-unknown-elf-g++",
                              "gcc-riscv64-unknown-elf"};
constexpr Compilers kHost = {"gcc", "g++", "g++"};
constexpr std::size_t kLongestTable = std::size_t{1} << 20;
constexpr std::size_t kLongestProgram = std::size_t{256} << 20;

/// The arguments of `annelid firmware build`.
struct BuildArguments {
  std::vector<std::string> words;  ///< sources and, behind --, options
  std::vector<std::string> no_words;
  std::string output;
  std::string table;  ///< lines of collectives; empty: the sources are a program
  bool native = false;

  [[nodiscard]] const Compilers& compilers() const { return native ? kHost : kCross; }
};

bool ends_with_one_of(std::string_view name, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}
bool is_source(const std::string& name) {
  return ends_with_one_of(name, {".c", ".S", ".s", ".cpp", ".cc", ".cxx", ".C"});
}
bool is_cxx(const std::string& name) {
  return ends_with_one_of(name, {".cpp", ".cc", ".cxx", ".C"});
}
bool is_option(const std::string& word) { return word.starts_with('-') && word != "-"; }

/// Options whose value may be a word of its own.
bool takes_word(std::string_view option) {
  constexpr std::array<std::string_view, 22> kOptions = {"-include",    "-imacros",
                                                         "-I",          "-isystem",
                                                         "-iquote",     "-idirafter",
                                                         "-D",          "-U",
                                                         "-L",          "-T",
                                                         "-u",          "-z",
                                                         "-e",          "-x",
                                                         "-MF",         "-MT",
                                                         "-MQ",         "-isysroot",
                                                         "--param",     "-Xlinker",
                                                         "-Xassembler", "-Xpreprocessor"};
  return std::ranges::find(kOptions, option) != kOptions.end();
}

std::pair<Words, Words> sources_and_options(const Words& words) {
  Words sources, options;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (!is_option(*word)) {
      sources.push_back(*word);
      continue;
    }
    options.push_back(*word);
    if (!takes_word(*word)) continue;
    if (std::next(word) == words.end()) throw InputError(*word, "no value", "one behind it");
    options.push_back(*++word);
  }
  return {sources, options};
}

/// The options that the linker needs, too.
Words for_linker(const Words& options) {
  Words words;
  for (auto option = options.begin(); option != options.end(); ++option) {
    const bool has_word = takes_word(*option);
    if (option->starts_with("-Wl,")) words.push_back(*option);
    if (*option == "-Xlinker") words.insert(words.end(), option, option + 2);
    if (has_word) ++option;
  }
  return words;
}

/// Runs the compiler, and passes on what it says.
void compile(const char* compiler, const char* package, const Words& words, const HeldSignals& held,
             const std::string& what, const char* expected) {
  EndedProgram ended;
  try {
    ended = run_child(compiler, words, {}, &held);
  } catch (const std::runtime_error&) {
    throw RunFailure(fmt::format(
        "{} is not in PATH: install Debian's package {} (scripts/setup does)", compiler, package));
  }
  put_error(terminal_text(ended.text));
  if (ended.status != 0) throw InputError(what, "errors that the compiler shows above", expected);
}

/// The cross compiler comes without C++ headers. Those of the host's libstdc++ of the same version
/// serve a freestanding program (firmware/rv32.cmake says more).
Words cxx_headers(const char* compiler, const fs::path& kit) {
  const EndedProgram version = run_child(compiler, {"-dumpversion"});
  const std::string major = version.text.substr(0, version.text.find_first_of(".\n"));
  const fs::path headers = fs::path("/usr/include/c++") / major;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/usr/include", error)) {
    const fs::path config = entry.path() / "c++" / major;
    if (!fs::is_directory(config, error) || !fs::is_directory(headers, error)) continue;
    return {"-isystem", (kit / "freestanding").string(),
            "-isystem", headers.string(),
            "-isystem", config.string()};
  }
  return {};
}

Words flags_of(const BuildArguments& a, const std::string& source, const fs::path& kit) {
  // No multiplication is joined with an addition, as none is on the core.
  Words words = a.native ? Words{"-fPIC", "-fvisibility=hidden", "-ffp-contract=off"}
                         : Words{"-march=rv32im", "-misa-spec=2.2", "-mabi=ilp32"};
  words.insert(words.end(),
               {"-ffreestanding", "-O2", "-g", "-Wall", "-Wextra", "-Werror=return-type",
                "-ffunction-sections", "-fdata-sections", "-isystem", (kit / "include").string()});
  if (!is_cxx(source)) return words;
  words.insert(words.end(), {"-std=c++20", "-fno-exceptions", "-fno-rtti",
                             "-fno-threadsafe-statics", "-fuse-cxa-atexit"});
  if (a.native) {
    words.insert(words.end(),
                 {"-fno-gnu-unique", "-isystem", (kit / "native" / "freestanding").string()});
  }
  const Words headers = cxx_headers(a.compilers().cxx, kit);
  words.insert(words.end(), headers.begin(), headers.end());
  return words;
}

/// Collectives are compiled as the firmware's own are (firmware/rv32.cmake). `optimize` is that of
/// the source.
Words collective_flags(const fs::path& kit, const Words& optimize) {
  Words words = {"-march=rv32im",
                 "-misa-spec=2.2",
                 "-mabi=ilp32",
                 "-ffreestanding",
                 "-g",
                 "-Wall",
                 "-Wextra",
                 "-Werror=return-type",
                 "-std=c++20",
                 "-fno-exceptions",
                 "-fno-rtti",
                 "-fno-threadsafe-statics",
                 "-fno-use-cxa-atexit",
                 "-fno-tree-loop-distribute-patterns",
                 "-ffunction-sections",
                 "-fdata-sections"};
  words.insert(words.end(), optimize.begin(), optimize.end());
  const Words headers = cxx_headers(kCross.cxx, kit / "collectives");
  words.insert(words.end(), headers.begin(), headers.end());
  words.insert(words.end(), {"-I", (kit / "collectives").string()});
  return words;
}

/// The firmware's table with the user's lines behind its own, compiled. They are in `folder`.
std::string compiled_table(const BuildArguments& a, const fs::path& kit, const fs::path& folder,
                           const HeldSignals& held) {
  const std::string lines = read_text(a.table, "--table", kLongestTable);
  if (lines.find("COLLECTIVE(") == std::string::npos && lines.find("TREE(") == std::string::npos) {
    throw InputError("--table", a.table + ", a file without collectives",
                     "lines as in COLLECTIVE(reg::Operation::kAllGather, reg::Algorithm{64}, "
                     "my_all_gather)");
  }
  const fs::path own = kit / "collectives/firmware/collectives";
  const std::string known = read_text(own / "table.inc", "the kit's table", kLongestTable);
  const fs::path place = folder / "firmware/collectives";
  fs::create_directories(place);
  write_file(place / "table.inc", known + lines + "\n");
  std::string object = (folder / "table.o").string();
  Words words = collective_flags(kit, {"-O2"});
  words.insert(words.end() - 2, {"-I", folder.string()});
  words.insert(words.end(), {"-c", (own / "table.cpp").string(), "-o", object});
  compile(kCross.cxx, kCross.package, words, held, a.table, "lines that compile");
  return object;
}

/// All of the linker's words for the firmware with collectives of the user.
Words firmware_link(const fs::path& kit, const std::string& table, const Words& objects) {
  const fs::path folder = kit / "collectives";
  Words words = {
      "-march=rv32im", "-misa-spec=2.2", "-mabi=ilp32", "-nostdlib", "-nostartfiles", "-static",
      "-Wl,--gc-sections", "-Wl,--fatal-warnings", "-Wl,--build-id=none", "-Wl,--nmagic", "-T",
      (folder / "link.ld").string(), (folder / "crt0.o").string(), table,
      // The linker takes an inline function that several have from the firmware.
      "-Wl,--whole-archive", (folder / "libfirmware.a").string(), "-Wl,--no-whole-archive"};
  words.insert(words.end(), objects.begin(), objects.end());
  words.emplace_back("-lgcc");
  return words;
}

/// The options of the linker, in front of the objects.
Words link_options(const BuildArguments& a, const fs::path& kit) {
  if (a.native) {
    return {"-shared",
            "-nostartfiles",
            "-Wl,-z,defs",
            "-Wl,--gc-sections",
            "-Wl,-Bsymbolic",
            "-Wl,-z,max-page-size=16384",
            "-Wl,-u,annelid_program",
            "-T",
            (kit / "native" / "native.ld").string()};
  }
  return {"-march=rv32im",
          "-misa-spec=2.2",
          "-mabi=ilp32",
          "-nostdlib",
          "-nostartfiles",
          "-static",
          "-Wl,--gc-sections",
          "-Wl,-z,max-page-size=4096",
          "-Wl,--build-id=none",
          "-Wl,--no-warn-rwx-segments",
          "-T",
          (kit / "program.ld").string(),
          (kit / "start.o").string()};
}

void require_kit(const fs::path& kit) {
  for (const char* file : {"libkit.a", "libkit_native.a", "start.o", "program.ld",
                           "native/native.ld", "include/nic.h", "collectives/libfirmware.a"}) {
    if (fs::exists(kit / file)) continue;
    throw RunFailure(fmt::format("found no {}: install Annelid, or build its target annelid_kit",
                                 one_line((kit / file).string())));
  }
}

/// Throws InputError unless there are sources, and all of them can be read.
void require_sources(const Words& sources) {
  for (const std::string& source : sources) {
    if (!is_source(source) && !ends_with_one_of(source, {".o", ".a"})) {
      throw InputError(source, "a name that ends differently",
                       "C (.c), C++ (.cpp, .cc, .cxx), assembly (.S, .s), or objects (.o, .a)");
    }
    (void)open_file(source, source);
  }
}

/// Whoever may read the program may execute it, in qemu-riscv32.
void make_executable(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return;
  const auto read = static_cast<unsigned>(fs::status(file, ignored).permissions()) & 0444U;
  fs::permissions(file, static_cast<fs::perms>(read >> 2), fs::perm_options::add, ignored);
}

int build(const BuildArguments& a) {
  auto [sources, options] = sources_and_options(a.words);
  if (sources.empty()) throw InputError("SOURCE", "none", "at least one");
  if (!a.table.empty() && a.native) {
    throw InputError("--table", "the option beside --native", "firmware for the nodes' cores");
  }
  require_sources(sources);
  const std::string output =
      a.output.empty() ? fs::path(sources.front()).stem().string() + (a.native ? ".so" : ".elf")
                       : a.output;
  for (const std::string& source : sources) {
    if (real_place(output) == real_place(source)) {
      throw InputError("--output", "the source " + source, "another file");
    }
  }
  require_writable(output, "--output");
  const fs::path kit = kit_folder();
  require_kit(kit);

  const HeldSignals held;
  const TemporaryFolder folder;
  Words objects;
  for (const std::string& source : sources) {
    if (!is_source(source)) {
      objects.push_back(real_place(source).string());
      continue;
    }
    Words words = a.table.empty() ? flags_of(a, source, kit)
                                  : collective_flags(kit, {"-Os", "-msave-restore"});
    words.insert(words.end(), options.begin(), options.end());
    objects.push_back((folder.path() / fmt::format("{}.o", objects.size())).string());
    words.insert(words.end(), {"-c", real_place(source).string(), "-o", objects.back()});
    compile(is_cxx(source) ? a.compilers().cxx : a.compilers().c, a.compilers().package, words,
            held, source, "a source that compiles");
  }
  const std::string program = (folder.path() / "program.elf").string();
  const Words linked = for_linker(options);
  Words words;
  if (a.table.empty()) {
    words = link_options(a, kit);
    words.insert(words.end(), linked.begin(), linked.end());
    words.insert(words.end(), objects.begin(), objects.end());
    words.push_back((kit / (a.native ? "libkit_native.a" : "libkit.a")).string());
    // The kit for the host has parts that the C++ library of the host serves.
    if (!a.native) words.emplace_back("-lgcc");
  } else {
    words = firmware_link(kit, compiled_table(a, kit, folder.path(), held), objects);
    words.insert(words.end(), linked.begin(), linked.end());
  }
  words.insert(words.end(), {"-o", program});
  compile(a.native ? kHost.cxx : kCross.c, a.compilers().package, words, held, output,
          "a program that links");
  const auto bytes = read_file(program, "the program", kLongestProgram);
  write_file(output, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  make_executable(output);
  return 0;
}

CLI::App* add_options(CLI::App& program, BuildArguments& a) {
  CLI::App* build =
      program.get_subcommand("firmware")
          ->add_subcommand(
              "build",
              "Compiles a C or C++ program for the nodes, which `annelid firmware run` runs.");
  build->add_option("source", a.words, "Sources in C, C++ or assembly, and objects.")
      ->required()
      ->type_name("FILE ...");
  // The parser gives what stands behind -- to the first positional, too. It would give it to no
  // command if there were no second one.
  build->add_option("options", a.no_words, "Behind --: further options of the compiler.")
      ->type_name("OPTION ...");
  build
      ->add_option("-o,--output", a.output,
                   "The program. Default: the name of the first source, with .elf, or .so with "
                   "--native.")
      ->type_name("FILE");
  build
      ->add_option("--table", a.table,
                   "Builds the project's firmware with collectives of your own, for `annelid run "
                   "--firmware`: the sources have the collectives, and this file their lines "
                   "COLLECTIVE(operation, algorithm, namespace).")
      ->type_name("FILE");
  build->add_flag("--native", a.native,
                  "Builds for this machine: a program that takes no time and needs no core. "
                  "`annelid firmware run` takes it with --native.");
  build->footer(
      "The program begins with main, and runs on every node. It includes nic.h (the node, its "
      "memory, messages, calls of collectives), intercom.h (collectives of groups that are arrays "
      "of nodes) or ccl.h (process groups and their operations); stdio.h has printf. It gets only "
      "those collectives that it calls. docs/how-to/write-a-program.md shows how to write one.\n"
      "\n"
      "Examples:\n"
      "  annelid firmware build heat.c\n"
      "  annelid firmware build main.cpp compare.c -o sort.elf\n"
      "  annelid firmware build --native heat.c\n"
      "  annelid firmware build --table table.inc my_all_gather.cpp -o firmware.elf\n"
      "  annelid firmware build heat.c -- -O3 -Wl,--defsym=stack_bytes=0x8000\n"
      "\n"
      "The compiler is riscv64-unknown-elf-gcc, of Debian's package gcc-riscv64-unknown-elf; with "
      "--native it is gcc. The options are -O2 -g -Wall -Wextra and what the core needs; your own "
      "come behind them. "
      "-Wl,... "
      "and -Xlinker ... go to the linker, too.\n"
      "\n"
      "Exit status: 0 if the program is there; 1 if there is no compiler; 2 if a source cannot be "
      "read or does not compile, or if the program does not link or fit into RAM.");
  return build;
}

}  // namespace

Command add_firmware_build(CLI::App& program) {
  return command<BuildArguments>(program, add_options, build);
}

}  // namespace annelid::cli
