#include "container_engines.hpp"

#include <array>

#include "file_report.hpp"

namespace warpaes::core::cli {

namespace {

/// A GPU never gets what is shorter, and looking for one takes longer than to encrypt it.
constexpr uint64_t kShort = 1 << 20;

}  // namespace

ContainerEngines::Choice ContainerEngines::choose(std::optional<uint64_t> plaintext_bytes) {
  const std::scoped_lock lock(mutex_);
  if (plaintext_bytes && *plaintext_bytes < kShort && prepare_for_short()) return {*single_, false};
  const warpaes::Context& whole = made(whole_, options_.context_options());
  if (!any_) {
    ContainerHeader header;
    any_ = Container::create(whole, std::array<uint8_t, 32>(), header, {.check = ContainerCheck::none});
  }
  const warpaes_container_plan plan = any_->plan(plaintext_bytes);
  if (plan.on_device != 0) return {whole, true};
  if (!single_) {
    warpaes::ContextOptions options = options_.context_options();
    options.engine = plan.engine;  // so that no piece of a file goes to a GPU
    options.threads = 1;
    made(single_, options);
  }
  return {*single_, false};
}

/// With the engine that is the CPU's best nearly everywhere. @return false: it is not to be had here
bool ContainerEngines::prepare_for_short() {
  if (single_) return true;
  if (options_.forced() || has_no_best_) return false;
  warpaes::ContextOptions options = options_.context_options();
  options.engine = "openssl";
  options.threads = 1;
  try {
    made(single_, options);
  } catch (const Error&) {
    has_no_best_ = true;  // what there is instead, or why there is nothing, is found out with the others
  }
  return !has_no_best_;
}

const warpaes::Context& ContainerEngines::made(std::optional<warpaes::Context>& context,
                                               const warpaes::ContextOptions& options) {
  if (!context) {
    const Stopwatch stopwatch;
    context.emplace(options);
    setup_seconds_ += stopwatch.seconds();
  }
  return *context;
}

}  // namespace warpaes::core::cli
