#include "composed_cases.hpp"

#include <algorithm>
#include <stdexcept>

#include "modes/cbc_endings.hpp"
#include "modes/key_wrap.hpp"
#include "modes/mode_table.hpp"
#include "modes/modes.hpp"

namespace warpaes::core::conformance {
namespace {

CbcOfBlocks cbc_of(const Engine& engine, const EngineKey& key) {
  return [&](Direction direction, const ChainRun& run) {
    Bytes workspace(engine.unchain_workspace_bytes ? engine.unchain_workspace_bytes(run.bytes) : 0);
    cbc(engine, key, direction, run, workspace.data(), workspace.size(), nullptr);
  };
}

/// Behind the output lie bytes that must stay.
constexpr size_t kGuards = 32;
constexpr uint8_t kGuard = 0xa5;

/// call(input, output), which returns how many bytes of `room` are the answer, apart and in place.
template <class Call>
Bytes apart_and_in_place(const Bytes& input, size_t room, const Call& call) {
  Bytes in_place(std::max(input.size(), room) + kGuards, kGuard), apart(room + kGuards, kGuard);
  std::copy(input.begin(), input.end(), in_place.begin());
  const auto checked = [&](const uint8_t* from, Bytes& memory) {
    uint64_t bytes = 0;
    try {
      bytes = call(from, memory.data());
    } catch (const Failure&) {
      if (!std::all_of(memory.begin(), memory.begin() + static_cast<ptrdiff_t>(room),
                       [](uint8_t byte) { return byte == 0; })) {
        throw std::runtime_error("it is refused, and the output is not zero");
      }
      throw;
    }
    if (!std::all_of(memory.end() - kGuards, memory.end(), [](uint8_t byte) { return byte == kGuard; })) {
      throw std::runtime_error("bytes behind the output are written");
    }
    return Bytes(memory.begin(), memory.begin() + static_cast<ptrdiff_t>(bytes));
  };
  Bytes answer = checked(input.data(), apart);
  if (checked(in_place.data(), in_place) != answer) throw std::runtime_error("in place it differs");
  return answer;
}

}  // namespace

std::string ComposedCase::run(const Engine& engine, int device) const {
  try {
    const auto prepared = engine.prepare(KeySchedule(key), device);
    const Bytes found = answer(engine, *prepared);
    if (status != WARPAES_OK) return "it is accepted";
    if (found.size() != expected.size()) return "the answer has " + std::to_string(found.size()) + " bytes";
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin()).first;
    return at == found.end() ? "" : "the output differs at byte " + std::to_string(at - found.begin());
  } catch (const Failure& failure) {
    return failure.status() == status ? "" : failure.what();
  } catch (const std::exception& error) {
    return error.what();
  }
}

ComposedCase cfb_short_case(unsigned segment_bits, Direction direction, const Bytes& key, const Bytes& iv,
                            const Bytes& input) {
  const auto mode = segment_bits == 1 ? cfb1 : cfb8;
  return {.name = {},
          .mode = segment_bits == 1 ? "cfb1" : "cfb8",
          .key = key,
          .answer =
              [=](const Engine& engine, const EngineKey& prepared) {
                return apart_and_in_place(input, input.size(), [&](const uint8_t* from, uint8_t* to) {
                  mode(engine, prepared, direction, {iv.data(), from, to, input.size()}, nullptr, 0, nullptr);
                  return input.size();
                });
              },
          .expected = {}};
}

ComposedCase cts_case(int variant, Direction direction, const Bytes& key, const Bytes& iv,
                      const Bytes& input) {
  static constexpr const char* kNames[] = {"cbc-cs1", "cbc-cs2", "cbc-cs3"};
  return {.name = {},
          .mode = kNames[variant - 1],
          .key = key,
          .answer =
              [=](const Engine& engine, const EngineKey& prepared) {
                return apart_and_in_place(input, input.size(), [&](const uint8_t* from, uint8_t* to) {
                  cbc_cts(cbc_of(engine, prepared), direction, static_cast<Stealing>(variant),
                          {iv.data(), from, to, input.size()});
                  return input.size();
                });
              },
          .expected = {}};
}

ComposedCase pkcs7_case(Direction direction, const Bytes& key, const Bytes& iv, const Bytes& input) {
  const bool encrypting = direction == WARPAES_DIRECTION_ENCRYPT;
  return {.name = {},
          .mode = "cbc-pkcs7",
          .key = key,
          .answer =
              [=](const Engine& engine, const EngineKey& prepared) {
                const uint64_t room =
                    encrypting ? mode_row(WARPAES_MODE_CBC_PKCS7).encrypt.output(input.size()) : input.size();
                return apart_and_in_place(input, room, [&](const uint8_t* from, uint8_t* to) {
                  const ChainRun run{iv.data(), from, to, input.size()};
                  if (!encrypting) return cbc_pkcs7_decrypt(cbc_of(engine, prepared), run);
                  cbc_pkcs7_encrypt(cbc_of(engine, prepared), run);
                  return room;
                });
              },
          .expected = {}};
}

ComposedCase wrap_case(bool padded, Direction direction, const Bytes& key, const Bytes& input) {
  const warpaes_mode mode = padded ? WARPAES_MODE_KWP : WARPAES_MODE_KW;
  const bool wrapping = direction == WARPAES_DIRECTION_ENCRYPT;
  return {.name = {},
          .mode = padded ? "kwp" : "kw",
          .key = key,
          .answer =
              [=](const Engine& engine, const EngineKey& prepared) {
                const uint64_t room = mode_row(mode).lengths(direction).output(input.size());
                return apart_and_in_place(input, room, [&](const uint8_t* from, uint8_t* to) {
                  if (!wrapping) return key_unwrap(engine, prepared, mode, {from, to, input.size()});
                  key_wrap(engine, prepared, mode, {from, to, input.size()});
                  return room;
                });
              },
          .expected = {}};
}

}  // namespace warpaes::core::conformance
