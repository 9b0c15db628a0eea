// What warpaes_container points to.
#pragma once

#include <optional>

#include "c_api/handles.hpp"
#include "container/output_check.hpp"

struct warpaes_container {
  warpaes_container(const warpaes::core::Context& context, const warpaes::core::cobblestone::InputKey& key,
                    const warpaes::core::cobblestone::Salt& salt)
      : file_key(context, key, salt) {}

  warpaes::core::cobblestone::FileKey file_key;
  // Containers that were created with a check have one.
  std::optional<warpaes::core::cobblestone::OutputChecker> checker;
  bool checks_all = false;
};
