#include "simulation/program/line_program.hpp"

#include <dwarf.h>

#include <utility>

namespace annelid::simulation {
namespace {

/// Reads numbers from bytes; 0 behind their end.
class Bytes {
 public:
  explicit Bytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }
  [[nodiscard]] std::size_t at() const { return at_; }
  void skip_to(std::uint64_t at) {
    at_ = at < bytes_.size() ? static_cast<std::size_t>(at) : bytes_.size();
  }
  /// The rest, up to so many bytes.
  [[nodiscard]] std::span<const std::byte> next(std::uint64_t count) const {
    const std::size_t left = bytes_.size() - at_;
    return bytes_.subspan(at_, count < left ? static_cast<std::size_t>(count) : left);
  }
  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  std::uint8_t byte() { return at_end() ? 0 : std::to_integer<std::uint8_t>(bytes_[at_++]); }
  std::uint64_t uleb() {
    bool negative = false;
    int bits = 0;
    return leb(negative, bits);
  }
  /// In two's complement.
  std::uint64_t sleb() {
    bool negative = false;
    int bits = 0;
    const std::uint64_t value = leb(negative, bits);
    return negative && bits < 64 ? value | ~std::uint64_t{0} << bits : value;
  }

 private:
  std::uint64_t leb(bool& negative, int& bits) {
    std::uint64_t value = 0;
    for (bool more = true; more && !at_end();) {
      const std::uint8_t next = byte();
      if (bits < 64) value |= std::uint64_t{next & 0x7FU} << bits;
      bits += 7;
      negative = (next & 0x40) != 0;
      more = (next & 0x80) != 0;
    }
    return value;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

class LineProgram {
 public:
  explicit LineProgram(std::span<const std::byte> section) : in_(section) {}

  std::vector<LineRow> rows() {
    if (!read_header()) return {};
    while (!in_.at_end()) step();
    return std::move(rows_);
  }

 private:
  bool read_header() {
    const std::uint64_t bytes = in_.number(4);
    in_ = Bytes(in_.next(bytes));  // also less than nothing of 64-bit DWARF
    const std::uint64_t version = in_.number(2);
    if (version < 2 || version > 5) return false;
    if (version == 5) in_.number(2);  // sizes of addresses and segments
    const std::uint64_t header = in_.number(4), program = in_.at() + header;
    shortest_ = in_.byte();
    if (version >= 4) in_.byte();  // operations in an instruction
    in_.byte();                    // whether rows are statements at first
    const int base = in_.byte();
    base_ = base < 128 ? base : base - 256;
    range_ = in_.byte();
    first_special_ = in_.byte();
    for (int i = 1; i < first_special_; ++i) operands_.push_back(in_.byte());
    in_.skip_to(program);
    return range_ != 0 && first_special_ != 0;
  }

  void emit(bool end) { rows_.push_back({row_.address, row_.file, row_.line, end}); }
  void advance(std::uint64_t instructions) {
    row_.address += static_cast<std::uint32_t>(instructions * shortest_);
  }
  void step() {
    const std::uint8_t code = in_.byte();
    if (code >= first_special_) {
      const int adjusted = code - first_special_;
      advance(static_cast<std::uint64_t>(adjusted / range_));
      row_.line += static_cast<std::uint64_t>(std::int64_t{base_ + adjusted % range_});
      emit(false);
      return;
    }
    switch (code) {
      case 0:
        extended();
        break;
      case DW_LNS_copy:
        emit(false);
        break;
      case DW_LNS_advance_pc:
        advance(in_.uleb());
        break;
      case DW_LNS_advance_line:
        row_.line += in_.sleb();
        break;
      case DW_LNS_set_file:
        row_.file = in_.uleb();
        break;
      case DW_LNS_const_add_pc:
        advance(static_cast<std::uint64_t>((255 - first_special_) / range_));
        break;
      case DW_LNS_fixed_advance_pc:
        row_.address += static_cast<std::uint32_t>(in_.number(2));
        break;
      default:
        for (std::uint8_t i = operands_[code - 1U]; i > 0; --i) in_.uleb();
    }
  }
  void extended() {
    const std::uint64_t bytes = in_.uleb(), from = in_.at();
    const std::uint8_t code = in_.byte();
    if (code == DW_LNE_set_address) row_.address = static_cast<std::uint32_t>(in_.number(4));
    if (code == DW_LNE_end_sequence) {
      emit(true);
      row_ = kFirst;
    }
    in_.skip_to(bytes > ~std::uint64_t{0} - from ? ~std::uint64_t{0} : from + bytes);
  }

  static constexpr LineRow kFirst{0, 1, 1, false};

  Bytes in_;
  std::uint64_t shortest_ = 1;
  int base_ = 0, range_ = 1, first_special_ = 1;
  std::vector<std::uint8_t> operands_;
  LineRow row_ = kFirst;
  std::vector<LineRow> rows_;
};

}  // namespace

std::vector<LineRow> line_rows(std::span<const std::byte> section, std::uint64_t offset) {
  if (offset >= section.size()) return {};
  return LineProgram(section.subspan(static_cast<std::size_t>(offset))).rows();
}

}  // namespace annelid::simulation
