// ANNELID_SANITIZED is defined where AddressSanitizer watches memory: GCC and Clang name it in
// different words.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define ANNELID_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ANNELID_SANITIZED
#endif
#endif
