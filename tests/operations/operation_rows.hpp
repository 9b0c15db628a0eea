// The modes of operations as a table, and the answers that OpenSSL's EVP gives to whole messages.
#pragma once

#include <span>

#include "../c_api/handles_for_tests.hpp"

namespace warpaes::testing {

struct OperationRow {
  warpaes_mode mode;
  const char* name;
  const char* evp;       // EVP's name behind "AES-256-"
  const char* cts_mode;  // null: none
  size_t iv_bytes;
  uint64_t multiple, least;  // of the message's length
  bool padded;
  size_t slowness;  // messages are so many times shorter
};

std::span<const OperationRow> operation_rows();

/// A message, and all that an operation on it needs. XTS: both keys.
struct Trial {
  const OperationRow& row;
  Bytes key, iv;
  uint64_t unit_bytes;
  size_t tag_bytes;
  Bytes message;
};

/// The ciphertext, or CMAC's tag, by OpenSSL. XTS with keys of 192 bits, which it does not have: empty.
Bytes expected_of(const Trial& trial);

/// Is it a mode of tags?
inline bool makes_tag(const OperationRow& row) { return row.mode == WARPAES_MODE_CMAC; }

/// The keys of a trial, and the options for an operation with them.
class TrialKeys {
 public:
  TrialKeys(const TestContext& context, const Trial& trial);
  const warpaes_key* get() const { return key_.get(); }
  warpaes_operation_options options(warpaes_direction direction) const;

 private:
  const Trial& trial_;
  TestKey key_, tweak_key_;
};

class TestOperation {
 public:
  TestOperation(const warpaes_key* key, const warpaes_operation_options& options) {
    status_ = warpaes_operation_create(key, &options, &handle_);
  }
  ~TestOperation() { warpaes_operation_destroy(handle_); }
  TestOperation(const TestOperation&) = delete;
  TestOperation& operator=(const TestOperation&) = delete;
  warpaes_operation* get() const { return handle_; }
  warpaes_status status() const { return status_; }

 private:
  warpaes_operation* handle_ = nullptr;
  warpaes_status status_;
};

}  // namespace warpaes::testing
