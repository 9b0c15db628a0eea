#include "place.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "captured_graph.hpp"
#include "gpu_memory.hpp"
#include "gpu_timer.hpp"

namespace warpaes::bench {
namespace {

constexpr int32_t kPoisonedStatus = -1;

/// The addresses of a call's inputs and outputs, which are one behind the other.
struct Addresses {
  std::vector<const void*> inputs;
  std::vector<void*> outputs;

  void take(const Call& call) {
    inputs.clear(), outputs.clear();
    for (uint64_t m = 0; m < call.messages; m++) {
      inputs.push_back(call.input + m * call.bytes);
      outputs.push_back(call.output + m * call.output_bytes);
    }
  }
};

/// Pinned or pageable host memory. The context brings its contents to the engine and back.
template <typename Buffer>
class HostPlace final : public Place {
 public:
  HostPlace(const char* name, const MeasuredEngine& engine) : name_(name), engine_(engine) {}

  const char* name() const override { return name_; }
  const EngineInfo* engine() const override { return &engine_.info(); }

  void load(const Dataset& dataset, warpaes_direction direction) override {
    const Workload& workload = dataset.workload();
    mode_ = workload.mode;
    const size_t read = workload.messages * workload.input_bytes(direction);
    const uint32_t begin = workload.kind.misaligned_by;
    grow_buffer(input_, begin + read);
    grow_buffer(output_, begin + workload.messages * workload.output_bytes(direction));
    copy({input_.data() + begin, read}, dataset.input(direction));
    tags_.assign(dataset.tags(), dataset.tags() + dataset.tags_bytes());
    statuses_.assign(workload.has_statuses() ? workload.messages : 0, kPoisonedStatus);
    cipher_.emplace(dataset.cipher(engine_.context()));
    call_ = dataset.call(direction);
    call_.nonces = dataset.nonces();
    call_.input = input_.data() + begin;
    call_.output = output_.data() + begin;
    call_.tags = tags_.data();
    call_.statuses = statuses_.empty() ? nullptr : statuses_.data();
    call_.lengths = dataset.lengths().empty() ? nullptr : dataset.lengths().data();
    call_.keys = dataset.keys().empty() ? nullptr : dataset.keys().data();
    output_lengths_.resize(workload.tells_lengths(direction) ? workload.messages : 0);
    if (!output_lengths_.empty()) call_.output_lengths = output_lengths_.data();
    if (!workload.kind.listed) return;
    addresses_.take(call_);
    call_.inputs = addresses_.inputs.data();
    call_.outputs = addresses_.outputs.data();
  }

  void poison() override {
    fill({call_.output, call_.messages * call_.output_bytes}, kPoison);
    if (call_.direction == WARPAES_DIRECTION_ENCRYPT) fill(tags_, kPoison);
    std::fill(statuses_.begin(), statuses_.end(), kPoisonedStatus);
  }

  double run(unsigned repeats) override {
    const auto begun = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < repeats; i++) mode_->run(*cipher_, call_);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
    return seconds.count() / repeats;
  }

  Outcome fetch() override {
    const size_t written = mode_->writes_output ? call_.messages * call_.output_bytes : 0;
    return {{call_.output, written}, tags_, statuses_};
  }

 private:
  void grow_buffer(Buffer& buffer, size_t bytes) {
    if constexpr (std::is_same_v<Buffer, warpaes::HostBuffer>) {
      grow(buffer, bytes, engine_.context());
    } else {
      grow(buffer, bytes);
    }
  }

  const char* name_;
  const MeasuredEngine& engine_;
  const BenchMode* mode_ = nullptr;
  std::optional<warpaes::Cipher> cipher_;
  Buffer input_, output_;
  std::vector<uint8_t> tags_;
  std::vector<int32_t> statuses_;
  std::vector<uint64_t> output_lengths_;
  Addresses addresses_;
  Call call_{};
};

/// Device memory, for the asynchronous calls; they are timed on the GPU's clock.
class DevicePlace final : public Place {
 public:
  explicit DevicePlace(const MeasuredEngine& engine, bool in_graph = false)
      : in_graph_(in_graph), engine_(engine), stream_(engine.device()), timer_(engine.device()) {}

  const char* name() const override { return in_graph_ ? "graph" : "device"; }
  const EngineInfo* engine() const override { return &engine_.info(); }

