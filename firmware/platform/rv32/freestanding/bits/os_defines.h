#pragma once
#define __NO_CTYPE 1
