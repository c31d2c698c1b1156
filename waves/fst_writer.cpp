#include "waves/fst_writer.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace annelid::waves {
namespace {

/// The bytes of changes in memory before they become a block: what fits a cache costs least.
constexpr std::size_t kSectionBytes = std::size_t{2} << 20;
constexpr std::size_t kMoreRoom = std::size_t{1} << 14;  // words, for its last time
constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace

FstWriter::FstWriter(const std::filesystem::path& path) { file_.emplace(path); }

FstWriter::~FstWriter() { discard(); }

void FstWriter::open_scope(const std::string& name) {
  file_->open_scope(name);
  scope_lengths_.push_back(scope_.size());
  scope_ += name + ".";
}

void FstWriter::close_scope() {
  file_->close_scope();
  scope_.resize(scope_lengths_.back());
  scope_lengths_.pop_back();
}

FstWriter::Signal FstWriter::add_name(const std::string& name, std::uint32_t state) {
  names_.push_back(scope_ + name);
  states_.push_back(state);
  return static_cast<Signal>(names_.size() - 1);
}

FstWriter::Signal FstWriter::declare(const std::string& name, std::uint32_t width) {
  const std::string ranged = width > 1 ? name + "[" + std::to_string(width - 1) + ":0]" : name;
  values_.bits.emplace_back();
  values_.texts.emplace_back();
  pulsed_at_.push_back(kNever);
  layout_.widths.push_back(width);
  return add_name(ranged, file_->add_signal(ranged, width));
}

FstWriter::Signal FstWriter::add_bits(const std::string& name, int width) {
  return declare(name, static_cast<std::uint32_t>(width));
}

FstWriter::Signal FstWriter::add_text(const std::string& name) { return declare(name, 0); }

FstWriter::Signal FstWriter::add_alias(const std::string& name, Signal of) {
  const std::uint32_t state = states_[of], width = layout_.widths[state];
  const std::string ranged = width > 1 ? name + names_[of].substr(names_[of].rfind('[')) : name;
  file_->add_alias(ranged, state);
  return add_name(ranged, state);
}

FstWriter::Bundle FstWriter::add_bundle(std::shared_ptr<FstBundle> kind) {
  const Bundle bundle{static_cast<std::uint32_t>(layout_.widths.size()), values_.records.size()};
  values_.records.resize(values_.records.size() + kind->words());
  layout_.bundles.push_back({bundle.signal, bundle.record, std::move(kind)});
  return bundle;
}

void FstWriter::set_time(std::uint64_t time) {
  if (!sections_.empty()) {
    if (time == time_) return;
    settle();
    if (time > time_ + 1 && !pulsed_before_.empty()) {
      move_to(time_ + 1);
      rest_after_pulses();
    }
  }
  move_to(time);
}

void FstWriter::move_to(std::uint64_t time) {
  time_ = time;
  if (current_ == nullptr) return begin_section(time);
  current_->drop_idle_time();
  if (!is_first_ && current_->is_empty()) {
    current_->begin_at(time);
  } else if (!is_full(*current_, time)) {
    return current_->add_time(time);
  } else {
    begin_section(time);
  }
  if (!kept_) {
    while (sections_.size() > 1) append_section();
    return;
  }
  const std::uint64_t from = std::min(time, kept_from_);
  while (sections_.size() > 1 && sections_[1].begin() + *kept_ <= from) sections_.pop_front();
}

bool FstWriter::is_full(const FstSection& section, std::uint64_t time) const {
  return kept_ ? time >= section.begin() + std::max<std::uint64_t>(*kept_ / 2, 1)
               : section.bytes() >= kSectionBytes;
}

void FstWriter::begin_section(std::uint64_t time) {
  is_first_ = sections_.empty();
  FstValues before{values_.bits, {}, values_.records};
  // They are written with the file's first block only.
  if (kept_ || is_first_) before.texts = values_.texts;
  // Growing would copy. (Sections that are kept for a trigger are shorter.)
  if (!kept_ && room_.empty()) room_.resize(kSectionBytes / sizeof room_[0] + kMoreRoom);
  sections_.emplace_back(std::move(before), time, std::exchange(room_, {}));
  current_ = &sections_.back();
}

/// If nothing changed for long, the oldest section is from before the times that are kept: the file
/// then begins with what it left behind.
void FstWriter::release() {
  if (!kept_) return;
  const std::uint64_t from = std::min(time_, kept_from_), begin = from - std::min(from, *kept_);
  if (sections_.size() > 1 && sections_.front().end() < begin) {
    sections_.front() = FstSection(sections_[1].before(), begin);
  }
  kept_.reset();
}

// The simulation goes on meanwhile. One block at a time, so that memory stays bounded.
void FstWriter::append_section() {
  finish_block();
  const bool first = !written_from_;
  if (first) written_from_ = sections_.front().begin();
  making_ = std::async(std::launch::async,
                       [this, section = std::move(sections_.front()), first]() mutable {
                         block_.make(layout_, section, first);
                         return section.take_room();
                       });
  sections_.pop_front();
  if (sections_.empty()) current_ = nullptr;
}

void FstWriter::finish_block() {
  if (!making_.valid()) return;
  room_ = making_.get();
  file_->append(block_.bytes());
}

// Only at the end of a time is it known which signals do not pulse on.
void FstWriter::settle() {
  rest_after_pulses();
  std::swap(pulsed_now_, pulsed_before_);
}

void FstWriter::rest_after_pulses() {
  for (const std::uint32_t state : pulsed_before_) {
    if (pulsed_at_[state] == time_) continue;
    if (layout_.widths[state] == 0) {
      write(state, std::string_view());
    } else {
      write(state, std::uint64_t{0});
    }
  }
  pulsed_before_.clear();
}

std::uint32_t FstWriter::pulsed(Signal signal) {
  const std::uint32_t state = states_[signal];
  if (pulsed_at_[state] != time_) {
    pulsed_at_[state] = time_;
    pulsed_now_.push_back(state);
  }
  return state;
}

std::uint64_t FstWriter::begin() const {
  return written_from_ ? *written_from_ : sections_.empty() ? time_ : sections_.front().begin();
}

std::size_t FstWriter::bytes() const {
  return std::accumulate(
      sections_.begin(), sections_.end(), std::size_t{0},
      [](std::size_t sum, const FstSection& section) { return sum + section.bytes(); });
}

void FstWriter::close() {
  if (!file_) return;
  if (sections_.empty()) set_time(0);
  settle();
  while (!sections_.empty()) append_section();
  finish_block();
  file_->close(*written_from_, time_);
  file_.reset();
}

void FstWriter::discard() {
  if (!file_) return;
  if (making_.valid()) making_.wait();
  file_.reset();
}

}  // namespace annelid::waves
