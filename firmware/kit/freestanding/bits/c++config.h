/* libstdc++ of a host says that it has an operating system. Programs of the nodes have none. */
#pragma GCC system_header
#include_next <bits/c++config.h>
#undef _GLIBCXX_HOSTED
#define _GLIBCXX_HOSTED 0