  void load(const Dataset& dataset, warpaes_direction direction) override {
    const Workload& workload = dataset.workload();
    mode_ = workload.mode;
    const size_t read = workload.messages * workload.input_bytes(direction);
    const int device = engine_.device();
    const uint32_t begin = workload.kind.misaligned_by;
    grow(input_, begin + read, device);
    grow(output_, begin + workload.messages * workload.output_bytes(direction), device);
    tags_host_.assign(dataset.tags(), dataset.tags() + dataset.tags_bytes());
    statuses_host_.resize(workload.has_statuses() ? workload.messages : 0);
    if (mode_->nonce_bytes != 0) {
      grow(nonces_, dataset.nonces_bytes(), device);
      copy_to_device(nonces_.data(), dataset.nonces(), dataset.nonces_bytes(), stream_.get());
    }
    if (mode_->authenticates) {
      grow(tags_, tags_host_.size(), device);
      copy_to_device(tags_.data(), tags_host_.data(), tags_host_.size(), stream_.get());
    }
    grow(statuses_, statuses_host_.size() * sizeof(int32_t), device);
    grow(lengths_, dataset.lengths().size() * sizeof(uint64_t), device);
    grow(keys_, dataset.keys().size(), device);
    copy_to_device(lengths_.data(), dataset.lengths().data(), dataset.lengths().size() * sizeof(uint64_t),
                   stream_.get());
    copy_to_device(keys_.data(), dataset.keys().data(), dataset.keys().size(), stream_.get());
    copy_to_device(input_.data() + begin, dataset.input(direction), read, stream_.get());
    synchronize(stream_.get());
    cipher_.emplace(dataset.cipher(engine_.context()));
    call_ = dataset.call(direction);
    grow(workspace_, cipher_->workspace_size(static_cast<Direction>(direction), call_.messages, call_.bytes),
         device);
    call_.nonces = nonces_.data();
    call_.input = input_.data() + begin;
    call_.output = output_.data() + begin;
    call_.tags = tags_.data();
    if (workload.has_statuses()) call_.statuses = reinterpret_cast<int32_t*>(statuses_.data());
    if (!dataset.lengths().empty()) call_.lengths = reinterpret_cast<const uint64_t*>(lengths_.data());
    if (!dataset.keys().empty()) call_.keys = keys_.data();
    if (workload.kind.framed) load_frames(dataset);
    if (workload.kind.listed) load_addresses();
    if (workload.tells_lengths(direction)) {
      grow(output_lengths_, workload.messages * sizeof(uint64_t), device);
      call_.output_lengths = reinterpret_cast<uint64_t*>(output_lengths_.data());
    }
    graph_.reset();
  }

  void poison() override {
    const Stream stream = stream_.get();
    if (call_.frame_bytes != 0 && call_.encrypts()) {
      copy_to_device(frames_.data() + begin_of_frames_, frames_host_.data(), bytes_of_frames(), stream);
    } else {
      fill_device(call_.output, kPoison, call_.messages * call_.output_bytes, stream);
      if (mode_->authenticates && call_.encrypts()) {
        fill_device(tags_.data(), kPoison, tags_host_.size(), stream);
      }
    }
    fill_device(statuses_.data(), 0xff, statuses_host_.size() * sizeof(int32_t), stream);
  }

  double run(unsigned repeats) override {
    capture();
    return timer_.seconds(stream_.get(), [&] {
      for (unsigned i = 0; i < repeats; i++) submit();
    }) / repeats;
  }

  double latency() override {
    capture();
    const auto begun = std::chrono::steady_clock::now();
    submit();
    synchronize(stream_.get());
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begun;
    return seconds.count();
  }

  Outcome fetch() override {
    const size_t total = mode_->writes_output ? call_.messages * call_.output_bytes : 0;
    grow(output_host_, total);
    if (call_.frame_bytes != 0 && call_.encrypts()) {
      fetch_frames();
    } else {
      copy_to_host(output_host_.data(), call_.output, total, stream_.get());
      if (call_.frame_bytes == 0) {
        copy_to_host(tags_host_.data(), tags_.data(), tags_host_.size(), stream_.get());
      }
    }
    copy_to_host(statuses_host_.data(), statuses_.data(), statuses_host_.size() * sizeof(int32_t),
                 stream_.get());
    synchronize(stream_.get());
    return {output_host_.span().first(total), tags_host_, statuses_host_};
  }

 private:
  void capture() {
    if (in_graph_ && !graph_) graph_.emplace(stream_.get(), [&] { enqueue(); });
  }
  void submit() {
    if (graph_) {
      graph_->replay(stream_.get());
    } else {
      enqueue();
    }
  }
  void load_addresses() {
    Addresses addresses;
    addresses.take(call_);
    const size_t bytes = call_.messages * sizeof(void*);
    grow(inputs_, bytes, engine_.device());
    grow(outputs_, bytes, engine_.device());
    copy_to_device(inputs_.data(), reinterpret_cast<const uint8_t*>(addresses.inputs.data()), bytes,
                   stream_.get());
    copy_to_device(outputs_.data(), reinterpret_cast<const uint8_t*>(addresses.outputs.data()), bytes,
                   stream_.get());
    synchronize(stream_.get());
    call_.inputs = reinterpret_cast<const void* const*>(inputs_.data());
    call_.outputs = reinterpret_cast<void* const*>(outputs_.data());
  }

  size_t bytes_of_frames() const { return call_.messages * call_.frame_bytes; }

