// Makes the modes of operations, each of which is in the file of its kind.
#pragma once

#include "operations/operation.hpp"

namespace warpaes::core {

/// The mode that options.mode names, which require_parted_mode() or require_unverified_mode() has let pass.
/// Throws UNSUPPORTED if it needs an engine of the CPU and the context has none.
std::unique_ptr<PartedMode> parted_mode(const Key& key, const OperationOptions& options);

// What the table in parted_modes.cpp is made of: modes of whole blocks or data units, modes that XOR a key
// stream, and modes that end with a tag.
std::unique_ptr<PartedMode> parted_blocks(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_stream(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_tagged(const Key& key, const OperationOptions& options);

}  // namespace warpaes::core
