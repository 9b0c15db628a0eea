// engines: what there is and what can run here. selftest: the same with the known answers as its point.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "command.hpp"
#include "engine_options.hpp"
#include "failure_report.hpp"
#include "json_lines.hpp"
#include "report_options.hpp"

namespace warpaes::cli {
namespace {

std::string full_name(const EngineInfo& engine) { return std::string(engine.name) + "/" + engine.kernel; }

const char* selftest_result(const EngineInfo& engine) {
  if (engine.available) return "passed";
  return engine.failed_self_test ? "failed" : "skipped";
}

struct EngineCommand {
  EngineOptions engine_options;
  ReportOptions report_options;

  std::vector<EngineInfo> chosen() const;
  ExitCode list() const;
  ExitCode selftest() const;
};

/// Those that the options allow; of those that --engine names the best, as a context would take it.
std::vector<EngineInfo> EngineCommand::chosen() const {
  const warpaes::ContextOptions options = engine_options.context_options();
  std::vector<EngineInfo> found;
  for (const EngineInfo& engine : warpaes::engines(options.devices.empty() ? 0 : options.devices.front())) {
    const bool named =
        !engine_options.forced() || engine.name == options.engine || full_name(engine) == options.engine;
    if (named && static_cast<Timing>(engine.timing) >= options.timing) found.push_back(engine);
  }
  if (!engine_options.forced()) return found;
  if (found.empty()) (void)warpaes::Context(options);  // throws, and says why there is none
  found.resize(1);
  return found;
}

ExitCode EngineCommand::list() const {
  const std::vector<EngineInfo> found = chosen();
  if (!report_options.json) {
    fmt::print("{:<30} {:<14} {:<7} {:<10} {}\n", "engine", "timing", "memory", "available", "description");
  }
  for (const EngineInfo& engine : found) {
    const bool available = engine.available != 0;
    const char* const memory = engine.on_device ? "device" : "host";
    if (report_options.json) {
      print_json_line({{"type", "engine"},
                       {"name", engine.name},
                       {"kernel", engine.kernel},
                       {"timing", timing_name(engine.timing)},
                       {"memory", memory},
                       {"available", available},
                       {"reason", engine.reason},
                       {"description", engine.description}});
    } else {
      fmt::print("{:<30} {:<14} {:<7} {:<10} {}\n", full_name(engine), timing_name(engine.timing), memory,
                 available ? "yes" : "no",
                 available ? engine.description : std::string("because ") + engine.reason);
    }
  }
  if (report_options.json) {
    print_json_line({{"type", "summary"}, {"command", "engines"}, {"engines", found.size()}});
  }
  return ExitCode::done;
}

ExitCode EngineCommand::selftest() const {
  size_t passed = 0, failed = 0, skipped = 0;
  std::string trouble;
  for (const EngineInfo& engine : chosen()) {
    const std::string name = full_name(engine), reason = engine.reason;
    const std::string result = selftest_result(engine);
    (result == "passed" ? passed : result == "failed" ? failed : skipped)++;
    if (result == "failed" || (trouble.empty() && result == "skipped")) trouble = name + ": " + reason;
    if (report_options.json) {
      print_json_line({{"type", "selftest"}, {"engine", name}, {"result", result}, {"reason", reason}});
    } else {
      fmt::print("{:<30} {}{}{}\n", name, result, reason.empty() ? "" : ": ", reason);
    }
  }
  // An engine that was asked for must run; one that merely exists may be skipped, if any other passed.
  if (failed != 0 || passed == 0 || (engine_options.forced() && skipped != 0)) {
    throw Refusal(ExitCode::no_engine, trouble, "`warpaes engines` says what can run here");
  }
  if (report_options.json) {
    print_json_line({{"type", "summary"},
                     {"command", "selftest"},
                     {"passed", passed},
                     {"failed", failed},
                     {"skipped", skipped}});
  }
  return ExitCode::done;
}

using Action = ExitCode (EngineCommand::*)() const;

void add(CLI::App& app, ExitCode& exit_code, const char* name, const char* description, Action action) {
  CLI::App* const added = app.add_subcommand(name, description);
  const auto command = std::make_shared<EngineCommand>();
  command->engine_options.add_to(*added);
  command->report_options.add_json(*added);
  added->callback([command, action, &exit_code] { exit_code = (command.get()->*action)(); });
}

}  // namespace

void register_engines(CLI::App& app, ExitCode& exit_code) {
  add(app, exit_code, "engines", "List the engines, and why one cannot run here", &EngineCommand::list);
}

void register_selftest(CLI::App& app, ExitCode& exit_code) {
  add(app, exit_code, "selftest", "Check every engine that can run here with known answers",
      &EngineCommand::selftest);
}

}  // namespace warpaes::cli
