#include "kernels/kernel_table.hpp"

#include "kernels/kernel_rows.hpp"

namespace warpaes::core::kernels {

std::span<const KernelRow> kernel_table() {
  static constexpr auto kRows = kernel_rows<Launcher>();
  return kRows;
}

}  // namespace warpaes::core::kernels
