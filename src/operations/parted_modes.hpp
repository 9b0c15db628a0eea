// The modes of operations, each in the file of its kind.
#pragma once

#include "operations/operation.hpp"

namespace warpaes::core {

/// The mode that options.mode names, which require_parted_mode() or require_unverified_mode() has let pass.
/// Throws UNSUPPORTED if it needs an engine of the CPU and the context has none.
std::unique_ptr<PartedMode> parted_mode(const Key& key, const OperationOptions& options);

// What the table in parted_modes.cpp is made of.
std::unique_ptr<PartedMode> parted_ecb(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_cbc(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_cfb_short(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_cfb(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_ofb(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_ctr(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_xts(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_cmac(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_gcm(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_eax(const Key& key, const OperationOptions& options);
std::unique_ptr<PartedMode> parted_ocb3(const Key& key, const OperationOptions& options);

}  // namespace warpaes::core
