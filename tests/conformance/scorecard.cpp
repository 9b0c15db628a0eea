#include "scorecard.hpp"

#include <fmt/core.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warpaes::core::conformance {
namespace {

constexpr uint64_t kFailuresNamed = 20;  // of each cell; the rest are counted

std::string row_name(const std::string& mode, int key_bits) {
  return key_bits == 0 ? mode : fmt::format("{}-{}", mode, key_bits);
}

}  // namespace

Scorecard::Cell& Scorecard::cell(size_t engine, const std::string& mode, int key_bits) {
  return cells_[{mode, key_bits}][engine];
}

void Scorecard::pass(size_t engine, const std::string& mode, int key_bits, uint64_t cases) {
  cell(engine, mode, key_bits).passed += cases;
}

void Scorecard::skip(size_t engine, const std::string& mode, int key_bits, const std::string& reason) {
  Cell& where = cell(engine, mode, key_bits);
  where.skipped++;
  where.skip_reasons[reason]++;
}

void Scorecard::fail(size_t engine, const std::string& mode, int key_bits, const std::string& reason) {
  Cell& where = cell(engine, mode, key_bits);
  if (where.failed == 0) where.first_failure = reason;
  if (++where.failed <= kFailuresNamed && log_ != nullptr) {
    fmt::print(log_, "{} {}: {}\n", engines_[engine], row_name(mode, key_bits), reason);
  }
}

uint64_t Scorecard::sum(uint64_t Cell::* count) const {
  uint64_t total = 0;
  for (const auto& [row, engines] : cells_) {
    for (const auto& [engine, where] : engines) total += where.*count;
  }
  return total;
}

uint64_t Scorecard::passed() const { return sum(&Cell::passed); }
uint64_t Scorecard::skipped() const { return sum(&Cell::skipped); }
uint64_t Scorecard::failed() const { return sum(&Cell::failed); }

std::string Scorecard::first_failure(size_t engine, const std::string& mode, int key_bits) const {
  const auto row = cells_.find({mode, key_bits});
  if (row == cells_.end()) return "";
  const auto found = row->second.find(engine);
  return found == row->second.end() ? "" : found->second.first_failure;
}

std::string Scorecard::Cell::reason() const {
  std::string text = first_failure;
  for (const auto& [reason, count] : skip_reasons) {
    text += fmt::format("{}{} skipped: {}", text.empty() ? "" : "; ", count, reason);
  }
  return text;
}

void Scorecard::print(std::FILE* to) const {
  fmt::print(to, "{:<20}", "");
  for (const std::string& engine : engines_) fmt::print(to, " {:>26}", engine);
  fmt::print(to, "\n");
  for (const auto& [row, engines] : cells_) {
    fmt::print(to, "{:<20}", row_name(row.first, row.second));
    for (size_t engine = 0; engine < engines_.size(); engine++) {
      const auto found = engines.find(engine);
      const Cell where = found == engines.end() ? Cell{} : found->second;
      fmt::print(to, " {:>26}", fmt::format("{} / {} / {}", where.passed, where.skipped, where.failed));
    }
    fmt::print(to, "\n");
  }
  fmt::print(to, "(passed / skipped / failed)\n");

  std::map<std::pair<size_t, std::string>, uint64_t> skips;
  for (const auto& [row, engines] : cells_) {
    for (const auto& [engine, where] : engines) {
      for (const auto& [reason, count] : where.skip_reasons) skips[{engine, reason}] += count;
    }
  }
  for (const auto& [skip, count] : skips) {
    fmt::print(to, "{}: {} skipped: {}\n", engines_[skip.first], count, skip.second);
  }
  fmt::print(to, "conformance: {} passed, {} skipped, {} failed\n", passed(), skipped(), failed());
}

std::string Scorecard::to_json() const {
  nlohmann::json cells = nlohmann::json::array();
  for (const auto& [row, engines] : cells_) {
    for (const auto& [engine, where] : engines) {
      cells.push_back({{"engine", engine},
                       {"mode", row.first},
                       {"key_bits", row.second},
                       {"passed", where.passed},
                       {"skipped", where.skipped},
                       {"failed", where.failed},
                       {"skip_reasons", where.skip_reasons},
                       {"first_failure", where.first_failure}});
    }
  }
  return nlohmann::json{{"engines", engines_}, {"cells", cells}}.dump();
}

Scorecard Scorecard::from_json(const std::string& text) {
  const nlohmann::json card = nlohmann::json::parse(text);
  Scorecard scores(card.at("engines").get<std::vector<std::string>>());
  for (const auto& entry : card.at("cells")) {
    scores.cell(entry.at("engine"), entry.at("mode"), entry.at("key_bits")) = {
        entry.at("passed"), entry.at("skipped"), entry.at("failed"), entry.at("skip_reasons"),
        entry.at("first_failure")};
  }
  return scores;
}

void Scorecard::add(const Scorecard& other) {
  if (engines_.empty()) engines_ = other.engines_;
  if (engines_ != other.engines_) throw std::logic_error("scores of other engines");
  for (const auto& [row, engines] : other.cells_) {
    for (const auto& [engine, from] : engines) {
      Cell& to = cell(engine, row.first, row.second);
      to.passed += from.passed;
      to.skipped += from.skipped;
      to.failed += from.failed;
      for (const auto& [reason, count] : from.skip_reasons) to.skip_reasons[reason] += count;
      if (to.first_failure.empty()) to.first_failure = from.first_failure;
    }
  }
}

void Scorecard::write_json(const std::string& file, const std::string& type) const {
  std::ofstream lines(file);
  for (const auto& [row, engines] : cells_) {
    for (const auto& [engine, where] : engines) {
      const std::string& name = engines_[engine];
      const size_t slash = name.find('/');
      const nlohmann::ordered_json line = {
          {"type", type},
          {"engine", name.substr(0, slash)},
          {"kernel", name.substr(slash + 1)},
          {"mode", row.first},
          {"key_bits", row.second},
          {"passed", where.passed},
          {"skipped", where.skipped},
          {"failed", where.failed},
          {"reason", where.reason()},
      };
      lines << line.dump() << '\n';
    }
  }
  lines.close();
  if (!lines) throw std::runtime_error("cannot write " + file);
}

}  // namespace warpaes::core::conformance
