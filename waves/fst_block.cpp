#include "waves/fst_block.hpp"

#include <zlib.h>

#include <new>

#include "waves/fst_bytes.hpp"
#include "waves/fst_format.hpp"

namespace annelid::waves {
namespace {

constexpr char kPackedByLz4 = '4';  // if any is packed: none is, see docs/reference/waves.md
constexpr std::size_t kAhead = 16;  // changes: they lie scattered in memory

/// zlib's result, or the bytes themselves if it is not shorter: a reader compares the lengths.
std::string deflated(const std::string& bytes) {
  uLongf length = compressBound(bytes.size());
  std::string packed(length, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &length,
                               reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), 1);
  if (status != Z_OK) throw std::bad_alloc();  // the only error that is left
  if (length >= bytes.size()) return bytes;
  packed.resize(length);
  return packed;
}

void replace_number(std::string& bytes, std::size_t at, std::uint64_t number) {
  std::string text;
  fst::append_big_endian(text, number, 8);
  bytes.replace(at, text.size(), text);
}

}  // namespace

void FstBlock::make(const FstLayout& layout, const FstSection& section, bool first) {
  make_frame(layout, section.before());
  times_.clear();
  std::uint64_t last = 0;
  for (const std::uint64_t time : section.times()) {
    fst::append_varint(times_, time - last);
    last = time;
  }
  const std::string packed_frame = deflated(frame_), packed_times = deflated(times_);

  block_.clear();
  block_ += fst::kChangesBlock;
  fst::append_big_endian(block_, 0, 8);  // its length, known in the end
  fst::append_big_endian(block_, section.begin(), 8);
  fst::append_big_endian(block_, section.end(), 8);
  fst::append_big_endian(block_, 0, 8);  // the unpacked length, likewise
  fst::append_varint(block_, frame_.size());
  fst::append_varint(block_, packed_frame.size());
  fst::append_varint(block_, layout.widths.size());
  block_ += packed_frame;
  fst::append_varint(block_, layout.widths.size());
  append_chains(layout, section, first);
  block_ += index_;
  fst::append_big_endian(block_, index_.size(), 8);
  block_ += packed_times;
  fst::append_big_endian(block_, times_.size(), 8);
  fst::append_big_endian(block_, packed_times.size(), 8);
  fst::append_big_endian(block_, section.times().size(), 8);
  replace_number(block_, 1, block_.size() - 1);
  replace_number(block_, 25, unpacked_);
}

void FstBlock::make_frame(const FstLayout& layout, const FstValues& values) {
  frame_.clear();
  auto bundle = layout.bundles.begin();
  for (std::uint32_t signal = 0; signal < layout.widths.size(); ++signal) {
    std::uint64_t bits = values.bits[signal];
    if (bundle != layout.bundles.end() && signal >= bundle->signal) {
      const unsigned place = signal - bundle->signal;
      if (layout.widths[signal] != 0) {
        bits = bundle->kind->bits(&values.records[bundle->record], place);
      }
      if (place + 1 == bundle->kind->signals()) ++bundle;
    }
    for (unsigned i = layout.widths[signal]; i-- > 0;) frame_ += (bits >> i & 1) != 0 ? '1' : '0';
  }
}

/// A counting sort.
void FstBlock::sort(const FstLayout& layout, const FstSection& section) {
  if (words_.size() != layout.widths.size()) {
    words_.clear();
    for (const std::uint32_t width : layout.widths) words_.push_back(width == 0 ? 0 : 1);
    for (const FstLayout::Bundle& bundle : layout.bundles) {
      words_[bundle.signal] = static_cast<std::uint8_t>(bundle.kind->words());
    }
  }
  const std::uint64_t* const words = section.words();
  const auto next = [&](std::size_t at) {
    const std::uint8_t fixed = words_[FstSection::signal_of(words[at])];
    return at + 1 + (fixed != 0 ? fixed : 1 + FstSection::words_of_text(words[at + 1]));
  };
  ends_.assign(words_.size() + 1, 0);
  places_.clear();
  for (std::size_t at = 0; at < section.size(); at = next(at)) {
    ++ends_[FstSection::signal_of(words[at]) + 1];
    places_.push_back(static_cast<std::uint32_t>(at));
  }
  for (std::size_t signal = 0; signal < words_.size(); ++signal) {
    ends_[signal + 1] += ends_[signal];
  }
  changes_.resize(places_.size());
  for (const std::uint32_t at : places_) changes_[ends_[FstSection::signal_of(words[at])]++] = at;
}

