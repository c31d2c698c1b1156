#include "studies/reproduce/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "base/csv.hpp"
#include "base/wrapped_text.hpp"
#include "studies/reproduce/not_reproducible.hpp"

namespace annelid::reproduction {
namespace {

constexpr std::size_t kLongestTable = 48;  // rows that a section shows
constexpr std::size_t kLongNote = 300;     // bytes; the document says a longer note once
constexpr std::size_t kWidth = 118;        // bytes of a line of prose

/// The links lead from the folder reproduced/ of the sources.
constexpr std::string_view kWhereToGoNext =
    "## Where to go next\n\n"
    "* [The results at a glance](../docs/results/reproduction.md) says in short what agrees.\n"
    "* [Reproduce a figure](../docs/how-to/reproduce-a-figure.md) shows how to repeat any of these "
    "items.\n"
    "* [The algorithms](../docs/internals/algorithms/index.md) says what each algorithm does.\n"
    "* [Verification](../docs/internals/verification.md) says why you can trust the simulations.\n"
    "* [What tuning found](../docs/results/tuning.md) repeats the two-tree experiments with real "
    "firmware.\n";

std::string cell(std::string text) {
  for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2)) {
    text.insert(at, "\\");
  }
  return text;
}

std::string row(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& c : cells) line += " " + cell(c) + " |";
  return line + "\n";
}

std::string header(const std::vector<std::string>& columns) {
  std::string rule = "|";
  for (std::size_t i = 0; i < columns.size(); ++i) rule += "---|";
  return row(columns) + rule + "\n";
}

std::string deviation(const Claim& claim) {
  if (!claim.deviation) return "";
  std::string text = fmt::format("{:+.1f} %", 100 * *claim.deviation);
  if (claim.tolerance == 0) return text;
  return text + fmt::format(" (of {:.2g} %)", 100 * claim.tolerance);
}

std::string verdict(const Claim& claim) {
  const std::string name(name_of(claim.verdict));
  return claim.verdict == Verdict::kDiffers ? "**" + name + "**" : name;
}

/// The reasons behind the verdicts. Claims that share a reason stand in one line with it.
std::string reasons(const std::vector<Claim>& all) {
  std::vector<std::pair<std::string, std::string>> lines;  // names of claims, their reason
  for (const Claim& c : all) {
    if (c.why.empty()) continue;
    const auto same = std::ranges::find(lines, c.why, &std::pair<std::string, std::string>::second);
    if (same == lines.end()) {
      lines.emplace_back(c.text, c.why);
    } else {
      same->first += "; " + c.text;
    }
  }
  std::string text;
  for (const auto& [names, why] : lines) text += fmt::format("* {}: {}\n", names, why);
  return text;
}

/// "1.86 hops (3.3.5)": the place without the paper, which stands above.
std::string paper_cell(const Claim& claim) {
  if (claim.paper.empty()) return "";
  const std::size_t comma = claim.place.rfind(", ");
  return claim.paper + " (" +
         (comma == std::string::npos ? claim.place : claim.place.substr(comma + 2)) + ")";
}

/// "1234 cycles: 20 start-up, 1000 flits, 214 waits; the longest wait is 200 cycles for ...".
std::string account(const Measured& run) {
  std::string causes;
  for (std::size_t i = 0; i < kAccountCauses.size(); ++i) {
    if (run.account[i] == 0) continue;
    causes += fmt::format("{}{} {}", causes.empty() ? "" : ", ", run.account[i], kAccountCauses[i]);
  }
  const std::string wait = run.wait.empty() ? "" : "; the longest wait is " + run.wait;
  return fmt::format("{} cycles: {}{}", run.cycles(), causes, wait);
}

/// The runs behind the claims that differ, each once, with the command that shows the same.
std::string accounts(const std::vector<Claim>& all) {
  std::string text;
  std::set<std::string> shown;
  for (const Claim& c : all) {
    if (c.verdict != Verdict::kDiffers) continue;
    for (const Measured& m : c.runs) {
      const std::string line = m.run().line();
      if (!shown.insert(line).second) continue;
      text += fmt::format("* `annelid run {} --account`: {}.\n", line, account(m));
    }
  }
  if (text.empty()) return text;
  return "The runs behind the claims that differ, and where the cycles of their critical paths "
         "went:\n\n" +
         text;
}

