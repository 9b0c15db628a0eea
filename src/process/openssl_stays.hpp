// Programs call the library while they end: by destructors of static objects, or by threads that go on.
#pragma once

namespace warpaes::core {

/// OpenSSL frees all it has when exit() begins, unless whoever used it first has said that it stays. So this
/// comes before any use of OpenSSL, and not when the library is loaded: a program may still want to give
/// OpenSSL its own memory functions then. It has no effect where the program has used OpenSSL before.
void keep_openssl();

}  // namespace warpaes::core
