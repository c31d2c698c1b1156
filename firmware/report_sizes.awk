# Reads a linker map of GNU ld and prints the bytes of RAM that each object file takes in the program,
# what was dropped as unused not counted: awk -v root=PROJECT -f report_sizes.awk PROGRAM.map
#
# In the map an input section is one line, " .text._ZN... 0xADDRESS 0xSIZE FILE", or two if its name
# is long.
function number(hex,    i, value) {
  hex = tolower(substr(hex, 3))
  for (i = 1; i <= length(hex); ++i) value = 16 * value + index("0123456789abcdef", substr(hex, i, 1)) - 1
  return value
}
/^Linker script and memory map/ { placed = 1 }  # before it come the sections that were dropped
/^\/DISCARD\// { placed = 0 }
!placed { next }
$1 ~ /^\.(text|rodata|srodata|data|sdata|bss|sbss)/ && /^ / { section = $1 }
NF >= 3 && /^ / && $(NF - 2) ~ /^0x/ && $(NF - 1) ~ /^0x/ && $NF ~ /\.(o|a|o\))$|\.a\(/ {
  file = $NF
  sub(/^.*\.rv32\//, "", file)         # the build's folder for objects
  sub(root "/", "", file)
  sub(/\.o$/, "", file)
  if (file ~ /libgcc/) file = "libgcc"
  bytes = number($(NF - 1))
  kind = section ~ /^\.text/ ? "code" : "constants"
  size[file, kind] += bytes
  if (bytes > 0) files[file] = 1
  total[kind] += bytes
}
END {
  printf "%8s %10s %8s\n", "code", "constants", "bytes"
  order = "sort -k 4"
  for (file in files) {
    printf "%8d %10d %8d  %s\n", size[file, "code"], size[file, "constants"], size[file, "code"] + size[file, "constants"], file | order
  }
  close(order)
  printf "%8d %10d %8d  total\n", total["code"], total["constants"], total["code"] + total["constants"]
}
