#!/usr/bin/env python3
"""Every file includes what it uses, itself or by the headers that it includes.

  testbench/own_includes_test.py [ROOT]

Files that are compiled together see each other's headers, and tests see their precompiled headers, so no build notices
that one of them forgets a header. This reads all of them. A name is used where it stands in the code; it is there if a
file in the closure of the includes declares it. Looked for are names of the standard library and of other libraries
(LIBRARIES), and types, constants, macros and functions that headers of the project declare outside of classes. Names
that a file declares itself, members, and names of headers that the build makes are never reported.

Prints each name that is missing, and each header that is not there. Exit status 1 if there is any.
"""
import re
import sys
from functools import lru_cache
from pathlib import Path

from includes_test import MAY_INCLUDE, allowed, room_of

# Header: names of namespace std. A name of several headers may come from any of them.
STANDARD = {
    "algorithm": "all_of any_of binary_search clamp copy copy_if copy_n count count_if equal equal_range fill fill_n find "
                 "find_if find_if_not find_end for_each generate is_sorted lexicographical_compare lower_bound max "
                 "max_element min min_element minmax minmax_element mismatch next_permutation none_of nth_element "
                 "partial_sort partition remove_if replace reverse rotate search sort stable_sort swap_ranges transform "
                 "unique upper_bound",
    "array": "array to_array", "atomic": "atomic atomic_flag atomic_ref atomic_thread_fence memory_order_relaxed",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countr_one countr_zero endian has_single_bit popcount rotl rotr",
    "bitset": "bitset", "charconv": "from_chars to_chars", "chrono": "chrono", "compare": "strong_ordering partial_ordering",
    "concepts": "convertible_to derived_from integral invocable same_as floating_point unsigned_integral",
    "condition_variable": "condition_variable", "coroutine": "coroutine_handle suspend_always suspend_never noop_coroutine",
    "cmath": "abs ceil cos exp exp2 floor isfinite isinf isnan ldexp llround log log2 lround pow round sin sqrt trunc",
    "cstddef": "byte max_align_t nullptr_t to_integer", "cstdio": "fclose fflush fopen fputs fread fwrite fprintf printf remove rename",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t uintptr_t intptr_t",
    "cstdlib": "abort atoi exit free getenv malloc strtod strtoull system _Exit EXIT_SUCCESS",
    "cstring": "memchr memcmp memcpy memmove memset strchr strcmp strerror strlen strncmp strcpy",
    "deque": "deque", "exception": "current_exception exception exception_ptr rethrow_exception terminate",
    "filesystem": "filesystem", "fstream": "fstream ifstream ofstream", "functional": "bind_front function greater hash less plus "
    "minus multiplies not_fn reference_wrapper ref cref",
    "future": "async future promise", "initializer_list": "initializer_list", "iomanip": "setprecision setw setfill",
    "iostream": "cerr cin clog cout", "istream": "istream", "iterator": "advance back_inserter begin distance end input_iterator_tag "
    "inserter istream_iterator istreambuf_iterator next ostream_iterator prev make_move_iterator size ssize",
    "limits": "numeric_limits", "list": "list", "map": "map multimap", "memory": "addressof allocator construct_at destroy_at "
    "enable_shared_from_this make_shared make_unique shared_ptr to_address unique_ptr weak_ptr",
    "mutex": "lock_guard mutex once_flag scoped_lock unique_lock call_once", "new": "bad_alloc launder align_val_t",
    "numbers": "numbers", "numeric": "accumulate gcd iota inner_product lcm midpoint partial_sum reduce exclusive_scan",
    "optional": "nullopt optional", "ostream": "ostream endl flush", "queue": "priority_queue queue", "random": "bernoulli_distribution "
    "discrete_distribution mt19937 mt19937_64 random_device uniform_int_distribution uniform_real_distribution",
    "ranges": "ranges::views views", "regex": "regex regex_match regex_replace regex_search smatch sregex_iterator cmatch",
    "set": "set multiset", "span": "span as_bytes as_writable_bytes dynamic_extent", "sstream": "istringstream ostringstream stringstream",
    "stdexcept": "domain_error invalid_argument length_error logic_error out_of_range overflow_error range_error runtime_error",
    "string": "getline stod stoi stol stoul stoull string to_string", "string_view": "string_view", "system_error": "error_code "
    "errc generic_category system_category system_error make_error_code",
    "thread": "thread this_thread jthread", "tuple": "forward_as_tuple ignore make_tuple tie tuple",
    "type_traits": "add_const_t conditional_t decay_t enable_if_t false_type is_const_v is_enum_v is_integral_v is_same_v "
    "is_trivially_copyable_v is_unsigned_v make_signed_t make_unsigned_t remove_const_t remove_cvref_t remove_reference_t "
    "true_type underlying_type_t void_t is_constant_evaluated is_floating_point_v is_signed_v is_base_of_v is_invocable_v",
    "typeinfo": "type_info", "unordered_map": "unordered_map", "unordered_set": "unordered_set", "utility": "as_const exchange "
    "forward in_place index_sequence make_index_sequence make_pair move pair swap integer_sequence to_underlying cmp_less",
    "variant": "get_if holds_alternative monostate variant visit", "vector": "vector",
}
# Names that several headers declare, or that one header of the standard says it includes.
ALSO = {"exchange": (), "swap": ("algorithm",), "begin": (), "end": (), "size": (), "copy": ("cstring",), "remove": ("algorithm",),
        "hash": ("string", "string_view", "memory", "optional"), "get": ("tuple", "utility", "array", "variant"),
        "max": (), "abs": ("cstdlib",), "move": ("algorithm",), "less": ("map", "set"), "distance": (), "next": (),
        "initializer_list": ("string", "vector", "array", "map", "set", "utility", "string_view", "span", "algorithm"),
        "strong_ordering": ("string", "array", "vector", "utility", "tuple", "optional"),
        "bad_alloc": ("memory",), "ostream": ("iostream", "sstream", "fstream"), "istream": ("iostream", "sstream", "fstream"),
        "endl": ("iostream",), "string": ("sstream", "fstream", "filesystem", "regex", "stdexcept", "system_error"),
        "getline": ("sstream", "fstream", "iostream"), "pair": ("map", "unordered_map", "tuple"),
        "exception": ("stdexcept",), "byte": ("span",), "errc": ("charconv",), "error_code": ("filesystem",)}
