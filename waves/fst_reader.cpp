#include "waves/fst_reader.hpp"

#include <fmt/format.h>
#include <lz4.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <unordered_map>

#include "base/files.hpp"
#include "base/input_error.hpp"
#include "base/split.hpp"
#include "waves/fst_format.hpp"

namespace annelid::waves {
namespace {

constexpr const char* kExpectedFile = "a waveform of annelid run or annelid traffic";
constexpr std::uint64_t kMostLz4 = 255;       // bytes that LZ4 makes of one
constexpr std::size_t kMostNameBytes = 1000;  // with all scopes; the writer's have less than 100
constexpr std::uint32_t kMostWidth = 64;

InputError no_file(const std::filesystem::path& path, const std::string& found) {
  return {path.string(), found, kExpectedFile};
}

InputError damaged(const std::filesystem::path& path, const FstDamage& damage) {
  return no_file(path, std::string("a damaged FST file (") + damage.what() + ")");
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace

FstReader::FstReader(const std::filesystem::path& path) : path_(path) {
  try {
    open();
    read_header();
    find_blocks();
    read_geometry();
    read_hierarchy();
  } catch (const FstDamage& damage) {
    throw damaged(path_, damage);
  }
}

void FstReader::open() {
  file_ = open_file(path_, path_.string(), kExpectedFile);
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) throw no_file(path_, "no FST file");
  char first = 0;
  file_.get(first);
  if (file_ && first == fst::kPackedFile) {
    throw no_file(path_, "an FST file that is packed as a whole");
  }
  size_ = std::filesystem::file_size(path_);
  if (!file_ || first != fst::kHeaderBlock) throw no_file(path_, "no FST file");
}

/// Behind the header: blocks of changes, then what the signals are, then their names.
void FstReader::find_blocks() {
  for (std::uint64_t at = 1 + fst::kHeaderBytes; at < size_;) {
    const Block block = block_at(at);
    file_.seekg(static_cast<std::streamoff>(at));
    const int kind = file_.get();
    if (kind == fst::kGeometryBlock && geometry_.length == 0) {
      geometry_ = block;
    } else if (kind == fst::kHierarchyBlock && geometry_.length != 0 && hierarchy_.length == 0) {
      hierarchy_ = block;
    } else if (kind == fst::kChangesBlock && geometry_.length == 0) {
      blocks_.push_back(block);
    } else {
      throw FstDamage(at, "a block that the program does not write");
    }
    at += 1 + block.length;
  }
  if (hierarchy_.length == 0) throw FstDamage(size_, "the names of the signals are missing");
  if (blocks_.size() != blocks_count_) throw FstDamage(1, "another number of blocks");
}

FstReader::Block FstReader::block_at(std::uint64_t at) {
  const std::string length = bytes_of({at, std::min<std::uint64_t>(size_ - at - 1, 8)});
  FstInput input(length, at + 1);
  const Block block{at, input.big_endian()};
  input.require(block.length >= 8 && block.length <= size_ - at - 1, "a block is cut off");
  return block;
}

std::string FstReader::bytes_of(const Block& block) {
  std::string bytes(block.length, '\0');
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(block.at + 1));
  file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file_) throw FstDamage(block.at + 1, "a block cannot be read");
  return bytes;
}

/// The header first: a good file of another program may have any blocks behind it.
void FstReader::read_header() {
  const std::string bytes = bytes_of(block_at(0));
  FstInput input(bytes, 1);
  input.require(input.big_endian() == fst::kHeaderBytes, "a header of another length");
  begin_ = input.big_endian();
  end_ = input.big_endian();
  input.take(16);      // the byte order, the writer's memory
  input.big_endian();  // scopes
  names_count_ = input.big_endian();
  signals_ = input.big_endian();
  blocks_count_ = input.big_endian();
  input.byte();  // the unit of time
  std::string_view writer = input.take(fst::kVersionBytes);
  writer = trimmed(writer.substr(0, writer.find('\0')), " \n");
  if (writer != fst::kVersion) {
    throw no_file(path_, fmt::format("an FST file of another program, \"{}\"", writer));
  }
}

