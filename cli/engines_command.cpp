// engines: what there is and what can run here. selftest: the same with the known answers as its point.
#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "device/device.hpp"
#include "engine_options.hpp"
#include "failure_report.hpp"
#include "json_lines.hpp"
#include "report_options.hpp"

namespace warpaes::cli {
namespace {

struct Standing {
  const Engine* engine;
  Availability here;
};

const char* selftest_result(const Availability& here) {
  if (here.available) return "passed";
  return here.failed_self_test ? "failed" : "skipped";
}

struct EngineCommand {
  EngineOptions engine_options;
  ReportOptions report_options;

  std::vector<Standing> standings() const;
  ExitCode list() const;
  ExitCode selftest() const;
};

std::vector<Standing> EngineCommand::standings() const {
  const ContextOptions options = engine_options.context_options();
  std::vector<Standing> found;
  if (engine_options.forced()) {
    const Engine& engine = engine_named(options.engine, options.timing);
    found.push_back({&engine, usable(engine, options.device)});
    return found;
  }
  for (const Engine* engine : engine_table()) {
    if (engine->timing >= options.timing) found.push_back({engine, usable(*engine, options.device)});
  }
  return found;
}

ExitCode EngineCommand::list() const {
  const std::vector<Standing> found = standings();
  if (!report_options.json) {
    fmt::print("{:<30} {:<14} {:<7} {:<10} {}\n", "engine", "timing", "memory", "available", "description");
  }
  for (const Standing& standing : found) {
    const Engine& engine = *standing.engine;
    const bool available = standing.here.available;
    const char* const memory = engine.memory == Memory::device ? "device" : "host";
    if (report_options.json) {
      print_json_line({{"type", "engine"},
                       {"name", engine.name},
                       {"kernel", engine.kernel},
                       {"timing", timing_name(engine.timing)},
                       {"memory", memory},
                       {"available", available},
                       {"reason", standing.here.reason},
                       {"description", engine.description}});
    } else {
      fmt::print("{:<30} {:<14} {:<7} {:<10} {}\n", full_name(engine), timing_name(engine.timing), memory,
                 available ? "yes" : "no",
                 available ? engine.description : "because " + standing.here.reason);
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
  for (const Standing& standing : standings()) {
    const std::string name = full_name(*standing.engine);
    const std::string result = selftest_result(standing.here);
    (result == "passed" ? passed : result == "failed" ? failed : skipped)++;
    if (standing.here.failed_self_test || (trouble.empty() && result == "skipped"))
      trouble = name + ": " + standing.here.reason;
    if (report_options.json) {
      print_json_line(
          {{"type", "selftest"}, {"engine", name}, {"result", result}, {"reason", standing.here.reason}});
    } else {
      fmt::print("{:<30} {}{}{}\n", name, result, standing.here.reason.empty() ? "" : ": ",
                 standing.here.reason);
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
