// Offers every case to every engine and keeps the score.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include "batch_cases.hpp"
#include "composed_cases.hpp"
#include "engines_under_test.hpp"
#include "scorecard.hpp"
#include "share.hpp"
#include "trial.hpp"

namespace warpaes::core::conformance {

/// What is wrong with a right answer: a GPU engine gave it without a kernel being launched, so that
/// something else computed it. Empty if all is well.
std::string launch_missing(const Engine& engine, const Case& test, uint64_t launches);
std::string launch_missing(const Engine& engine, const BatchCase& test, uint64_t launches);

class ConformanceRun {
 public:
  /// @param require an engine that cannot run here is a failure, not a skip
  /// @param share of the cases that the functions with many of them run
  ConformanceRun(const std::vector<EngineUnderTest>& engines, int device, bool require,
                 std::FILE* log = stderr, Share share = {});

  /// Each engine's self-test, by the first process that shares the cases.
  void run_self_tests();

  /// All vectors; throws std::runtime_error for a file that is missing or not as published.
  void run_vectors(const std::filesystem::path& folder);

  /// Wycheproof's, in the same way.
  void run_wycheproof(const std::filesystem::path& folder);
  /// Says in the scores that they have not been run.
  void skip_wycheproof(const std::string& reason);

  /// Up to the largest message of the engines that can run here.
  void run_generated();

  /// As random_cases.hpp has them.
  void run_random(uint64_t seed, uint64_t cases);

  void offer_to_all(const Case& test);

  void offer_to_all(const ComposedCase& test);

  void offer_to_all(const BatchCase& test);

  const Scorecard& scores() const { return scores_; }

 private:
  /// An engine with its buffers, or why it cannot run, and how many cases of a row it has been offered.
  struct Contestant {
    EngineUnderTest under_test;
    std::string unavailable;
    std::unique_ptr<Trial> trial;
    std::map<std::pair<Mode, int>, uint64_t> offered;
    std::map<std::pair<std::string, int>, uint64_t> composed_offered;
    uint64_t batches_offered = 0;
  };

  void admit(size_t index, bool require);
  uint64_t largest() const;
  static std::string reason_to_skip(Contestant& contestant, const Case& test);
  static std::string reason_to_skip(Contestant& contestant, const ComposedCase& test);
  static std::string reason_to_skip(Contestant& contestant, const BatchCase& test);
  /// What is wrong, a launch that is missing too.
  std::string wrong_about(Contestant& contestant, const Case& test);
  std::string wrong_about(Contestant& contestant, const ComposedCase& test);
  std::string wrong_about(Contestant& contestant, const BatchCase& test);
  template <class AnyCase>
  void offer(const std::string& mode, int key_bits, uint64_t cases, const AnyCase& test);

  /// Those that are in this run's share.
  template <class AnyCase>
  void offer_share(const AnyCase& test) {
    if (share_.takes_next()) offer_to_all(test);
  }

  const int device_;
  Share share_;
  Scorecard scores_;
  std::deque<Contestant> contestants_;
};

}  // namespace warpaes::core::conformance
