// WarpAES for C++20: the C ABI (warpaes.h, which says what each call does) with owners for the handles,
// spans for memory and exceptions for misuse and broken machines. A wrong tag is neither: it is a value
// that has to be looked at.
#pragma once

#include "warpaes/aead.hpp"
#include "warpaes/block_modes.hpp"
#include "warpaes/context.hpp"
#include "warpaes/kdf.hpp"
#include "warpaes/key.hpp"
#include "warpaes/key_wrap.hpp"
#include "warpaes/memory.hpp"
#include "warpaes/operation.hpp"
#include "warpaes/sealed_message.hpp"
#include "warpaes/siv.hpp"
#include "warpaes/warpaes.h"
#include "warpaes/xts.hpp"
