#include "systemc/fst_writer.hpp"

#include <fstapi.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace annelid {
namespace {

constexpr std::uint32_t kNoState = ~std::uint32_t{0};

std::filesystem::path beside(std::filesystem::path path, const char* suffix) {
  return path += suffix;
}

// The library does not report failed writes, but a file that is cut off does not open, or does not
// know its end.
bool is_complete(const std::filesystem::path& path, std::uint64_t end) {
  void* reader = fstReaderOpen(path.c_str());
  if (reader == nullptr) return false;
  const bool complete = fstReaderGetEndTime(reader) == end;
  fstReaderClose(reader);
  return complete;
}

}  // namespace

FstWriter::FstWriter(std::filesystem::path path)
    : path_(std::move(path)), temporary_(beside(path_, ".tmp")) {
  errno = 0;
  const bool folder = std::filesystem::is_directory(path_);
  if (!folder) file_ = fstWriterCreate(temporary_.c_str(), 1);
  if (file_ == nullptr) {
    const auto why = std::make_error_code(folder ? std::errc::is_a_directory : std::errc{errno});
    throw std::runtime_error("cannot write the waveform " + path_.string() + ": " + why.message());
  }
  fstWriterSetDate(file_, "Thu Jan  1 00:00:00 1970\n");
  fstWriterSetVersion(file_, "Annelid");
  fstWriterSetTimescaleFromString(file_, "1ns");
  fstWriterSetPackType(file_, FST_WR_PT_LZ4);
}

FstWriter::~FstWriter() {
  if (file_ != nullptr) discard();
}

void FstWriter::open_scope(const std::string& name) {
  fstWriterSetScope(file_, FST_ST_VCD_MODULE, name.c_str(), nullptr);
  scope_lengths_.push_back(scope_.size());
  scope_ += name + ".";
}

void FstWriter::close_scope() {
  fstWriterSetUpscope(file_);
  scope_.resize(scope_lengths_.back());
  scope_lengths_.pop_back();
}

FstWriter::Signal FstWriter::declare(const std::string& name, std::uint32_t width,
                                     std::uint32_t state) {
  const std::string ranged = width > 1 ? name + "[" + std::to_string(width - 1) + ":0]" : name;
  const fstHandle shared = state == kNoState ? 0 : states_[state].handle;
  const fstHandle handle =
      fstWriterCreateVar(file_, width == 0 ? FST_VT_GEN_STRING : FST_VT_VCD_WIRE, FST_VD_IMPLICIT,
                         width, ranged.c_str(), shared);
  if (state == kNoState) {
    state = static_cast<std::uint32_t>(states_.size());
    states_.emplace_back();
    states_.back().handle = handle;
    states_.back().width = width;
  }
  names_.push_back({scope_ + ranged, state});
  return static_cast<Signal>(names_.size() - 1);
}

FstWriter::Signal FstWriter::add_bits(const std::string& name, int width) {
  return declare(name, static_cast<std::uint32_t>(width), kNoState);
}

FstWriter::Signal FstWriter::add_text(const std::string& name) {
  return declare(name, 0, kNoState);
}

FstWriter::Signal FstWriter::add_alias(const std::string& name, Signal of) {
  const std::uint32_t state = names_[of].state;
  return declare(name, states_[state].width, state);
}

void FstWriter::set_time(std::uint64_t time) {
  if (begun_) {
    if (time == time_) return;
    settle();
    if (time > time_ + 1 && !pulsed_before_.empty()) {
      fstWriterEmitTimeChange(file_, ++time_);
      rest_after_pulses();
    }
  }
  fstWriterEmitTimeChange(file_, time);
  time_ = time;
  begun_ = true;
}

// Only at the end of a time is it known which signals do not pulse on, or never had a value.
void FstWriter::settle() {
  if (!all_written_) {
    for (State& state : states_) {
      if (!state.written) rest(state);
    }
    all_written_ = true;
  }
  rest_after_pulses();
  std::swap(pulsed_now_, pulsed_before_);
}

void FstWriter::rest_after_pulses() {
  for (const std::uint32_t index : pulsed_before_) {
    if (states_[index].pulsed_at != time_) rest(states_[index]);
  }
  pulsed_before_.clear();
}

void FstWriter::rest(State& state) {
  if (state.width == 0) {
    write(state, std::string_view());
  } else {
    write(state, std::uint64_t{0});
  }
}

void FstWriter::set(Signal signal, std::uint64_t bits) {
  write(states_[names_[signal].state], bits);
}

void FstWriter::set(Signal signal, std::string_view text) {
  write(states_[names_[signal].state], text);
}

void FstWriter::pulse(Signal signal, std::uint64_t bits) { write(pulsed(signal), bits); }
void FstWriter::pulse(Signal signal, std::string_view text) { write(pulsed(signal), text); }

FstWriter::State& FstWriter::pulsed(Signal signal) {
  const std::uint32_t index = names_[signal].state;
  if (states_[index].pulsed_at != time_) {
    states_[index].pulsed_at = time_;
    pulsed_now_.push_back(index);
  }
  return states_[index];
}

void FstWriter::write(State& state, std::uint64_t bits) {
  if (state.written && state.bits == bits) return;
  state.bits = bits;
  state.written = true;
  fstWriterEmitValueChange64(file_, state.handle, state.width, bits);
}

void FstWriter::write(State& state, std::string_view text) {
  if (state.written && state.text == text) return;
  state.text = text;
  state.written = true;
  fstWriterEmitVariableLengthValueChange(file_, state.handle, text.data(),
                                         static_cast<std::uint32_t>(text.size()));
}

void FstWriter::close() {
  if (file_ == nullptr) return;
  if (!begun_) set_time(0);
  settle();
  fstWriterClose(std::exchange(file_, nullptr));
  std::error_code error;
  if (is_complete(temporary_, time_)) {
    std::filesystem::rename(temporary_, path_, error);
    if (!error) return;
  }
  std::filesystem::remove(temporary_, error);
  throw std::runtime_error("cannot write the waveform " + path_.string() + " completely");
}

void FstWriter::discard() {
  fstWriterClose(std::exchange(file_, nullptr));
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

}  // namespace annelid