std::string claims(const std::vector<Claim>& all) {
  std::string text =
      header({"claim", "paper", "computed", "ours", "evidence", "deviation", "verdict"});
  for (const Claim& c : all) {
    const std::string evidence(c.evidence ? name_of(*c.evidence) : "");
    text += row({c.text, paper_cell(c), c.computed, c.ours, evidence, deviation(c), verdict(c)});
  }
  for (const std::string& more : {reasons(all), accounts(all)}) {
    if (!more.empty()) text += "\n" + more;
  }
  return text;
}

/// How many claims there are, by evidence and verdict.
std::string evidence_table(const std::vector<Claim>& all) {
  std::string text = header({"evidence", "equal", "within tolerance", "differ", "not yet", "all"});
  const auto line = [&](const std::string& name, std::optional<Evidence> evidence) {
    std::vector<std::string> cells = {name};
    long sum = 0;
    for (const Verdict v :
         {Verdict::kEqual, Verdict::kWithin, Verdict::kDiffers, Verdict::kNotYet}) {
      const long n = std::ranges::count_if(
          all, [&](const Claim& c) { return c.evidence == evidence && c.verdict == v; });
      cells.push_back(std::to_string(n));
      sum += n;
    }
    cells.push_back(std::to_string(sum));
    text += row(cells);
  };
  line("hardware: simulated, cycle by cycle", Evidence::kHardware);
  line("schedule: computed by the reference", Evidence::kSchedule);
  line("arithmetic: on the papers' data and formulas", Evidence::kArithmetic);
  line("none yet", std::nullopt);
  return text;
}

/// What no simulation can repeat.
std::string not_reproducible_section() {
  std::string text = "## What cannot be reproduced\n\n" + header({"what", "paper", "why"});
  for (const NotReproducible& n : not_reproducible()) {
    text += row({std::string(n.what), std::string(n.source), std::string(n.why)});
  }
  return text + "\n";
}

/// The anchor of a heading, as GitHub makes it: in small letters, without points.
std::string anchor(const Item& item) {
  std::string text;
  for (const char c : item.id)
    if (c != '.') text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The section with a reference in place of each long note that an earlier section has.
Section with_short_notes(Section section, std::map<std::string, const Item*>& said) {
  for (std::string& note : section.outcome.notes) {
    if (note.size() < kLongNote) continue;
    const auto [first, is_new] = said.emplace(note, section.item);
    if (is_new) continue;
    note = fmt::format("The note below the table of [{}](#{}) holds here, too.", first->second->id,
                       anchor(*first->second));
  }
  return section;
}

/// How to read the document. The sentence on its making comes second.
std::string introduction(const Provenance& provenance) {
  return fmt::format(
      "# Reproduction of the papers\n\n"
      "This page compares the tables and figures of four papers with simulations in Annelid. It is "
      "for readers who want to know which published results come out again, and which do not.\n\n"
      "`{}` wrote this page on {} from commit {}. Do not edit it.\n\n"
      "An *item* is a table or a figure that has a number or a curve. Each item has a section with "
      "the claims of the paper, our results, and a verdict for each claim:\n\n"
      "* *equal*: our number is the same, as far as the paper prints it. A claim in words is "
      "true.\n"
      "* *within tolerance*: the deviation is not larger than the tolerance in brackets.\n"
      "* *differs*: the deviation is larger, or a claim in words is false. The reason stands below "
      "the claims.\n"
      "* *not yet*: Annelid has no result yet. The reason stands below the claims.\n\n"
      "The same word has the same tolerance everywhere: \"almost exactly\" is 2 %, "
      "\"approximately\" is 10 %, and a percentage is 3 points. \"Many\" is more than half.\n\n"
      "The column *paper* holds what the paper prints, with its section or table, and nothing "
      "else. The column *computed* holds values that we computed, from a formula of the paper or "
      "from a schedule. A claim with nothing in the column *paper* is ours, not the paper's.\n\n"
      "The column *evidence* says how we have our result:\n\n"
      "* *hardware*: it was simulated, cycle by cycle.\n"
      "* *schedule*: the reference computed it from complete schedules. No hardware took part.\n"
      "* *arithmetic*: it follows from numbers or formulas that the paper prints. It says whether "
      "the paper agrees with itself, and nothing about our hardware.\n\n"
      "Where a claim about hardware differs, the section has the runs that decide it. Each run has "
      "the command that repeats it, and the cycles of its critical path by cause, as the command "
      "prints them. They end with the last process's call, a few cycles after its last receive, "
      "which ends a latency. A reason that nobody has checked is called a hypothesis.\n\n"
      "The papers are Tsai 1997 (a dissertation on wormhole-routed networks), 2Tree 2009 (Sanders, "
      "Speck and Traeff), InterCom 1994 (Barnett and others) and CCL 1995 (Bala and others). The "
      "number after the year is the section.\n\n"
      "Most figures are lost in our copies of the papers. So the curves here are ours alone, and "
      "we compare them with the sentences that the papers write about them.\n\n"
      "Latencies are simulated cycle by cycle, on routers with one stage. The firmware is native, "
      "so instructions cost nothing. Start-up and reception take the time of the paper's machine, "
      "and the sources are random. The bytes, messages and steps of every simulated run were "
      "checked against the reference.\n\n",
      provenance.command, provenance.date, provenance.commit);
}

}  // namespace

