// Nothing but what CMake puts before it: the tests' precompiled headers.
