// The modes that `warpaes raw` has: one row each.
#pragma once

#include <optional>
#include <string>

#include "engines/engine.hpp"
#include "key_options.hpp"
#include "modes/key_wrap.hpp"
#include "warpaes/operation.h"

namespace warpaes::cli {

struct RawMode {
  const char* name;
  KeyLengths keys;
  size_t iv_bytes;                        // 0: has none; AEAD: of nonces that are made here
  std::optional<warpaes_mode> mode = {};  // what is done in parts; or else the whole message:
  std::optional<Aead> aead = {};
  std::optional<warpaes_mode> sealing =
      {};  // AEAD whose encryption is done in parts, where there is a CPU engine
  std::optional<Wrapping> wrapping = {};    // and none of the three is SIV
  std::optional<warpaes_mode> padded = {};  // the same with PKCS#7 padding; none: the mode needs none
  size_t unit = 1;                          // without padding, a message is a multiple of it
  size_t least = 0;                         // bytes of a message
  bool encryption_chains = false, decryption_chains = false;  // and so belongs to one CPU thread
  const char* caution = nullptr;                              // what it does not do
  const char* length_hint = "`warpaes encrypt` has no such limit";

  bool is_xts() const { return mode == WARPAES_MODE_XTS; }
  bool is_siv() const { return !mode && !aead && !wrapping; }
};

/// Throws a matter of usage, listing those there are, for a name of none.
const RawMode& raw_mode(const std::string& name);

/// "ecb|cbc|…"
std::string raw_mode_names();

}  // namespace warpaes::cli
