// The words of a study's command: which of them belong to the study, and which to one process.
#pragma once

#include <string>
#include <vector>

#include "studies/shard/study_command.hpp"

namespace annelid::cli {

/// The study that the words of check, sweep, tune or reproduce name: without what belongs to one
/// shard or to one machine, and without the document that only the whole study writes. The parser
/// must have accepted the words.
[[nodiscard]] studies::StudyCommand study_of(const std::vector<std::string>& words);

/// The words of the same study in this process: without what --engine uses, and without its folder.
[[nodiscard]] std::vector<std::string> words_without_engine(const std::vector<std::string>& words);

/// For a study that a file names. Throws InputError, with `where`, if it is no study: a command
/// that makes none, an option that belongs to one process, that the command does not have or that
/// lacks its value, or an input that would pass for an option. Such words can make the command
/// write nothing but its results into its folder. What the values mean, the command itself finds
/// out.
void require_study(const studies::StudyCommand& study, const std::string& where);

}  // namespace annelid::cli