std::string csv(const Table& table) {
  std::string text = csv_line(table.columns);
  for (const auto& r : table.rows) text += csv_line(r);
  return text;
}

std::string verdict_counts(const std::vector<Claim>& all) {
  std::string text;
  for (const auto& [verdict, name] :
       {std::pair{Verdict::kEqual, "equal"}, std::pair{Verdict::kWithin, "within tolerance"},
        std::pair{Verdict::kDiffers, "differ"}, std::pair{Verdict::kNotYet, "not yet"}}) {
    const auto n = std::ranges::count(all, verdict, &Claim::verdict);
    if (n > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, name);
  }
  return text;
}

std::string section_markdown(const Section& section) {
  const Item& item = *section.item;
  const Outcome& outcome = section.outcome;
  std::string text = fmt::format("## {}\n\n{} ({}). `annelid reproduce {}` repeats it.\n\n",
                                 item.id, item.title, item.source, item.id);
  if (!outcome.claims.empty()) text += claims(outcome.claims) + "\n";
  if (!section.picture.empty()) text += fmt::format("![{}]({})\n\n", item.title, section.picture);
  if (outcome.table.rows.size() <= kLongestTable) {
    text += header(outcome.table.columns);
    for (const auto& r : outcome.table.rows) text += row(r);
  } else {
    text += fmt::format("The table has {} rows. The command writes it to `{}.csv`.\n",
                        outcome.table.rows.size(), item.id);
  }
  for (const std::string& note : outcome.notes) text += "\n" + note + "\n";
  return wrapped_markdown(text, kWidth);
}

std::string document_markdown(std::span<const Section> sections, const Provenance& provenance) {
  std::string text = introduction(provenance);
  std::vector<Claim> all;
  std::string list = header({"item", "title", "paper", "claims"});
  for (const Section& s : sections) {
    all.insert(all.end(), s.outcome.claims.begin(), s.outcome.claims.end());
    list += row({fmt::format("[{}](#{})", s.item->id, anchor(*s.item)), std::string(s.item->title),
                 std::string(s.item->source), verdict_counts(s.outcome.claims)});
  }
  text += fmt::format("The page holds {} claims of {} items: {}.\n\n{}\n{}\n", all.size(),
                      sections.size(), verdict_counts(all), evidence_table(all), list);
  text = wrapped_markdown(text, kWidth);
  std::map<std::string, const Item*> said;  // long notes, and the items that have them in full
  for (const Section& s : sections) text += section_markdown(with_short_notes(s, said)) + "\n";
  return text + not_reproducible_section() + std::string(kWhereToGoNext);
}

}  // namespace annelid::reproduction
