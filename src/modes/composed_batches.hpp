// Batches of each mode from nothing but the block functions and the modes beneath, for host engines: what an
// engine without the mode gets, and the oracle of those that have it. mode_table.cpp lists them.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

void gcm_composed(const Engine& engine, const BatchKey& key, const Batch& batch);
void gcm_siv_composed(const Engine& engine, const BatchKey& key, const Batch& batch);
void ccm_composed(const Engine& engine, const BatchKey& key, const Batch& batch);
void eax_composed(const Engine& engine, const BatchKey& key, const Batch& batch);
void ocb3_composed(const Engine& engine, const BatchKey& key, const Batch& batch);
void siv_composed(const Engine& engine, const BatchKey& key, const Batch& batch);
void cmac_composed(const Engine& engine, const BatchKey& key, const Batch& batch);
/// All other modes, but XTS.
void cipher_composed(const Engine& engine, const BatchKey& key, const Batch& batch);
void xts_batch_composed(const Engine& engine, const BatchKey& key, const Batch& batch);

}  // namespace warpaes::core
