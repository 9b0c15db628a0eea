// Published cases as batches: all cases of a mode, a direction and a key size are in one batch, each with its
// own key.
#include <map>

#include "batch_cases.hpp"
#include "composed_cases.hpp"
#include "vector_cases.hpp"

namespace warpaes::core::conformance {
namespace {

struct ModeOfCases {
  Mode mode;
  CipherMode encrypt, decrypt;
};
constexpr ModeOfCases kModes[] = {
    {Mode::ecb, CipherMode::ecb_encrypt, CipherMode::ecb_decrypt},
    {Mode::cbc, CipherMode::cbc_encrypt, CipherMode::cbc_decrypt},
    {Mode::cfb, CipherMode::cfb_encrypt, CipherMode::cfb_decrypt},
    {Mode::ofb, CipherMode::ofb, CipherMode::ofb},
    {Mode::ctr, CipherMode::ctr, CipherMode::ctr},
    {Mode::xts, CipherMode::xts_encrypt, CipherMode::xts_decrypt},
};

class Collector {
 public:
  void add(const Case& test) {
    for (const ModeOfCases& row : kModes) {
      const bool one_unit = test.mode != Mode::xts || test.unit_bytes == test.bytes;
      if (row.mode != test.mode || !test.unusable.empty() || !one_unit) continue;
      add(test.direction == WARPAES_DIRECTION_ENCRYPT ? row.encrypt : row.decrypt, test.key_bits(),
          {.iv = test.mode == Mode::ecb ? Bytes(16) : test.nonces,
           .input = test.input,
           .expected = test.output,
           .key = test.key});
    }
  }
  void add(const WrapVector& vector) {
    const bool wrapping = vector.direction == WARPAES_DIRECTION_ENCRYPT;
    const CipherMode kw = wrapping ? CipherMode::kw_wrap : CipherMode::kw_unwrap;
    const CipherMode kwp = wrapping ? CipherMode::kwp_wrap : CipherMode::kwp_unwrap;
    add(vector.padded ? kwp : kw, static_cast<int>(8 * vector.key.size()),
        {.iv = {},
         .input = vector.input,
         .expected = vector.expected,
         .status = vector.status,
         .key = vector.key});
  }

  const auto& batches() const { return batches_; }

 private:
  void add(CipherMode mode, int key_bits, CipherExample message) {
    CipherExamples& batch = batches_[{mode, key_bits}];
    batch.mode = mode;
    message.offset = batch.messages.size() % 3 == 0 ? batch.messages.size() % 16 : 0;
    batch.messages.push_back(std::move(message));
  }

  std::map<std::pair<CipherMode, int>, CipherExamples> batches_;
};

}  // namespace

void visit_vector_batches(const std::filesystem::path& folder, const BatchVisitor& visit) {
  Collector collector;
  for (const VectorFile& file : vector_files()) {
    if (is_aead(file.mode)) continue;
    for (const Case& test : vector_cases(folder, file)) collector.add(test);
  }
  visit_wrap_vectors(folder, [&](const WrapVector& vector) {
    if (!vector.inverse) collector.add(vector);
  });
  for (const auto& [kind, batch] : collector.batches()) {
    const CipherRow& row = cipher_row(kind.first);
    visit({std::string("the published cases") + (row.decrypts ? ", decrypt" : ""), batch_row(row.name, true),
           kind.second, batch, batch.messages.size()});
  }
}

}  // namespace warpaes::core::conformance
