// XORs data with the encryption of successive counter blocks: CTR and, with another way of counting, GCTR of
// GCM. It is composed from encrypt_blocks, for engines that work on host memory.
#pragma once

#include "engines/engine.hpp"
#include "primitives/counter_block.hpp"

namespace warpaes::core {

/// How counter blocks count: add128 for CTR, add32 for GCM.
using CounterStep = CounterBlock (*)(CounterBlock counter, uint64_t blocks);

/// @param input,output equal or disjoint
void xor_key_stream(const Engine& engine, const EngineKey& key, CounterBlock first, CounterStep step,
                    const uint8_t* input, uint8_t* output, uint64_t bytes);

}  // namespace warpaes::core
