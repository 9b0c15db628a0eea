// Runs batches of messages on one engine, under one key or per-message keys, in memory of the engine's kind,
// and examines every byte of it afterwards.
#pragma once

#include <string>
#include <vector>

#include "engines/engine_buffer.hpp"

namespace warpaes::core::conformance {

using Bytes = std::vector<uint8_t>;

struct CipherExample {
  Bytes iv, input;
  Bytes expected;  // output, or tag, which a check is given; what the padding was is zero behind it
  int32_t status = WARPAES_OK;  // of wrong data: the output is zero; LENGTH may be longer than all others
  size_t offset = 0;            // where it lies, past a multiple of 16, if scattered
  bool without_input = false;   // a null pointer
  bool without_output = false;
  bool without_iv = false, without_tag = false, without_key = false;  // if they are listed
  size_t overlap = 0;  // the output begins so many bytes behind the input
  Bytes key = {};      // its own, if keys are given each; XTS: both, as everywhere here
};

struct CipherExamples {
  CipherMode mode;
  Bytes key;  // empty: a key each
  std::vector<CipherExample> messages;
  bool scattered = true;  // or one stride apart, and then all of one length
  size_t gap = 0;         // between messages of one stride
  bool in_place = false;
  size_t tag_bytes = 16;
  bool listed = false;  // IVs, tags and keys are where arrays of pointers say
};

/// @return what is wrong, as "message 3: output differs"; empty if nothing is
std::string difference(const Engine& engine, int device, const CipherExamples& examples);

}  // namespace warpaes::core::conformance
