#include "waves/fst_file.hpp"

#include <lz4.h>

#include <bit>
#include <new>
#include <numbers>

#include "waves/fst_bytes.hpp"
#include "waves/fst_format.hpp"

namespace annelid::waves {
namespace {

constexpr char kNanoseconds = -9;

std::string padded(std::string text, std::size_t bytes) {
  text.resize(bytes);
  return text;
}

}  // namespace

FstFile::FstFile(const std::filesystem::path& path) : file_(path, "waveform") {
  out_ << header(0, 0);  // its place; close() knows what it says
}

void FstFile::open_scope(std::string_view name) {
  names_ += fst::kScope;
  names_ += fst::kModule;
  names_ += name;
  names_.append(2, '\0');  // ends the name, and the component's, which is empty
  ++scopes_;
}

void FstFile::close_scope() { names_ += fst::kEndOfScope; }

std::uint32_t FstFile::add_signal(std::string_view name, std::uint32_t width) {
  add_name(name, width, 0);
  widths_.push_back(width);
  return static_cast<std::uint32_t>(widths_.size() - 1);
}

void FstFile::add_alias(std::string_view name, std::uint32_t signal) {
  add_name(name, widths_[signal], signal + 1);
}

/// `handle` is 0 for a new signal.
void FstFile::add_name(std::string_view name, std::uint32_t width, std::uint32_t handle) {
  names_ += width == 0 ? fst::kText : fst::kWire;
  names_ += '\0';  // direction: implicit
  names_ += name;
  names_ += '\0';
  fst::append_varint(names_, width);
  fst::append_varint(names_, handle);
  ++names_count_;
}

void FstFile::append(const std::string& block) {
  out_.write(block.data(), static_cast<std::streamsize>(block.size()));
  ++blocks_;
}

void FstFile::close(std::uint64_t begin, std::uint64_t end) {
  out_ << geometry() << hierarchy();
  out_.seekp(0);
  out_ << header(begin, end);
  file_.commit();
}

std::string FstFile::header(std::uint64_t begin, std::uint64_t end) const {
  std::string bytes(1, fst::kHeaderBlock);
  fst::append_big_endian(bytes, fst::kHeaderBytes, 8);
  fst::append_big_endian(bytes, begin, 8);
  fst::append_big_endian(bytes, end, 8);
  // Tells a reader the byte order of real numbers, of which there are none.
  const auto order = std::bit_cast<std::uint64_t>(std::numbers::e);
  bytes.append(reinterpret_cast<const char*>(&order), sizeof order);
  fst::append_big_endian(bytes, 0, 8);  // the writer's use of memory
  fst::append_big_endian(bytes, scopes_, 8);
  fst::append_big_endian(bytes, names_count_, 8);
  fst::append_big_endian(bytes, widths_.size(), 8);
  fst::append_big_endian(bytes, blocks_, 8);
  bytes += kNanoseconds;
  bytes += padded(std::string(fst::kVersion), fst::kVersionBytes);
  bytes += padded("Thu Jan  1 00:00:00 1970\n", fst::kDateBytes);  // fixed: equal runs, equal files
  bytes += '\0';                                                   // from Verilog
  fst::append_big_endian(bytes, 0, 8);                             // the time that is called 0
  return bytes;
}

std::string FstFile::geometry() const {
  std::string lengths;
  for (const std::uint32_t width : widths_) {
    fst::append_varint(lengths, width == 0 ? fst::kTextLength : width);
  }
  std::string bytes(1, fst::kGeometryBlock);
  fst::append_big_endian(bytes, lengths.size() + 24, 8);
  fst::append_big_endian(bytes, lengths.size(), 8);
  fst::append_big_endian(bytes, widths_.size(), 8);
  return bytes + lengths;
}

std::string FstFile::hierarchy() const {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(names_.size()))),
                     '\0');
  const int length =
      LZ4_compress_default(names_.data(), packed.data(), static_cast<int>(names_.size()),
                           static_cast<int>(packed.size()));
  if (length <= 0) throw std::bad_alloc();  // the only error that is left
  packed.resize(static_cast<std::size_t>(length));
  std::string bytes(1, fst::kHierarchyBlock);
  fst::append_big_endian(bytes, packed.size() + 16, 8);
  fst::append_big_endian(bytes, names_.size(), 8);
  return bytes + packed;
}

}  // namespace annelid::waves
