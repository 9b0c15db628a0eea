// What happened to every case: counts for each engine, mode and key size.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace warpaes::core::conformance {

class Scorecard {
 public:
  /// @param engines "name/kernel", in the order of the matrix's columns
  /// @param log where failures are told as they come, the first few of each cell; null: nowhere
  explicit Scorecard(std::vector<std::string> engines, std::FILE* log = stderr)
      : engines_(std::move(engines)), log_(log) {}

  void pass(size_t engine, const std::string& mode, int key_bits, uint64_t cases = 1);
  void skip(size_t engine, const std::string& mode, int key_bits, const std::string& reason);
  void fail(size_t engine, const std::string& mode, int key_bits, const std::string& reason);

  uint64_t passed() const;
  uint64_t skipped() const;
  uint64_t failed() const;

  /// What went wrong in the cell first; empty if nothing did.
  std::string first_failure(size_t engine, const std::string& mode, int key_bits) const;

  /// Rows mode and key bits, columns engines, then why cases were skipped, and the last line
  /// "conformance: N passed, N skipped, N failed".
  void print(std::FILE* to) const;

  /// The whole card, and back: for what other processes have found.
  std::string to_json() const;
  static Scorecard from_json(const std::string& text);
  /// Adds what another card of the same engines says; one that has no engines yet takes over the other's.
  void add(const Scorecard& other);

  /// One object of that type a line for each cell. Throws std::runtime_error if that cannot be written.
  void write_json(const std::string& file, const std::string& type) const;

 private:
  struct Cell {
    uint64_t passed = 0, skipped = 0, failed = 0;
    std::map<std::string, uint64_t> skip_reasons;
    std::string first_failure;
    std::string reason() const;
  };
  using Row = std::pair<std::string, int>;

  Cell& cell(size_t engine, const std::string& mode, int key_bits);
  uint64_t sum(uint64_t Cell::* count) const;

  std::vector<std::string> engines_;
  std::FILE* log_;
  std::map<Row, std::map<size_t, Cell>> cells_;
};

}  // namespace warpaes::core::conformance
