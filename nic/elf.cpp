#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "nic/core.hpp"

namespace annelid::nic {
namespace {

/// Reads structures out of the file, checked against its end.
class Reader {
 public:
  explicit Reader(const std::vector<std::byte>& file) : file_(file) {}

  template <typename T>
  [[nodiscard]] T at(std::size_t offset, const char* what) const {
    T value;
    std::memcpy(&value, bytes(offset, sizeof value, what), sizeof value);
    return value;
  }
  const std::byte* bytes(std::size_t offset, std::size_t count, const char* what) const {
    if (offset > file_.size() || count > file_.size() - offset) {
      throw std::runtime_error(
          fmt::format("found a file of {} bytes that ends within its {}, "
                      "expected a complete RV32 ELF file: copy or build it again",
                      file_.size(), what));
    }
    return file_.data() + offset;
  }

 private:
  const std::vector<std::byte>& file_;
};

void require(bool good, const std::string& found, const char* expected) {
  if (!good) throw std::runtime_error("found " + found + ", expected " + expected);
}

constexpr std::size_t kMostFunctions = 65'536;
constexpr std::size_t kLongestName = 1024;
constexpr int kMostReferences = 16;
constexpr const char* kCollectivesSection = ".annelid.collectives";

/// How often a mangled name refers back to a part of itself: "S_", "S12_", "T_". With each three
/// such references the text can become three times as long, so a short name can stand for
/// gigabytes.
int back_references(const std::string& name) {
  int count = 0;
  for (std::size_t at = name.find_first_of("ST"); at != std::string::npos;
       at = name.find_first_of("ST", at + 1)) {
    const std::size_t end = name.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", at + 1);
    if (end != std::string::npos && name[end] == '_') ++count;
  }
  return count;
}

// Names that are not mangled stay: the demangler would take a C function "f" for the type float. So
// do those that could be too much for it.
std::string demangled(const std::string& name) {
  if (!name.starts_with("_Z") || back_references(name) > kMostReferences) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

void load_segments(const Reader& reader, const Elf32_Ehdr& header, Image& image) {
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    const auto segment =
        reader.at<Elf32_Phdr>(header.e_phoff + i * sizeof(Elf32_Phdr), "program headers");
    if (segment.p_type != PT_LOAD || segment.p_memsz == 0) continue;
    const std::uint64_t end = std::uint64_t{segment.p_paddr} + segment.p_memsz;
    require(end <= kRamBytes && segment.p_filesz <= segment.p_memsz,
            fmt::format("a segment at {:#x} to {:#x}", segment.p_paddr, end),
            "segments within the RAM, 0 to 0x40000: a program that is linked to start at address 0 "
            "(-Wl,-Ttext=0) and fits");
    if (segment.p_filesz == 0) continue;  // zeros, which the RAM holds anyway
    const std::size_t last = segment.p_paddr + segment.p_filesz;
    image.ram.resize(std::max(image.ram.size(), (last + 3) / 4 * 4));
    std::copy_n(reader.bytes(segment.p_offset, segment.p_filesz, "segments"), segment.p_filesz,
                image.ram.begin() + segment.p_paddr);
  }
}

bool is_global_label(const Elf32_Sym& symbol) {
  return ELF32_ST_TYPE(symbol.st_info) == STT_NOTYPE && ELF32_ST_BIND(symbol.st_info) == STB_GLOBAL;
}

/// Whether a symbol names code: a function, or a global label of an assembly source.
bool names_code(const Elf32_Sym& symbol, const std::vector<Elf32_Shdr>& sections) {
  if (ELF32_ST_TYPE(symbol.st_info) == STT_FUNC) return true;
  return is_global_label(symbol) && symbol.st_shndx < sections.size() &&
         (sections[symbol.st_shndx].sh_flags & SHF_EXECINSTR) != 0;
}

// Labels have no size: they reach to the next one, the last one to the end of the program.
void give_sizes(Image& image) {
  auto end = static_cast<std::uint32_t>(image.ram.size());
  for (auto f = image.functions.rbegin(); f != image.functions.rend(); ++f) {
    if (f->bytes == 0 && end > f->address) f->bytes = end - f->address;
    end = f->address;
  }
}

/// What is longer than a name can be is cut off.
std::string name_of(const Reader& reader, const Elf32_Shdr& strings, const Elf32_Sym& symbol) {
  const std::size_t room = strings.sh_size - symbol.st_name;
  const auto* text = reinterpret_cast<const char*>(
      reader.bytes(strings.sh_offset + symbol.st_name, room, "string table"));
  return {text, strnlen(text, std::min(room, kLongestName))};
}

std::vector<Elf32_Shdr> sections_of(const Reader& reader, const Elf32_Ehdr& header) {
  std::vector<Elf32_Shdr> sections;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    sections.push_back(
        reader.at<Elf32_Shdr>(header.e_shoff + i * sizeof(Elf32_Shdr), "section headers"));
  }
  return sections;
}

/// Keeps what a symbol of the linker script says of the stack or of the arguments.
void take_range(const std::string& name, std::uint32_t value, Image& image) {
  if (name == "stack_guard_begin") image.guard_begin = value;
  if (name == "stack_guard_end") image.guard_end = value;
  if (name == "arguments_begin") image.arguments_begin = value;
  if (name == "arguments_end") image.arguments_end = value;
}

/// Keeps where the kit's variable is that says how CCL runs.
void take_variable(const std::string& name, std::uint32_t value, Image& image) {
  if (name == "ccl_modes_word" && value % 4 == 0 && value <= kRamBytes - 4) image.ccl_modes = value;
}

void load_functions(const Reader& reader, const std::vector<Elf32_Shdr>& sections, Image& image) {
  for (const Elf32_Shdr& symbols : sections) {
    if (symbols.sh_type != SHT_SYMTAB) continue;
    require(symbols.sh_link < sections.size(), "a symbol table without strings",
            "a section of them");
    const Elf32_Shdr& strings = sections[symbols.sh_link];
    for (std::size_t s = 0; s < symbols.sh_size / sizeof(Elf32_Sym); ++s) {
      const auto symbol =
          reader.at<Elf32_Sym>(symbols.sh_offset + s * sizeof(Elf32_Sym), "symbol table");
      if (symbol.st_name >= strings.sh_size) continue;
      if (is_global_label(symbol))
        take_range(name_of(reader, strings, symbol), symbol.st_value, image);
      if (ELF32_ST_TYPE(symbol.st_info) == STT_OBJECT)
        take_variable(name_of(reader, strings, symbol), symbol.st_value, image);
      if (!names_code(symbol, sections)) continue;
      require(image.functions.size() < kMostFunctions, "more functions",
              "at most 65536, one for each word of RAM and more");
      image.functions.push_back(
          {symbol.st_value, symbol.st_size, demangled(name_of(reader, strings, symbol))});
    }
  }
  std::ranges::sort(image.functions, {}, [](const auto& f) { return f.address; });
  give_sizes(image);
}

/// The section that firmware/collectives/table.cpp writes: for each collective its operation and
/// its algorithm, a byte each, and its name, which ends with a 0.
void load_collectives(const Reader& reader, const Elf32_Ehdr& header,
                      const std::vector<Elf32_Shdr>& sections, Image& image) {
  if (header.e_shstrndx >= sections.size()) return;
  const Elf32_Shdr& strings = sections[header.e_shstrndx];
  for (const Elf32_Shdr& section : sections) {
    if (section.sh_type != SHT_PROGBITS || section.sh_name >= strings.sh_size) continue;
    const std::size_t room = strings.sh_size - section.sh_name;
    const auto* title = reinterpret_cast<const char*>(
        reader.bytes(strings.sh_offset + section.sh_name, room, "section names"));
    if (std::string(title, strnlen(title, std::min(room, kLongestName))) != kCollectivesSection)
      continue;
    const std::byte* at = reader.bytes(section.sh_offset, section.sh_size, "collectives");
    const std::byte* const end = at + section.sh_size;
    while (end - at > 2) {
      const auto* name = reinterpret_cast<const char*>(at + 2);
      const std::size_t length = strnlen(name, static_cast<std::size_t>(end - at) - 2);
      image.collectives.push_back({std::to_integer<std::uint32_t>(at[0]),
                                   std::to_integer<std::uint32_t>(at[1]),
                                   {name, length}});
      at += std::min<std::ptrdiff_t>(end - at, static_cast<std::ptrdiff_t>(length) + 3);
    }
  }
}

/// Code is compressed if its first instruction is, or if a function stands where only such code
/// can stand. Any other compressed code traps as an illegal instruction.
void require_no_compressed_code(const Image& image) {
  const bool first = (std::to_integer<unsigned>(image.ram.front()) & 3U) != 3;
  const auto odd =
      std::ranges::find_if(image.functions, [](const auto& f) { return f.address % 4 != 0; });
  require(!first && odd == image.functions.end(),
          "compressed instructions" + (first                          ? " at address 0"
                                       : odd == image.functions.end() ? ""
                                                                      : " around " + odd->name),
          "RV32IM code (-march=rv32im)");
}

/// Where code ends in RAM. Without sections, any word may be code.
std::uint32_t end_of_code(const std::vector<Elf32_Shdr>& sections, std::size_t ram_bytes) {
  std::uint64_t end = 0;
  for (const Elf32_Shdr& section : sections) {
    if ((section.sh_flags & SHF_EXECINSTR) == 0) continue;
    end = std::max(end, std::uint64_t{section.sh_addr} + section.sh_size);
  }
  return static_cast<std::uint32_t>(end == 0 ? ram_bytes : std::min<std::uint64_t>(end, ram_bytes));
}

std::vector<rv32::Instruction> decoded(const Image& image) {
  std::vector<rv32::Instruction> code;
  for (std::size_t at = 0; at + 4 <= image.code_end; at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, image.ram.data() + at, sizeof word);
    code.push_back(rv32::decode(word));
  }
  code.emplace_back();
  rv32::join(code, 0, code.size());
  return code;
}

