// WarpAES for C++20: all of the C interface (warpaes.h, which says what each call does) with owners for the
// handles, spans for memory, and exceptions for misuse and broken machines. What decryption finds out about a
// message is no exception: it is a value that has to be looked at.
//
//   context.hpp    Context, HostBuffer, engines(), devices()
//   mode.hpp       Mode, modes(), output_size()
//   message.hpp    Message and Batch, which name their members: {.input = …, .output = …}
//   cipher.hpp     Cipher: one message, many, on the host and on the device; sealed messages
//   operation.hpp  Operation: a message that comes in parts
//   container.hpp  Container: encrypted files, chunk by chunk or any range of bytes
//   kdf.hpp        random(), hkdf(), pbkdf2(), scrypt(), argon2id()
//   memory.hpp     Input, Output, Error, Verdict
//
// An object keeps alive what it was made with: an Operation its Cipher, a Cipher its Context. Input and
// Output are views, which own no memory: like std::span, they are made for the length of a call.
#pragma once

#if __cplusplus < 202002L
#error "warpaes/warpaes.hpp needs C++20: compile with -std=c++20, or use the C interface, warpaes/warpaes.h."
#else

#include "warpaes/cipher.hpp"
#include "warpaes/container.hpp"
#include "warpaes/context.hpp"
#include "warpaes/kdf.hpp"
#include "warpaes/memory.hpp"
#include "warpaes/message.hpp"
#include "warpaes/mode.hpp"
#include "warpaes/operation.hpp"
#include "warpaes/warpaes.h"

namespace warpaes {
inline namespace v0 {

/// The version of the library that is loaded, as "0.1.0".
inline const char* version() { return warpaes_version(); }

}  // namespace v0
}  // namespace warpaes

#endif