# Headers that the build makes, besides those of includes_test.py.
GENERATED = {"interface/registers.hpp", "interface/router.hpp", "interface/router_fields.inc"}
FOLDERS = ("base", "bench", "cli", "deadlock", "firmware", "interface", "mpi", "nic", "reference", "simulation", "studies", "systemc",
           "testbench", "timeline", "traffic", "waves", "schedules")
RANGES_OF = {"algorithm", "ranges", "iterator", "memory", "functional", "numeric"}  # std::ranges:: is in several
# A pattern of code: the headers one of which must be there.
LIBRARIES = [
    (r"\bfmt::", {"fmt/format.h", "fmt/core.h", "fmt/ranges.h", "fmt/ostream.h", "fmt/args.h"}),
    (r"\bnlohmann::|\bNLOHMANN_", {"nlohmann/json.hpp", "nlohmann/json_fwd.hpp"}),
    (r"\btoml::", {"toml++/toml.h"}),
    (r"\bCLI::(?!App\b|Option\b)|(?:\.|->)add_(?:option|flag|subcommand)\(", {"CLI/CLI.hpp"}),
    (r"\bbenchmark::", {"benchmark/benchmark.h"}),
    (r"\bsc_(?:core|module|time|signal|in|out|dt)\b|\bSC_(?:MODULE|THREAD|METHOD|HAS_PROCESS|CTOR)\b", {"systemc"}),
    (r"\b(?:TEST|TEST_F|TEST_P|INSTANTIATE_TEST_SUITE_P|EXPECT_EQ|ASSERT_EQ|EXPECT_TRUE|ASSERT_TRUE)\(", {"gtest/gtest.h", "gmock/gmock.h"}),
    (r"\b(?:EXPECT_THAT|ASSERT_THAT|MOCK_METHOD|MATCHER_P?)\(|\busing ::?testing::(?:HasSubstr|ElementsAre)\b", {"gmock/gmock.h"}),
]
PROVIDES = {}
for _header, _names in STANDARD.items():
    for _name in _names.split():
        PROVIDES.setdefault(_name, set()).update({_header, *ALSO.get(_name, ())})
COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'', re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
TYPE = re.compile(r"\b(?:class|struct|union|enum class|enum struct|enum|concept|namespace)\s+(?:alignas\([^)]*\)\s*)?"
                  r"(?:\[\[\w+\]\]\s*)?(\w+)|\busing\s+(\w+)\s*=|\btypedef\b[^;]*\b(\w+)\s*;|\b(?:typename|class)\s*(?:\.\.\.)?\s*(\w+)"
                  r"|#\s*define\s+(\w+)|\busing\s+(?:enum\s+)?[\w:]*::(\w+)\s*;")
# What declares a name anywhere: a type, or a word, a reference or a pointer before it.
KEYWORDS = {"return", "co_return", "co_await", "co_yield", "else", "case", "throw", "new", "delete", "goto", "not", "and", "or", "do",
            "typename", "sizeof", "if", "while", "in"}
DECLARED = re.compile(r"(?:([\w]+)[>\]]*|[>\]])(?:\s*(?:const\b)?\s*[&*]+\s*|\s+)(?:\w+::)*(\w+)\s*(?=[({\[=;,):])")
OUTSIDE = re.compile(r"^(?=\S)(?:template\s*<.*>\s*)?(?:(?:class|struct|union|enum class|enum)\s+(?:\[\[\w+\]\]\s*)?(\w+)(?=[^;\n(]*(?:\{|$))"
                     r"|using\s+(\w+)\s*=|(?:inline |static |constexpr |consteval |extern |\[\[nodiscard\]\] |const )*[\w:<>,&*\[\] ]*?"
                     r"[\w>&*]\s+[&*]?((?!operator)\w+)\s*(?:\(|=|\[|\{|;)|#\s*define\s+(\w+))", re.MULTILINE)
NO_NAMES = {"void", "alignas", "CLI", "wait", "operator", "if", "for", "while", "switch", "return", "sizeof", "decltype", "noexcept", "static_assert"}
CALLED = re.compile(r"(?:<[\w:<>, *&]*>)?\(")
WORD = re.compile(r"\b[A-Za-z_]\w*\b")


class File:
    def __init__(self, root, name):
        self.name = name
        text = (root / name).read_text()
        self.includes = [(a, b) for a, b in INCLUDE.findall(text)]
        # Comments and texts become blanks, so that lines stay where they are.
        code = COMMENT_OR_TEXT.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0][0] in "/" else '""' + "\n" * m[0].count("\n"), text)
        code = re.sub(r"^[ \t]*#\s*(?:include|pragma)[^\n]*", "", code, flags=re.MULTILINE)
        self.code = re.sub(r"\b(TEST|TEST_F|TEST_P)\(\s*(?:\w+),\s*\w+\)|\b(INSTANTIATE_TEST_SUITE_P)\(\s*\w+,",
                           lambda m: f"{m[1] or m[2]}(" + "\n" * m[0].count("\n"), code)  # without the names of tests
        self.declares = {name for found in TYPE.findall(self.code) for name in found if name}
        self.declares |= {name for word, name in DECLARED.findall(self.code) if word not in KEYWORDS}
        self.declares |= set(re.findall(r"\(\*(\w+)\)", self.code)) | set(re.findall(r"\bk[A-Z]\w*(?=\{| = )", self.code))
        for body in re.findall(r"\benum\b[^{;]*\{([^}]*)\}", self.code):
            self.declares |= set(re.findall(r"(\w+)\s*(?:=[^,]*)?(?:,|$)", body.strip()))
        self.outside = set()
        if name.endswith(".hpp"):
            for found in OUTSIDE.findall(self.code):
                self.outside |= {one for one in found if one} - NO_NAMES


