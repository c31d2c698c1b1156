# Takes the code out of pages: awk -v out=FOLDER -f extract_code.awk PAGE.md...
# A block of C++ whose first line is "// PATH" becomes FOLDER/PATH; the lines of blocks that begin with
# COLLECTIVE are added to FOLDER/lines. Exit status 1 if there is no code, or a block without a name.
BEGIN { lines = out "/lines"; printf "" > lines }
/^```/ && inside { inside = 0; if (file != lines) close(file); next }
/^```c\+\+/ { inside = 1; first = 1; next }
inside && first {
  first = 0
  if ($1 == "//" && NF == 2) {
    file = out "/" $2
    printf "" > file
    ++files
    next
  }
  if ($0 !~ /^COLLECTIVE\(/) { print FILENAME ":" FNR ": a block of code without a name" > "/dev/stderr"; bad = 1; exit }
  file = lines
}
inside { print >> file }
END {
  if (!bad && (files == 0 || inside)) { print FILENAME ": no code, or a block without an end" > "/dev/stderr"; bad = 1 }
  exit bad
}
