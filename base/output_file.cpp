#include "base/output_file.hpp"

#include <utility>

#include "base/input_error.hpp"

namespace annelid {

OutputFile::OutputFile(std::filesystem::path path, std::string what)
    : path_(std::move(path)),
      part_(path_.string() + ".tmp"),
      what_(std::move(what)),
      stream_(part_, std::ios::binary) {}

OutputFile::~OutputFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(part_, ignored);
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_) throw InputError(what_, "a full or read-only disk", "room for the file");
  std::filesystem::rename(part_, path_);
  committed_ = true;
}

}  // namespace annelid