void FstReader::read_geometry() {
  const std::string bytes = bytes_of(geometry_);
  FstInput input(bytes, geometry_.at + 1);
  input.big_endian();  // the block's length
  const std::uint64_t length = input.big_endian();
  input.require(input.big_endian() == signals_, "another number of signals");
  input.require(length == input.left(), "packed widths");
  while (!input.empty()) {
    const std::uint64_t width = input.varint();
    const bool text = width == fst::kTextLength;
    input.require(text || (width > 0 && width <= kMostWidth), "a width that no signal has");
    widths_.push_back(text ? 0 : static_cast<std::uint32_t>(width));
  }
  input.require(widths_.size() == signals_, "another number of signals");
}

void FstReader::read_hierarchy() {
  const std::string packed = bytes_of(hierarchy_);
  FstInput block(packed, hierarchy_.at + 1);
  block.big_endian();  // its length
  const std::uint64_t length = block.big_endian();
  const std::string_view rest = block.take(block.left());
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
  block.require(length <= kMostLz4 * rest.size() && length <= kMost && rest.size() <= kMost,
                "a length is impossible");
  std::string names(length, '\0');
  const int got = LZ4_decompress_safe(rest.data(), names.data(), static_cast<int>(rest.size()),
                                      static_cast<int>(length));
  block.require(got >= 0 && static_cast<std::uint64_t>(got) == length, "names do not unpack");

  FstInput input(names, hierarchy_.at + 1);
  std::string scope;
  std::vector<std::size_t> outer;  // lengths of `scope` around the open ones
  std::uint32_t next = 0;
  while (!input.empty()) {
    const auto kind = static_cast<char>(input.byte());
    if (kind == fst::kEndOfScope) {
      input.require(!outer.empty(), "a scope ends that did not begin");
      scope.resize(outer.back());
      outer.pop_back();
      continue;
    }
    input.byte();  // the kind of scope, or the direction
    const std::string_view name = input.text();
    input.require(is_name(name) && scope.size() + name.size() < kMostNameBytes, "no name");
    if (kind == fst::kScope) {
      input.require(input.text().empty(), "a component");
      outer.push_back(scope.size());
      scope.append(name).push_back('.');
      continue;
    }
    input.require(kind == fst::kWire || kind == fst::kText, "what is neither signal nor scope");
    const std::uint64_t width = input.varint(), alias = input.varint();
    input.require(alias <= next && (alias != 0 || next < signals_), "a signal that is not there");
    const std::uint32_t signal = alias == 0 ? next++ : static_cast<std::uint32_t>(alias - 1);
    input.require(width == widths_[signal], "another width");
    names_.push_back({scope + std::string(name), signal});
  }
  input.require(outer.empty(), "a scope does not end");
  input.require(next == signals_ && names_.size() == names_count_, "another number of signals");
}

std::vector<std::vector<FstReader::Change>> FstReader::read(
    const std::vector<std::uint32_t>& signals) {
  std::unordered_map<std::uint32_t, std::vector<Change>> wanted;
  for (const std::uint32_t signal : signals) wanted[signal];
  try {
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const std::string bytes = bytes_of(blocks_[i]);
      const FstChanges changes(bytes, blocks_[i].at + 1, widths_);
      if (i == 0 ? changes.begin() != begin_ : changes.begin() <= last) {
        throw FstDamage(blocks_[i].at, "a block begins at another time");
      }
      last = changes.end();
      for (auto& [signal, found] : wanted) changes.append(signal, found);
    }
    if (!blocks_.empty() && last != end_) throw FstDamage(1, "it ends at another time");
  } catch (const FstDamage& damage) {
    throw damaged(path_, damage);
  }
  std::vector<std::vector<Change>> result;
  result.reserve(signals.size());
  for (const std::uint32_t signal : signals) result.push_back(wanted.at(signal));
  return result;
}

}  // namespace annelid::waves
