#include "studies/reproduce/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

#include "base/csv.hpp"
#include "base/wrapped_text.hpp"

namespace annelid::reproduction {
namespace {

constexpr std::size_t kLongestTable = 48;  // rows that a section shows
constexpr std::size_t kLongNote = 300;     // bytes; the document says a longer note once
constexpr std::size_t kWidth = 118;        // bytes of a line of prose

/// The links lead from docs/results.
constexpr std::string_view kWhereToGoNext =
    "## Where to go next\n\n"
    "* [Reproduce a figure](../how-to/reproduce-a-figure.md) shows how to repeat any of these "
    "items.\n"
    "* [The algorithms](../internals/algorithms/index.md) says what each algorithm does.\n"
    "* [Verification](../internals/verification.md) says why you can trust the simulations.\n"
    "* [What tuning found](tuning.md) repeats the two-tree experiments with real firmware.\n";

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

std::string claims(const std::vector<Claim>& all) {
  std::string text = header({"claim", "paper", "ours", "deviation", "verdict"});
  for (const Claim& c : all) {
    text += row({c.text, c.paper, c.ours, deviation(c), verdict(c)});
  }
  const std::string why = reasons(all);
  return text + (why.empty() ? "" : "\n" + why);
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
      "\"approximately\" is 10 %, and a percentage is 3 points.\n\n"
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
  text += fmt::format("The page holds {} claims of {} items: {}.\n\n{}\n", all.size(),
                      sections.size(), verdict_counts(all), list);
  text = wrapped_markdown(text, kWidth);
  std::map<std::string, const Item*> said;  // long notes, and the items that have them in full
  for (const Section& s : sections) text += section_markdown(with_short_notes(s, said)) + "\n";
  return text + std::string(kWhereToGoNext);
}

}  // namespace annelid::reproduction
