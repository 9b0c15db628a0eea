// How fast containers are read from files into device memory and written from there, beside the same without
// encryption. For ./dev gpu: device_files FOLDER BYTES TURNS prints a JSON line for each.
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "warpaes/warpaes.hpp"

namespace {

constexpr uint64_t kChunk = WARPAES_CONTAINER_CHUNK_LENGTH, kSealed = WARPAES_CONTAINER_SEALED_CHUNK_LENGTH,
                   kHeader = WARPAES_CONTAINER_HEADER_LENGTH;
constexpr uint64_t kPiece = 4 << 20;      // of those who only copy
constexpr uint64_t kChunksAWrite = 2048;  // 32 MiB: one call of the library, and then one of write
constexpr unsigned kWriters = 4;

void require(bool done, const char* what) {
  if (!done) throw std::runtime_error(std::string(what) + " failed");
}
void require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
}

class File {
 public:
  File(const std::string& path, int flags) : fd_(open(path.c_str(), flags | O_CLOEXEC, 0600)) {
    require(fd_ >= 0, "open");
  }
  ~File() { close(fd_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  void read(uint64_t at, void* into, uint64_t bytes) const {
    for (auto* to = static_cast<uint8_t*>(into); bytes != 0;) {
      const ssize_t got = pread(fd_, to, bytes, static_cast<off_t>(at));
      require(got > 0, "pread");
      to += got, at += static_cast<uint64_t>(got), bytes -= static_cast<uint64_t>(got);
    }
  }
  void write(uint64_t at, const void* from, uint64_t bytes) const {
    for (const auto* left = static_cast<const uint8_t*>(from); bytes != 0;) {
      const ssize_t put = pwrite(fd_, left, bytes, static_cast<off_t>(at));
      require(put > 0, "pwrite");
      left += put, at += static_cast<uint64_t>(put), bytes -= static_cast<uint64_t>(put);
    }
  }

 private:
  int fd_;
};

/// Memory that CUDA can copy from while others work.
class Pinned {
 public:
  explicit Pinned(uint64_t bytes) {
    require(cudaMallocHost(&data_, bytes), "cudaMallocHost");
    require(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ~Pinned() {
    cudaStreamDestroy(stream_);
    cudaFreeHost(data_);
  }
  Pinned(const Pinned&) = delete;
  Pinned& operator=(const Pinned&) = delete;
  uint8_t* data() const { return static_cast<uint8_t*>(data_); }
  void copy(void* to, const void* from, uint64_t bytes) const {
    require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), "cudaMemcpyAsync");
  }
  void wait() const { require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  void* data_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

class Contest {
 public:
  Contest(const std::string& folder, uint64_t bytes)
      : folder_(folder), bytes_(bytes), buffers_(std::max(threads_, kWriters)) {
    require(cudaMalloc(&device_, bytes_), "cudaMalloc");
    require(cudaMemset(device_, 0x5a, bytes_), "cudaMemset");
    require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
  ~Contest() {
    unlink(path().c_str());
    cudaFree(device_);
  }
  Contest(const Contest&) = delete;
  Contest& operator=(const Contest&) = delete;

  void run(unsigned turns) {
    const std::pair<const char*, std::function<void()>> contestants[] = {
        {"write", [&] { write(false); }},
        {"copy and write", [&] { write(true); }},
        {"warpaes, device memory to file", [&] { seal(); }},  // makes the file that the others read
        {"read", [&] { read(false); }},
        {"read and copy", [&] { read(true); }},
        {"warpaes, file to device memory", [&] { open(); }},
    };
    std::vector<std::vector<double>> seconds(std::size(contestants));
    for (unsigned turn = 0; turn <= turns; turn++) {
      for (size_t i = 0; i < seconds.size(); i++) {
        const double taken = timed(contestants[i].second);
        if (turn != 0) seconds[i].push_back(taken);  // the first one warms up
      }
    }
    for (size_t i = 0; i < seconds.size(); i++) {
      print({{"type", "files"}, {"place", "tmpfs"}, {"case", "device memory"}, {"who", contestants[i].first}},
            seconds[i]);
    }
  }

 private:
  std::string path() const { return folder_ + "/device_files.wa"; }

  static double timed(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void print(nlohmann::ordered_json line, std::vector<double>& seconds) const {
    std::ranges::sort(seconds);
    line.update({{"bytes", bytes_},
                 {"seconds", seconds[seconds.size() / 2]},
                 {"seconds_min", seconds.front()},
                 {"seconds_max", seconds.back()},
                 {"samples", seconds.size()}});
    std::cout << line.dump() << "\n";
  }

  /// Calls part(thread, at, bytes) for all pieces, on several threads.
  void share(unsigned threads, uint64_t piece,
             const std::function<void(unsigned, uint64_t, uint64_t)>& part) const {
    std::atomic<uint64_t> next = 0;
    const auto take = [&](unsigned thread) {
      for (uint64_t at = piece * next++; at < bytes_; at = piece * next++) {
        part(thread, at, std::min(piece, bytes_ - at));
      }
    };
    std::vector<std::jthread> others;
    for (unsigned i = 1; i < threads; i++) others.emplace_back(take, i);
    take(0);
  }

  uint8_t* device(uint64_t at) const { return static_cast<uint8_t*>(device_) + at; }

  /// A thread reads one half of its buffer while the other half is copied.
  void read(bool copies) {
    const File file(path(), O_RDONLY);
    std::vector<unsigned> half(threads_);
    share(threads_, kPiece, [&](unsigned thread, uint64_t at, uint64_t bytes) {
      const Pinned& buffer = *buffer_of(thread);
      uint8_t* const to = buffer.data() + (half[thread]++ % 2) * kPiece;
      file.read(kHeader + at, to, bytes);
      if (!copies) return;
      buffer.wait();  // for the other half
      buffer.copy(device(at), to, bytes);
    });
    for (unsigned i = 0; copies && i < threads_; i++) buffer_of(i)->wait();
  }

  void write(bool copies) {
    unlink(path().c_str());
    const File file(path(), O_CREAT | O_EXCL | O_WRONLY);
    share(kWriters, kChunksAWrite * kChunk, [&](unsigned thread, uint64_t at, uint64_t bytes) {
      const Pinned& buffer = *buffer_of(thread);
      if (copies) {
        buffer.copy(buffer.data(), device(at), bytes);
        buffer.wait();
      }
      file.write(at, buffer.data(), bytes);
    });
  }

  void seal() {
    unlink(path().c_str());
    const File file(path(), O_CREAT | O_EXCL | O_WRONLY);
    warpaes::ContainerHeader header;
    const auto container = warpaes::Container::create(context_, key_, header);
    file.write(0, header.data(), header.size());
    share(kWriters, kChunksAWrite * kChunk, [&](unsigned thread, uint64_t at, uint64_t bytes) {
      const uint64_t sealed = container.encrypt({.first = at / kChunk,
                                                 .input = {device(at), bytes},
                                                 .output = {buffer_of(thread)->data(), kBufferBytes},
                                                 .ends = at + bytes == bytes_,
                                                 .on_device = true});
      file.write(kHeader + at / kChunk * kSealed, buffer_of(thread)->data(), sealed);
    });
  }

  void open() {
    const File file(path(), O_RDONLY);
    warpaes::ContainerHeader header;
    file.read(0, header.data(), header.size());
    const auto container = warpaes::Container::open(context_, key_, header);
    require(container.has_value(), "opening the container");
    const auto read_at = [&](uint64_t at, warpaes::Output into) { file.read(at, into.data(), into.size()); };
    const uint64_t got = container->read(warpaes::container_size(bytes_), read_at, 0, {device_, bytes_},
                                         {.parallel = true, .on_device = true});
    require(got == bytes_, "reading the container");
  }

  const std::unique_ptr<Pinned>& buffer_of(unsigned thread) {
    if (!buffers_[thread]) buffers_[thread] = std::make_unique<Pinned>(kBufferBytes);
    return buffers_[thread];
  }

  static constexpr uint64_t kBufferBytes = (kChunksAWrite + 1) * kSealed;
  const std::string folder_;
  const uint64_t bytes_;
  const unsigned threads_ = std::max(std::thread::hardware_concurrency(), 1U);
  const std::vector<uint8_t> key_ = std::vector<uint8_t>(32, 7);
  const warpaes::Context context_ = warpaes::Context({.engine = "cuda"});
  std::vector<std::unique_ptr<Pinned>> buffers_;  // of each thread, made when it is wanted
  void* device_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "device_files FOLDER BYTES TURNS\n";
    return 64;
  }
  try {
    Contest(argv[1], std::stoull(argv[2])).run(static_cast<unsigned>(std::stoul(argv[3])));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "device_files: " << error.what() << "\n";
    return 1;
  }
}
