// Drives a fuzz target where there is no libFuzzer: every file of a corpus, then mutations of them for some
// seconds. It prints its seed; the input that breaks a promise is left in a file.
//
//   PROGRAM CORPUS SECONDS [SEED]
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz_target.hpp"

namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kLongest = 1 << 16;

Bytes current;  // what the target is working on
char left_in[64];

/// Only calls that a signal handler may make.
void leave_input(int signal) {
  const int file = open(left_in, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const bool written =
      file >= 0 && write(file, current.data(), current.size()) == static_cast<ssize_t>(current.size());
  constexpr char kTold[] = "the input is in the file fuzz-broken-SEED\n";
  if (written && write(STDERR_FILENO, kTold, sizeof kTold - 1) < 0) _exit(98);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void try_input(Bytes input) {
  current = std::move(input);
  LLVMFuzzerTestOneInput(current.data(), current.size());
}

std::vector<Bytes> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<Bytes> inputs;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return inputs;
}

class Mutator {
 public:
  Mutator(const std::vector<Bytes>& corpus, uint64_t seed) : corpus_(corpus), random_(seed) {}

  Bytes next() {
    Bytes input = any();
    for (size_t i = below(4) + 1; i > 0; i--) mutate(input);
    if (input.size() > kLongest) input.resize(kLongest);
    return input;
  }

 private:
  size_t below(size_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const Bytes& any() { return corpus_[below(corpus_.size())]; }

  void mutate(Bytes& input) {
    const auto at = input.begin() + static_cast<ptrdiff_t>(below(input.size() + 1));
    const auto left = static_cast<size_t>(input.end() - at);
    const auto some = static_cast<ptrdiff_t>(below(std::min<size_t>(left, 64) + 1));
    const Bytes& other = any();
    switch (below(7)) {
      case 0:  // a bit
        if (left != 0) *at = static_cast<uint8_t>(*at ^ 1 << below(8));
        return;
      case 1:  // a byte
        if (left != 0) *at = static_cast<uint8_t>(random_());
        return;
      case 2:  // a byte where limits are
        if (left != 0) *at = std::initializer_list<uint8_t>{0, 1, 15, 16, 127, 128, 255}.begin()[below(7)];
        return;
      case 3:
        input.erase(at, at + some);
        return;
      case 4: {
        const Bytes copy(at, at + some);
        input.insert(at, copy.begin(), copy.end());
        return;
      }
      case 5:
        input.insert(at, static_cast<size_t>(below(32)), static_cast<uint8_t>(random_()));
        return;
      default: {  // the end of another
        const Bytes end(other.begin() + static_cast<ptrdiff_t>(below(other.size() + 1)), other.end());
        input.erase(at, input.end());
        input.insert(input.end(), end.begin(), end.end());
      }
    }
  }

  const std::vector<Bytes>& corpus_;
  std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s CORPUS SECONDS [SEED]\n", argv[0]);
    return 2;
  }
  const uint64_t seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : std::random_device{}();
  std::snprintf(left_in, sizeof left_in, "fuzz-broken-%llu", static_cast<unsigned long long>(seed));
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  std::signal(SIGABRT, leave_input);
  std::signal(SIGSEGV, leave_input);

  const std::vector<Bytes> corpus = read_corpus(argv[1]);
  if (corpus.empty()) {
    std::fprintf(stderr, "%s is empty\n", argv[1]);
    return 2;
  }
  for (const Bytes& input : corpus) try_input(input);
  Mutator mutator(corpus, seed);
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(std::strtod(argv[2], nullptr));
  uint64_t inputs = corpus.size();
  for (; Clock::now() < end; inputs++) try_input(mutator.next());
  std::printf("%llu inputs, no promise broken\n", static_cast<unsigned long long>(inputs));
  return 0;
}