  /// Puts nonces, ciphertexts and tags into frames; if the call makes the latter two, poison is there
  /// instead.
  void load_frames(const Dataset& dataset) {
    const uint64_t frame = call_.frame_bytes = dataset.workload().frame_bytes();
    const uint64_t bytes = dataset.workload().ciphertext_bytes();
    begin_of_frames_ = dataset.workload().kind.misaligned_by;
    grow(frames_host_, bytes_of_frames());
    grow(frames_, begin_of_frames_ + bytes_of_frames(), engine_.device());
    const uint8_t* const ciphertexts = dataset.input(WARPAES_DIRECTION_DECRYPT);
    for (uint64_t m = 0; m < call_.messages; m++) {
      uint8_t* const to = frames_host_.data() + m * frame;
      std::copy_n(dataset.nonces() + m * kNonceBytes, kNonceBytes, to);
      if (call_.encrypts()) {
        std::fill_n(to + kNonceBytes, frame - kNonceBytes, kPoison);
      } else {
        std::copy_n(ciphertexts + m * bytes, bytes, to + kNonceBytes);
        std::copy_n(dataset.tags() + m * kTagBytes, kTagBytes, to + kNonceBytes + bytes);
      }
    }
    uint8_t* const frames = frames_.data() + begin_of_frames_;
    copy_to_device(frames, frames_host_.data(), bytes_of_frames(), stream_.get());
    synchronize(stream_.get());
    call_.nonces = frames;
    call_.tags = frames + kNonceBytes + bytes;
    if (call_.encrypts()) {
      call_.output = frames + kNonceBytes;
    } else {
      call_.input = frames + kNonceBytes;
    }
  }

  void fetch_frames() {
    PageableBuffer frames(bytes_of_frames());
    copy_to_host(frames.data(), frames_.data() + begin_of_frames_, bytes_of_frames(), stream_.get());
    synchronize(stream_.get());
    for (uint64_t m = 0; m < call_.messages; m++) {
      const uint8_t* const from = frames.data() + m * call_.frame_bytes + kNonceBytes;
      std::copy_n(from, call_.output_bytes, output_host_.data() + m * call_.output_bytes);
      std::copy_n(from + call_.output_bytes, kTagBytes, tags_host_.data() + m * kTagBytes);
    }
  }

  void enqueue() { mode_->run(*cipher_, call_, Output(workspace_.data(), workspace_.size()), stream_.get()); }

  const bool in_graph_;
  std::optional<CapturedGraph> graph_;
  const MeasuredEngine& engine_;
  OwnedStream stream_;
  GpuTimer timer_;
  const BenchMode* mode_ = nullptr;
  std::optional<warpaes::Cipher> cipher_;
  DeviceBuffer input_, output_, nonces_, tags_, statuses_, lengths_, keys_, workspace_, frames_, inputs_,
      outputs_, output_lengths_;
  PageableBuffer output_host_, frames_host_;
  uint64_t begin_of_frames_ = 0;
  std::vector<uint8_t> tags_host_;
  std::vector<int32_t> statuses_host_;
  Call call_{};
};

struct PlaceRow {
  const char* name;
  std::unique_ptr<Place> (*make)(const MeasuredEngine& engine);
  bool needs_gpu = true;  // a CPU engine has no use for memory from which a GPU copies
  bool shared = false;    // is there a choice between GPU and CPU?
};

constexpr PlaceRow kPlaces[] = {
    {"device",
     [](const MeasuredEngine& engine) -> std::unique_ptr<Place> {
       return std::make_unique<DevicePlace>(engine);
     }},
    {"graph",
     [](const MeasuredEngine& engine) -> std::unique_ptr<Place> {
       return std::make_unique<DevicePlace>(engine, true);
     }},
    {"pinned",
     [](const MeasuredEngine& engine) -> std::unique_ptr<Place> {
       return std::make_unique<HostPlace<warpaes::HostBuffer>>("pinned", engine);
     },
     true, true},
    {"pageable",
     [](const MeasuredEngine& engine) -> std::unique_ptr<Place> {
       return std::make_unique<HostPlace<PageableBuffer>>("pageable", engine);
     },
     false, true},
};

const PlaceRow& place_named(std::string_view name) {
  for (const PlaceRow& row : kPlaces) {
    if (name == row.name) return row;
  }
  throw Error(WARPAES_ERROR_OPTION,
              "no place '" + std::string(name) + "' for data; there are device, graph, pinned, pageable");
}

}  // namespace

void require_place(std::string_view name) { place_named(name); }

std::unique_ptr<Place> make_place(std::string_view name, const MeasuredEngine& engine) {
  const PlaceRow& row = place_named(name);
  if (engine.is_shared() ? !row.shared : row.needs_gpu && !engine.on_gpu()) {
    throw Error(WARPAES_ERROR_UNSUPPORTED, "device memory needs a GPU engine: " +
                                               std::string(engine.info().name) + " works in host memory");
  }
  return row.make(engine);
}

}  // namespace warpaes::bench
