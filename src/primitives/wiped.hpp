// Memory for secrets of a call.
#pragma once

#include <openssl/crypto.h>

namespace warpaes::core {

/// A std::array or std::vector that is wiped when it goes. A vector must not grow: the memory that it leaves
/// when it does would not be wiped.
template <class Container>
struct Wiped : Container {
  using Container::Container;
  Wiped() = default;
  Wiped(const Wiped&) = delete;
  Wiped& operator=(const Wiped&) = delete;
  ~Wiped() { OPENSSL_cleanse(this->data(), this->size() * sizeof *this->data()); }
};

}  // namespace warpaes::core
