#include "waves/gtkw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/output_file.hpp"

namespace annelid::waves {
namespace {

constexpr int kWindowWidth = 1600, kWindowHeight = 900, kTreeWidth = 60, kNamesWidth = 300;
constexpr int kWavePixels = kWindowWidth - kTreeWidth - kNamesWidth - 40;
constexpr int kFramePixels = 200;
constexpr std::size_t kMaxMarkers = 26;  // A..Z

// GTKWave's flags of a row (its analyzer.h).
enum : unsigned {
  kHexFlag = 0x2,
  kDecimalFlag = 0x4,
  kBinaryFlag = 0x8,
  kRightJustified = 0x20,
  kBlankFlag = 0x200,
  kAsciiFlag = 0x800,
  kCollapsedFlag = 0x1000,
  kClosedFlag = 0x400000,
  kGroupBegin = 0x800000,
  kGroupEnd = 0x1000000,
};

unsigned flags_of(GtkwFormat format) {
  switch (format) {
    case GtkwFormat::kBinary:
      return kBinaryFlag | kRightJustified;
    case GtkwFormat::kHex:
      return kHexFlag | kRightJustified;
    case GtkwFormat::kDecimal:
      return kDecimalFlag | kRightJustified;
    case GtkwFormat::kText:
      return kAsciiFlag | kRightJustified;
  }
  return 0;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }

// The file's own brackets and quotes must not occur in a name that the user chose.
std::string unbracketed(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(),
      [](char c) { return is_control(c) || c == '{' || c == '}' || c == '"'; }, '_');
  return result;
}

}  // namespace

void GtkwFile::open_group(std::string_view name, bool folded) {
  groups_.push_back({unbracketed(name), folded});
  const unsigned flags = kGroupBegin | kBlankFlag | (folded ? kClosedFlag : 0u);
  fmt::format_to(std::back_inserter(rows_), "@{:x}\n-{}\n", flags, groups_.back().name);
}

void GtkwFile::close_group() {
  const Group& group = groups_.back();
  const unsigned flags =
      kGroupEnd | kBlankFlag | (group.folded ? kClosedFlag | kCollapsedFlag : 0u);
  fmt::format_to(std::back_inserter(rows_), "@{:x}\n-{}\n", flags, group.name);
  groups_.pop_back();
}

void GtkwFile::add(std::string_view signal, GtkwFormat format, GtkwColour colour,
                   std::string_view shown_as) {
  auto out = std::back_inserter(rows_);
  fmt::format_to(out, "@{:x}\n", flags_of(format));
  if (colour != GtkwColour::kNormal) fmt::format_to(out, "[color] {}\n", unsigned(colour));
  if (!shown_as.empty()) fmt::format_to(out, "+{{{}}} ", unbracketed(shown_as));
  fmt::format_to(out, "{}\n", signal);
}

void GtkwFile::add_comment(std::string_view text) {
  fmt::format_to(std::back_inserter(rows_), "@{:x}\n-{}\n", unsigned{kBlankFlag},
                 unbracketed(text));
}

void GtkwFile::add_marker(std::uint64_t time, std::string_view name) {
  if (markers_.size() < kMaxMarkers) markers_.push_back({time, unbracketed(name)});
}

void GtkwFile::set_range(std::uint64_t begin, std::uint64_t end) {
  begin_ = begin;
  end_ = std::max(end, begin + 1);
}

// Zoom, then the primary marker, then A..Z, -1 where there is none. At zoom z <= 0 GTKWave shows
// 2^-z units of time on 200 pixels, without the fraction: a little more keeps it from losing one.
std::string GtkwFile::marker_line() const {
  const std::uint64_t per_frame = ((end_ - begin_) * kFramePixels + kWavePixels - 1) / kWavePixels;
  const double zoom = -std::log2(static_cast<double>(per_frame) + 0.01);
  std::string line = fmt::format("*{:.6f} -1", zoom);
  for (std::size_t i = 0; i < kMaxMarkers; ++i) {
    line += i < markers_.size() ? fmt::format(" {}", markers_[i].time) : " -1";
  }
  line += '\n';
  for (std::size_t i = 0; i < markers_.size(); ++i) {
    line += fmt::format("[markername] {}{}\n", static_cast<char>('A' + i), markers_[i].name);
  }
  return line;
}

std::filesystem::path save_file_of(const std::filesystem::path& waveform) {
  return std::filesystem::path(waveform).replace_extension(".gtkw");
}

bool fits_save_file(const std::filesystem::path& path) {
  return std::ranges::none_of(std::filesystem::absolute(path).string(),
                              [](char c) { return is_control(c) || c == '"'; });
}

void GtkwFile::write(const std::filesystem::path& path,
                     const std::filesystem::path& waveform) const {
  const auto place = std::filesystem::absolute(path).lexically_normal();
  const auto source = std::filesystem::absolute(waveform).lexically_normal();
  OutputFile file(place, "save file");
  file.stream() << "[dumpfile] \"" << source.string() << "\"\n"
                << "[savefile] \"" << place.string() << "\"\n"
                << "[timestart] " << begin_ << "\n"
                << "[size] " << kWindowWidth << ' ' << kWindowHeight << "\n"
                << "[pos] -1 -1\n"
                << marker_line() << "[sst_width] " << kTreeWidth << "\n"
                << "[signals_width] " << kNamesWidth << "\n"
                << "[sst_expanded] 0\n"
                << rows_;
  file.commit();
}

}  // namespace annelid::waves