/// The usual mistakes by name: a program for the host, or for a core of 64 bits.
const char* machine_name(const Elf32_Ehdr& header) {
  const bool wide = header.e_ident[EI_CLASS] == ELFCLASS64;
  if (header.e_machine == EM_X86_64) return " (x86-64)";
  if (header.e_machine == EM_AARCH64) return " (AArch64)";
  return header.e_machine == EM_RISCV && wide ? " (RV64)" : "";
}

const char* type_name(const Elf32_Ehdr& header) {
  if (header.e_type == ET_REL) return " (an object that is not linked)";
  return header.e_type == ET_DYN ? " (position-independent, or a shared object)" : "";
}

std::shared_ptr<const Image::Shared> shared(const Image& image) {
  return std::shared_ptr<const Image::Shared>(
      new Image::Shared{StartingRam(image.ram), decoded(image)});
}

}  // namespace

Image load_elf(const std::vector<std::byte>& file) {
  const Reader reader(file);
  const auto header = reader.at<Elf32_Ehdr>(0, "header");
  require(std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0, "no ELF file",
          "an RV32 ELF executable, as annelid firmware build makes it from sources");
  require(header.e_ident[EI_CLASS] == ELFCLASS32 && header.e_ident[EI_DATA] == ELFDATA2LSB &&
              header.e_machine == EM_RISCV,
          fmt::format("an ELF file of machine {} and class {}{}", header.e_machine,
                      header.e_ident[EI_CLASS], machine_name(header)),
          "32-bit little-endian RISC-V: compile by annelid firmware build, or with "
          "riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32");
  require(header.e_type == ET_EXEC,
          fmt::format("an ELF file of type {}{}", header.e_type, type_name(header)),
          "an executable, statically linked at fixed addresses: annelid firmware build links "
          "objects, too; gcc needs -static -no-pie");
  require(header.e_entry == 0, fmt::format("an entry at {:#x}", header.e_entry),
          "entry 0: link with -Wl,-Ttext=0,-e,0, or by annelid firmware build");
  Image image;
  load_segments(reader, header, image);
  const std::vector<Elf32_Shdr> sections = sections_of(reader, header);
  image.code_end = end_of_code(sections, image.ram.size());
  load_functions(reader, sections, image);
  load_collectives(reader, header, sections, image);
  require(!image.ram.empty(), "no loadable segment",
          "a program, which is linked from at least one source");
  // The flag alone only says that there may be such code: linkers set it for libraries' sake.
  if ((header.e_flags & EF_RISCV_RVC) != 0) require_no_compressed_code(image);
  image.shared = shared(image);
  return image;
}

