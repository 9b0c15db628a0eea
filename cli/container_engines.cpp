#include "container_engines.hpp"

#include <array>

#include "file_report.hpp"

namespace warpaes::cli {

ContainerEngines::Choice ContainerEngines::choose(std::optional<uint64_t> plaintext_bytes) {
  const Stopwatch all;
  const std::scoped_lock lock(mutex_);
  const Stopwatch stopwatch;
  const warpaes::Context* const cpu = cpu_.context_for(plaintext_bytes);
  setup_seconds_ += stopwatch.seconds();
  if (cpu != nullptr) return {*cpu, false, all.seconds()};
  const warpaes::Context& whole = made(whole_, options_.context_options());
  if (!any_) {
    ContainerHeader header;
    any_ = Container::create(whole, std::array<uint8_t, 32>(), header, {.check = ContainerCheck::none});
  }
  const warpaes_container_plan plan = any_->plan(plaintext_bytes);
  if (plan.on_device != 0) return {whole, true, all.seconds()};
  if (!single_) {
    warpaes::ContextOptions options = options_.context_options();
    options.engine = plan.engine;  // so that no piece of a file goes to a GPU
    options.threads = 1;
    made(single_, options);
  }
  return {*single_, false, all.seconds()};
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

}  // namespace warpaes::cli
