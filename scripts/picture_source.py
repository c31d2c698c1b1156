#!/usr/bin/env python3
"""Ties a PNG to what it was drawn from. Pictures differ from machine to machine, as fonts do; their sources do not.

  picture_source.py stamp PICTURE.png SOURCE...    writes the sources' hash into the picture
  picture_source.py check PICTURE.png SOURCE...    fails if the picture was drawn from something else

The hash is a text of the PNG with the keyword "source". Exit status: 0, or 1 if the picture has another hash or none.
"""
import hashlib
import struct
import sys
import zlib
from pathlib import Path

BEGIN = b"\x89PNG\r\n\x1a\n"
KEYWORD = b"source\0"


def chunks(picture):
    """Of a PNG: the type and the data of each chunk."""
    at = len(BEGIN)
    while at < len(picture):
        length, kind = struct.unpack_from(">I4s", picture, at)
        yield kind, picture[at + 8:at + 8 + length]
        at += length + 12


def is_stamp(kind, data):
    return kind == b"tEXt" and data.startswith(KEYWORD)


def stamp(path, sources):
    """Writes the hash of the sources into the picture, in place of an earlier one."""
    made = BEGIN
    for kind, data in chunks(Path(path).read_bytes()):
        if kind == b"IEND":
            made += chunk(b"tEXt", KEYWORD + hash_of(sources).encode())
        if not is_stamp(kind, data):
            made += chunk(kind, data)
    Path(path).write_bytes(made)


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def hash_of(sources):
    all_of_them = hashlib.sha256()
    for source in sources:
        content = Path(source).read_bytes()
        all_of_them.update(struct.pack(">Q", len(content)) + content)
    return all_of_them.hexdigest()


def fits(path, sources):
    """Whether the picture was drawn from these sources."""
    found = [data[len(KEYWORD):].decode() for kind, data in chunks(Path(path).read_bytes()) if is_stamp(kind, data)]
    return found == [hash_of(sources)]


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("stamp", "check"):
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    mode, picture, *sources = sys.argv[1:]
    if mode == "stamp":
        stamp(picture, sources)
    elif not fits(picture, sources):
        sys.exit(f"{picture} was not drawn from {', '.join(sources)}")


if __name__ == "__main__":
    main()
