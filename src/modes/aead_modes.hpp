// The AEAD modes from nothing but the block functions and the modes beneath, for host engines: what an engine
// without the fused function gets, and the oracle of those that have one. mode_table.cpp lists them.
#pragma once

#include "engines/engine.hpp"

namespace warpaes::core {

void gcm_siv_composed(const Engine& engine, const AeadKey& key, const AeadBatch& batch);
void ccm_composed(const Engine& engine, const AeadKey& key, const AeadBatch& batch);
void eax_composed(const Engine& engine, const AeadKey& key, const AeadBatch& batch);
void ocb3_composed(const Engine& engine, const AeadKey& key, const AeadBatch& batch);
void siv_composed(const Engine& engine, const AeadKey& key, const AeadBatch& batch);

}  // namespace warpaes::core
