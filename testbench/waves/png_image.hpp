// Pixels of a PNG file, enough of the format for what GTKWave writes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace annelid::waves {

struct Pixel {
  std::uint8_t red, green, blue;
  friend bool operator==(const Pixel&, const Pixel&) = default;
  friend bool operator<(const Pixel& a, const Pixel& b) { return a.bits() < b.bits(); }
  [[nodiscard]] std::uint32_t bits() const {
    return std::uint32_t{red} << 16 | std::uint32_t{green} << 8 | blue;
  }
};

class PngImage {
 public:
  /// 8 bits a channel, RGB or RGBA, not interlaced; throws std::runtime_error otherwise.
  explicit PngImage(const std::filesystem::path& path);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] Pixel at(int x, int y) const {
    return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                   static_cast<std::size_t>(x)];
  }
  [[nodiscard]] const std::vector<Pixel>& pixels() const { return pixels_; }
  [[nodiscard]] std::int64_t count(Pixel colour) const;

 private:
  int width_ = 0, height_ = 0;
  std::vector<Pixel> pixels_;
};

}  // namespace annelid::waves
