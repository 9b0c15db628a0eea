#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "failure.hpp"
#include "lab/studies/lesson_place.hpp"
#include "primitives/hex.hpp"

extern char** environ;  // POSIX has the program declare it

namespace warpaes::core::lab {
namespace {

namespace fs = std::filesystem;

/// A folder that is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "warpaes-lab-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw Failure(WARPAES_ERROR_INTERNAL, "no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Throws unless the program runs and exits with 0. What it writes is discarded.
void run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], &quiet, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 0;
  while (error == 0 && waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw Failure(WARPAES_ERROR_INTERNAL, "waiting for the program openssl failed");
  }
  if (error != 0 || status != 0) {
    throw Failure(WARPAES_ERROR_ENGINE_UNAVAILABLE, "the program openssl is missing, or does not do it");
  }
}

class ProgramPlace final : public bench::Place {
 public:
  explicit ProgramPlace(const Variant& variant) : variant_(variant) {}

  const char* name() const override { return "files"; }

  void load(const bench::Dataset& dataset, Direction direction) override {
    const uint64_t bytes = dataset.workload().total_bytes();
    std::ofstream file(input(), std::ios::binary);
    file.write(reinterpret_cast<const char*>(dataset.input(direction)), static_cast<std::streamsize>(bytes));
    if (!file.flush()) throw Failure(WARPAES_ERROR_INTERNAL, "a temporary file cannot be written");
    command_ = {"openssl",
                "enc",
                fmt::format("-aes-{}-ecb", variant_.key_bits),
                direction == WARPAES_DIRECTION_ENCRYPT ? "-e" : "-d",
                "-nopad",
                "-K",
                hex_of_bytes(dataset.key()),
                "-in",
                input(),
                "-out",
                output()};
    output_.resize(bytes);
  }
  void poison() override { fs::remove(output()); }

  double run(unsigned repeats) override {
    const auto begun = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < repeats; i++) run_program(command_);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count() / repeats;
  }

  bench::Outcome fetch() override {
    std::ifstream file(output(), std::ios::binary);
    file.read(reinterpret_cast<char*>(output_.data()), static_cast<std::streamsize>(output_.size()));
    return {{output_.data(), static_cast<size_t>(file.gcount())}, {}, {}};
  }

 private:
  std::string input() const { return folder_.path() / "plain"; }
  std::string output() const { return folder_.path() / "cipher"; }

  TemporaryFolder folder_;
  const Variant variant_;
  std::vector<std::string> command_;
  std::vector<uint8_t> output_;
};

}  // namespace

std::unique_ptr<bench::Place> openssl_program_place(const Variant& variant) {
  return std::make_unique<ProgramPlace>(variant);
}

}  // namespace warpaes::core::lab
