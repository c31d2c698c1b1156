#include "testbench/waves/png_image.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace annelid::waves {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint32_t big_endian(const Bytes& bytes, std::size_t at) {
  return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
         std::uint32_t{bytes[at + 2]} << 8 | bytes[at + 3];
}

int paeth(int left, int up, int corner) {
  const int guess = left + up - corner;
  const int dl = std::abs(guess - left), du = std::abs(guess - up), dc = std::abs(guess - corner);
  return dl <= du && dl <= dc ? left : du <= dc ? up : corner;
}

// Undoes a row's filter in place (PNG specification, section 9).
void unfilter(int filter, std::uint8_t* row, const std::uint8_t* above, std::size_t bytes,
              std::size_t step) {
  for (std::size_t i = 0; i < bytes; ++i) {
    const int left = i >= step ? row[i - step] : 0;
    const int up = above != nullptr ? above[i] : 0;
    const int corner = above != nullptr && i >= step ? above[i - step] : 0;
    const int guesses[] = {0, left, up, (left + up) / 2, paeth(left, up, corner)};
    row[i] = static_cast<std::uint8_t>(row[i] + guesses[filter]);
  }
}

}  // namespace

PngImage::PngImage(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  const auto require = [&](bool holds, const char* what) {
    if (!holds) throw std::runtime_error(path.string() + ": " + what);
  };
  require(bytes.size() > 33 && std::string(&bytes[1], &bytes[4]) == "PNG", "not a PNG file");
  Bytes packed;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = big_endian(bytes, at);
    require(at + 12 + length <= bytes.size(), "cut off");
    if (std::string(&bytes[at + 4], &bytes[at + 8]) == "IDAT") {
      packed.insert(packed.end(), &bytes[at + 8], &bytes[at + 8] + length);
    }
    at += 12 + length;
  }
  width_ = static_cast<int>(big_endian(bytes, 16));
  height_ = static_cast<int>(big_endian(bytes, 20));
  const int colours = bytes[25];
  require(bytes[24] == 8 && (colours == 2 || colours == 6) && bytes[28] == 0, "unknown layout");

  const std::size_t step = colours == 2 ? 3 : 4;
  const std::size_t row_bytes = static_cast<std::size_t>(width_) * step;
  Bytes rows((row_bytes + 1) * static_cast<std::size_t>(height_));
  uLongf size = rows.size();
  require(
      uncompress(rows.data(), &size, packed.data(), packed.size()) == Z_OK && size == rows.size(),
      "bad pixels");
  const std::uint8_t* above = nullptr;
  for (std::uint8_t* row = rows.data(); row != rows.data() + rows.size(); row += row_bytes + 1) {
    require(row[0] <= 4, "bad filter");
    unfilter(row[0], row + 1, above, row_bytes, step);
    above = row + 1;
    for (std::size_t i = 1; i <= row_bytes; i += step) {
      pixels_.push_back({row[i], row[i + 1], row[i + 2]});
    }
  }
}

std::int64_t PngImage::count(Pixel colour) const {
  return std::count(pixels_.begin(), pixels_.end(), colour);
}

}  // namespace annelid::waves