/// The chains, and where each begins in index_.
void FstBlock::append_chains(const FstLayout& layout, const FstSection& section, bool first) {
  sort(layout, section);
  index_.clear();
  start_ = block_.size();
  last_ = without_ = unpacked_ = 0;
  block_ += kPackedByLz4;
  auto bundle = layout.bundles.begin();
  for (std::uint32_t signal = 0; signal < layout.widths.size();) {
    const bool bundled = bundle != layout.bundles.end() && bundle->signal == signal;
    const unsigned count = bundled ? bundle->kind->signals() : 1;
    for (unsigned i = 0; i < count; ++i) chains_[i].restart(layout.widths[signal + i]);
    if (bundled) {
      add_bundle(*bundle++, section, first);
    } else {
      add_signal(section, signal, first);
    }
    for (unsigned i = 0; i < count; ++i) append(chains_[i]);
    signal += count;
  }
  if (without_ > 0) fst::append_varint(index_, without_ << 1);
}

void FstBlock::add_signal(const FstSection& section, std::uint32_t signal, bool first) {
  const std::uint64_t* const words = section.words();
  const std::size_t begin = signal == 0 ? 0 : ends_[signal - 1], end = ends_[signal];
  const auto time = [&](std::size_t i) { return FstSection::time_of(words[changes_[i]]); };
  FstChain& chain = chains_[0];
  const bool text = chain.width() == 0;
  if (first && (begin == end || time(begin) != 0)) {
    if (text) {
      chain.add(0, std::string_view(section.before().texts[signal]));
    } else {
      chain.add(0, section.before().bits[signal]);
    }
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (i + 1 < end && time(i) == time(i + 1)) continue;
    const std::uint64_t* const value = words + changes_[i] + 1;
    if (text) {
      chain.add(time(i), std::string_view(reinterpret_cast<const char*>(value + 1), *value));
    } else {
      chain.add(time(i), *value);
    }
  }
}

void FstBlock::add_bundle(const FstLayout::Bundle& bundle, const FstSection& section, bool first) {
  const std::uint64_t* const words = section.words();
  const std::uint32_t signal = bundle.signal;
  const std::size_t begin = signal == 0 ? 0 : ends_[signal - 1], end = ends_[signal];
  const auto time = [&](std::size_t i) { return FstSection::time_of(words[changes_[i]]); };
  const std::uint64_t* before = &section.before().records[bundle.record];
  if (first) {
    if (begin == end || time(begin) != 0) {
      bundle.kind->add(0, nullptr, before, chains_.data());
    } else {
      before = nullptr;
    }
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (i + kAhead < changes_.size()) __builtin_prefetch(words + changes_[i + kAhead]);
    if (i + 1 < end && time(i) == time(i + 1)) continue;
    const std::uint64_t* const record = words + changes_[i] + 1;
    bundle.kind->add(time(i), before, record, chains_.data());
    before = record;
  }
}

void FstBlock::append(const FstChain& chain) {
  if (chain.bytes() == 0) {
    ++without_;
    return;
  }
  if (without_ > 0) fst::append_varint(index_, without_ << 1);
  without_ = 0;
  const std::size_t at = block_.size() - start_;
  fst::append_signed_varint(index_, static_cast<std::int64_t>((at - last_) << 1 | 1));
  last_ = at;
  unpacked_ += chain.bytes();
  fst::append_varint(block_, 0);  // not packed
  block_.append(chain.data(), chain.bytes());
}

}  // namespace annelid::waves
