// Modes of operation for one long message, each written once for all engines. Batches and AEAD modes are in
// modes/batch.hpp. A mode checks its arguments (throwing Failure before anything is written), then calls the
// engine's own function, or composes the mode from the engine's block functions. All pointers point into the
// memory that the engine works on.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

/// ECB, SP 800-38A 6.1.
void ecb(const Engine& engine, const EngineKey& key, Direction direction, const BlockRun& run, Stream stream);

/// CTR, SP 800-38A 6.5; the 128-bit counter wraps.
void ctr(const Engine& engine, const EngineKey& key, const CounterRun& run, Stream stream);

/// CBC, SP 800-38A 6.2, without padding.
/// @param workspace unchain_workspace_bytes() bytes of the engine's memory, 16-byte aligned. It is used for
///        decryption in place only, and may be null otherwise
void cbc(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run,
         void* workspace, size_t workspace_bytes, Stream stream);

/// CFB, SP 800-38A 6.3, with segments of 128 bits, of which the last may be shorter. The workspace is as for
/// cbc().
void cfb(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run,
         void* workspace, size_t workspace_bytes, Stream stream);

/// CFB with segments of 8 bits, and of 1 bit, eight of which are in a byte with the highest bit
/// first. They are composed from the block functions only, for host engines, and need no workspace.
/// Decryption is parallel.
void cfb8(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run,
          void* workspace, size_t workspace_bytes, Stream stream);
void cfb1(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run,
          void* workspace, size_t workspace_bytes, Stream stream);

/// OFB, SP 800-38A 6.4; encryption and decryption are the same.
void ofb(const Engine& engine, const EngineKey& key, const ChainRun& run, Stream stream);

size_t unchain_workspace_bytes(const Engine& engine, uint64_t bytes);

/// XTS, IEEE 1619 and SP 800-38E, with ciphertext stealing (IEEE 1619 section 5.3.2).
void xts(const Engine& engine, const XtsKeys& keys, Direction direction, const XtsRun& run, Stream stream);

/// The checks that the modes make first: of the length, by the mode's row, of the IV, if the mode has one,
/// and of input and output. They are for callers that cut a message into pieces, and must refuse all of it
/// before the first piece is done.
void require_valid_message(warpaes_mode mode, Direction direction, const ChainRun& run);
void require_valid_xts(const XtsRun& run);

/// Throws XTS_KEYS for keys of different sizes, and for equal keys. With equal keys, a chosen ciphertext
/// would reveal the encryption of the tweak (FIPS 140 IG C.I).
void require_valid_xts_keys(const KeySchedule& key, const KeySchedule& tweak_key);

/// The form of each mode that uses nothing but the block functions, for host engines. Engines without the
/// mode use it, and it is the reference for engines that have a form of their own.
void ctr_composed(const Engine& engine, const EngineKey& key, const CounterRun& run);
void cbc_composed(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run);
void cfb_composed(const Engine& engine, const EngineKey& key, Direction direction, const ChainRun& run);
void ofb_composed(const Engine& engine, const EngineKey& key, const ChainRun& run);
void xts_composed(const Engine& engine, const XtsKeys& keys, Direction direction, const XtsRun& run);

/// The longest message of GCM, SP 800-38D section 5.2.1.1: 2^39 - 256 bits.
constexpr uint64_t kGcmMaxBytes = (uint64_t{1} << 36) - 32;

/// A data unit of XTS has 128 bits at least (IEEE 1619 section 5.1), and 2^20 blocks at most (SP 800-38E
/// section 4).
constexpr uint64_t kXtsMinUnitBytes = 16, kXtsMaxUnitBytes = uint64_t{16} << 20;

}  // namespace warpaes::core
