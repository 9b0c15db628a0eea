#pragma once

#include "pipeline/transfer_pool.hpp"  // which has it now
