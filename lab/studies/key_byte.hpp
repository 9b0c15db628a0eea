#pragma once

#include "lab/studies/study_run.hpp"

namespace warpaes::core::lab {

/// Attacks t_tables_timed on the GPU by its bank conflicts: with one copy of its table, which leaks, and with
/// 32 copies, which must not leak. Each gives a finding. Throws Failure, saying why, if there is no GPU.
void attack_key_byte(const Study& study, const StudyOptions& options, const TakeLine& take);

}  // namespace warpaes::core::lab