void set_ccl_modes(Image& image, std::uint32_t modes) {
  require(image.ccl_modes.has_value(), "no calls of CCL",
          "a program that calls operations of ccl.h, for which --mode and --develop are");
  const std::size_t at = *image.ccl_modes;
  image.ram.resize(std::max(image.ram.size(), at + sizeof modes));
  std::memcpy(image.ram.data() + at, &modes, sizeof modes);
  image.shared = shared(image);
}

void set_arguments(Image& image, const std::vector<std::string>& arguments) {
  const std::uint32_t begin = image.arguments_begin, end = image.arguments_end;
  const bool has_room = begin < end && end <= kRamBytes && begin % 4 == 0;
  require(has_room || arguments.empty(), fmt::format("{} arguments", arguments.size()),
          "none: the program has no symbols arguments_begin and arguments_end");
  if (!has_room) return;
  std::size_t bytes = sizeof(std::uint32_t);
  for (const std::string& argument : arguments) bytes += argument.size() + 1;
  require(bytes <= end - begin, fmt::format("arguments of {} bytes", bytes),
          fmt::format("at most {}: the room from arguments_begin to arguments_end", end - begin)
              .c_str());
  image.ram.resize(std::max<std::size_t>(image.ram.size(), (end + 3) / 4 * 4));
  const auto count = static_cast<std::uint32_t>(arguments.size());
  std::byte* at = image.ram.data() + begin;
  std::memcpy(at, &count, sizeof count);
  at += sizeof count;
  for (const std::string& argument : arguments) {
    std::memcpy(at, argument.c_str(), argument.size() + 1);
    at += argument.size() + 1;
  }
  image.shared = shared(image);
}

}  // namespace annelid::nic
