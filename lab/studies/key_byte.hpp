#pragma once

#include "lab/studies/study_run.hpp"

namespace warpaes::core::lab {

/// The attack on bank conflicts against t_tables_timed on the GPU, with one copy of its table, which leaks,
/// and with 32, which must not: a finding each. Throws Failure, saying why, where there is no GPU.
void attack_key_byte(const Study& study, const StudyOptions& options, const TakeLine& take);

}  // namespace warpaes::core::lab
