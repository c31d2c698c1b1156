// `annelid wave`: views of a waveform for GTKWave, and what messages it holds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/command_files.hpp"
#include "base/input_error.hpp"
#include "base/nearest.hpp"
#include "base/output_file.hpp"
#include "base/parse_number.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/standard_output.hpp"
#include "simulation/recordings/wave_options.hpp"
#include "waves/wave_views.hpp"

namespace annelid::cli {
namespace {

constexpr const char* kViews =
    "message:N, router:X,Y, step:N, nics or deadlock (see annelid wave --help)";

InputError no_view(const std::string& view) {
  constexpr std::array<std::string_view, 5> kNames = {"message", "router", "step", "nics",
                                                      "deadlock"};
  const std::string what = view.substr(0, view.find(':'));
  const bool known = std::ranges::find(kNames, what) != kNames.end();
  return {"--view", "\"" + view + "\"", kViews + (known ? "" : did_you_mean(what, kNames))};
}

template <typename Number>
Number number_of(const std::string& view, const std::string& text) {
  const auto number = parse_number<Number>(text);
  if (!number) throw no_view(view);
  return *number;
}

waves::GtkwFile make(waves::WaveContents& contents, const std::string& view) {
  const std::size_t colon = std::min(view.find(':'), view.size());
  const std::string what = view.substr(0, colon);
  const std::string of = colon < view.size() ? view.substr(colon + 1) : "";
  if (what == "message") return message_view(contents, number_of<std::size_t>(view, of));
  if (what == "router" && !of.empty()) return router_view(contents, of);
  if (what == "step") return step_view(contents, number_of<std::uint32_t>(view, of));
  if (view == "nics") return nics_view(contents);
  if (view == "deadlock") return deadlock_view(contents);
  throw no_view(view);
}

/// "message-17" and "router-2-0", as part of a file's name.
std::string file_name(std::string view) {
  std::ranges::replace_if(
      view, [](unsigned char c) { return std::isalnum(c) == 0; }, '-');
  return view;
}

void list(waves::WaveContents& contents) {
  const std::vector<waves::WaveMessage> messages = contents.messages();  // the file may be damaged
  put("{:>8} {:>10} {:>5}  {}\n", "message", "cycle", "step", "packet");
  for (const waves::WaveMessage& m : messages) {
    put("{:>8} {:>10} {:>5}  {}\n", m.number, m.time, m.step, m.packet);
  }
}

/// The arguments of `annelid wave`.
struct WaveArguments {
  std::string file, view, out, range;
  bool list = false;
};

CLI::App* add_options(CLI::App& program, WaveArguments& a) {
  CLI::App* wave = program.add_subcommand(
      "wave", "Makes views of a waveform for GTKWave, and lists its messages.");
  wave->add_option("file", a.file,
                   "A waveform, which --wave of annelid run, traffic or firmware run wrote.")
      ->required();
  wave->add_option("--view", a.view,
                   "What to show: message:N, router:X,Y, step:N, nics or deadlock.")
      ->type_name("VIEW");
  wave->add_option("--window", a.range,
                   "The first and last cycle that GTKWave shows at first. Either may be left out.")
      ->type_name("FROM:TO");
  wave->add_option("--out", a.out, "Name of the save file. Default: FILE-VIEW.gtkw.")
      ->type_name("FILE.gtkw");
  wave->add_flag("--list", a.list, "Lists the messages by number.");
  wave->footer(
      "Views:\n"
      "  message:17   message 17 of --list, channel by channel, and what its flits wait for\n"
      "  router:2,0   the router of a node: input buffers, grants, outputs, credits\n"
      "  step:2       all messages of a message-passing step\n"
      "  nics         what every NIC sends and receives, with a marker at each step\n"
      "  deadlock     the flits that wait for each other in a circle at the end\n"
      "docs/reference/waves.md explains the signals and colours.\n"
      "\n"
      "Examples:\n"
      "  annelid wave --list edn.fst\n"
      "  annelid wave --view message:17 edn.fst && gtkwave edn-message-17.gtkw\n"
      "  annelid wave --view router:2,0 --window 1840:1870 --out r.gtkw edn.fst\n"
      "\n"
      "Exit status: 0 if the view was made or the messages listed; 2 for bad input.");
  return wave;
}

int run(const WaveArguments& a) {
  if (a.view.empty() == !a.list) {
    throw InputError("annelid wave", a.list ? "--view and --list" : "neither --view nor --list",
                     "one of them");
  }
  for (const auto& [option, value] : {std::pair("--out", a.out), std::pair("--window", a.range)}) {
    if (a.list && !value.empty()) throw InputError(option, "the option beside --list", "--view");
  }
  waves::WaveContents contents(a.file);
  if (a.list) {
    list(contents);
    return 0;
  }
  waves::GtkwFile view = make(contents, a.view);
  if (!a.range.empty()) {
    const auto [begin, end] = simulation::parse_cycles("--window", a.range);
    if (begin >= contents.end()) {
      throw InputError(
          "--window", a.range,
          fmt::format("cycles of the waveform, which ends in cycle {}", contents.end()));
    }
    view.set_range(begin, std::min(end, contents.end()));
  }
  std::filesystem::path out = a.out;
  if (out.empty()) {
    out = a.file;
    out.replace_extension();
    out += "-" + file_name(a.view) + ".gtkw";
  }
  for (const std::filesystem::path& file : {std::filesystem::path(a.file), out}) {
    if (waves::fits_save_file(file)) continue;
    throw InputError("annelid wave", fmt::format("\"{}\"", file.string()),
                     "a path without quotes and control characters: the save file names it");
  }
  CommandFiles files;
  files.reads("the waveform", a.file);
  files.writes("--out", out);
  require_writable(out.string(), "--out");
  view.write(out, a.file);
  put("gtkwave {}\n", shell_word(out.string()));
  return 0;
}

}  // namespace

Command add_wave(CLI::App& program) { return command<WaveArguments>(program, add_options, run); }

}  // namespace annelid::cli
