// Batches of each mode, composed from the block functions and the simpler modes, for engines on host memory.
// Engines without the mode use these, and they are the reference for engines that have it. mode_table.cpp
// lists them.
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
/// Does batches of all other modes.
void cipher_composed(const Engine& engine, const BatchKey& key, const Batch& batch);

}  // namespace warpaes::core
