// `annelid completion`: what a shell reads, so that the key Tab completes the words of a command.
// The scripts know no option: they ask `annelid complete`.
#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/standard_output.hpp"

namespace annelid::cli {
namespace {

// Bash takes KEY=VALUE for three words, and a colon for one. They are put together again, and what
// stands before the last = or : is taken off the answers, for bash keeps it on the line.
constexpr std::string_view kBash = R"(_annelid() {
  local IFS=$'\n' i word joined=0 kept
  local -a words=() answers=()
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ ${#words[@]} -gt 0 && ( $joined = 1 || $word = [=:] ) ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    case $word in [=:]) joined=1 ;; *) joined=0 ;; esac
  done
  word=${words[${#words[@]}-1]}
  kept=
  case $word in *[=:]*) kept=${word%"${word##*[=:]}"} ;; esac
  COMPREPLY=()
  answers=($("${COMP_WORDS[0]}" complete -- "${words[@]}" 2>/dev/null))
  for word in "${answers[@]}"; do
    case $word in
      :files) compopt -o filenames; COMPREPLY+=($(compgen -f -- "${words[${#words[@]}-1]#"$kept"}")) ;;
      *=) compopt -o nospace; COMPREPLY+=("${word#"$kept"}") ;;
      *) COMPREPLY+=("${word#"$kept"}") ;;
    esac
  done
}
complete -F _annelid annelid
)";

constexpr std::string_view kZsh = R"(#compdef annelid
_annelid() {
  local answer
  local -a asked
  asked=("${(@)words[2,CURRENT]}")
  for answer in "${(@f)$("${words[1]}" complete -- "${asked[@]}" 2>/dev/null)}"; do
    case $answer in
      '') ;;
      :files) _files ;;
      *=) compadd -S '' -- "$answer" ;;
      *) compadd -- "$answer" ;;
    esac
  done
}
compdef _annelid annelid
)";

constexpr std::string_view kFish = R"(function __annelid_complete
  set -l asked (commandline -opc)[2..-1] (commandline -ct)
  for answer in (annelid complete -- $asked 2>/dev/null)
    if test $answer = :files
      __fish_complete_path (commandline -ct)
    else
      echo $answer
    end
  end
end
complete -c annelid -f -a '(__annelid_complete)'
)";

struct Shell {
  const char* name;
  std::string_view script;
};
constexpr std::array kShells = {Shell{"bash", kBash}, Shell{"zsh", kZsh}, Shell{"fish", kFish}};

/// The arguments of `annelid completion`.
struct CompletionArguments {
  std::string shell;
};

CLI::App* add_options(CLI::App& program, CompletionArguments& a) {
  CLI::App* command = program.add_subcommand(
      "completion", "Prints a script by which a shell completes commands, options and values.");
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.emplace_back(shell.name);
  command->add_option("shell", a.shell, "The shell that reads the script.")
      ->type_name("SHELL")
      ->check(CLI::IsMember(names))
      ->required();
  command->footer(
      "Examples:\n"
      "  annelid completion bash > annelid.bash\n"
      "  annelid completion zsh > _annelid\n"
      "  annelid completion fish > annelid.fish\n"
      "\n"
      "Exit status: 0 if the script was printed; 2 for bad input.");
  return command;
}

int run(const CompletionArguments& a) {
  for (const Shell& shell : kShells) {
    if (a.shell == shell.name) put_text(shell.script);
  }
  return 0;
}

}  // namespace

Command add_completion(CLI::App& program) {
  return command<CompletionArguments>(program, add_options, run);
}

}  // namespace annelid::cli