def sources(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[chi][pn][pc]")):
            yield str(path.relative_to(root))
    for path in (root / "firmware/kit/include").glob("*.h"):  # included by their names alone
        yield str(path.relative_to(root))


def can_include(file, header):
    """Whether a file may include a header: tests, those of their own folder and of all rooms."""
    room = room_of(file)
    if room:
        return room_of(header) is not None and allowed(room, header) is not None
    return not header.startswith(("testbench/", "bench/")) or header.split("/")[:2] == file.split("/")[:2] or header.count("/") == 1


def of_registers(root):
    """The names of interface/registers.hpp, which the build makes from registers.toml."""
    words = set(re.findall(r"[\w-]+", (root / "interface/registers.toml").read_text()))
    camel = {"".join(part[:1].upper() + part[1:].lower() for part in re.split(r"[_-]", word)) for word in words} | words
    return camel | {"k" + name for name in camel} | {"reg", "name_of"}


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    files = {name: File(root, name) for name in sources(root)}
    files |= {name.removeprefix("firmware/kit/include/"): file for name, file in files.items()}
    registers = of_registers(root)
    # What generate_router.cpp writes stands in it.
    parameters = set(re.findall(r"\w+", (root / "interface/generate_router.cpp").read_text()))
    by_name = {}
    for file in files.values():
        for name in file.outside:
            by_name.setdefault(name, set()).add(file.name)

    @lru_cache(maxsize=None)
    def closure(name):
        """The files of the project and the headers of others that a file includes."""
        seen, others, todo = set(), set(), [name]
        while todo:
            one = todo.pop()
            if one in seen:
                continue
            seen.add(one)
            for own, other in files[one].includes:
                if own in files:
                    todo.append(own)
                elif other:
                    others.add(other)
                else:
                    others.add(own)
        return seen, others

    wrong = 0
    for file in dict.fromkeys(files.values()):
        if not file.name.endswith(("pp",)):
            continue
        for header, _ in file.includes:
            if header.startswith(tuple(folder + "/" for folder in FOLDERS)) and header not in files and header not in GENERATED:
                print(f"{file.name}: there is no {header}")
                wrong += 1
        mine, others = closure(file.name)
        missing = {}
        for found in re.finditer(r"\bstd::(ranges::)?(\w+)", file.code):
            headers = RANGES_OF if found[1] else PROVIDES.get(found[2])
            if headers and not headers & others:
                missing.setdefault(f"std::{found[2]}", (sorted(f"<{h}>" for h in headers), found.start()))
        for pattern, headers in LIBRARIES:
            found = re.search(pattern, file.code)
            if found and not headers & others and found[0].rstrip(":") not in file.declares:
                missing.setdefault(found[0], (sorted(f"<{h}>" for h in headers), found.start()))
        declared = set().union(*(files[one].declares for one in mine))
        if "interface/registers.hpp" in others:
            declared |= registers
        if "interface/router.hpp" in others:
            declared |= parameters
        for found in WORD.finditer(file.code):
            name = found[0]
            if name in declared or name in missing or name not in by_name:
                continue
            before = file.code[max(0, found.start() - 24):found.start()]
            if re.search(r"(?:\.|->|\bstd::(?:\w+::)*|\b(?:fmt|nlohmann|CLI|toml|testing|benchmark|sc_core|fs|chrono|views)::)\s*$", before):
                continue
            if not (name[0].isupper() or re.match(r"k[A-Z]", name)):
                if not CALLED.match(file.code, found.end()) or before.endswith("::"):
                    continue
            headers = [header for header in sorted(by_name[name]) if can_include(file.name, header)]
            if headers:
                missing[name] = (headers, found.start())
        for name, (headers, at) in sorted(missing.items(), key=lambda m: m[1][1]):
            line = file.code.count("\n", 0, at) + 1
            print(f"{file.name}:{line}: {name} of {' or '.join(headers[:3])} is not included")
            wrong += 1
    print(f"{wrong} includes are missing or wrong" if wrong else f"{len(set(files.values()))} files include what they use")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
