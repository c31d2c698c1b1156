// The published results: the table of an item as CSV, its comparison as Markdown, and all items as
// one document (reproduced/reproduction.md).
#pragma once

#include <span>
#include <string>

#include "studies/reproduce/item.hpp"

namespace annelid::reproduction {

/// Returns the table as CSV (RFC 4180), with a line of column names.
std::string csv(const Table& table);

struct Section {
  const Item* item = nullptr;
  Outcome outcome;
  std::string picture;  ///< path of its plot, relative to the document; empty: it has none
};

/// Returns the section: heading, claims side by side with the reasons for differences, plot, table
/// (in full if it is short), notes.
std::string section_markdown(const Section& section);

/// How and when the document was made.
struct Provenance {
  std::string date, commit;
  std::string command;
};

/// Returns the document: a table of all verdicts and of the claims that differ, then all sections.
std::string document_markdown(std::span<const Section> sections, const Provenance& provenance);

/// "12 equal, 1 within tolerance, 2 differ, 1 not yet".
std::string verdict_counts(const std::vector<Claim>& claims);

}  // namespace annelid::reproduction
