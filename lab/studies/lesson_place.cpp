#include "lab/studies/lesson_place.hpp"

#include <chrono>
#include <optional>

#include "benchmarks/gpu_timer.hpp"
#include "device/cuda_error.hpp"
#include "device/device.hpp"

namespace warpaes::core::lab {
namespace {

using Clock = std::chrono::steady_clock;

/// What all places for lessons have in common: the task, and output in host memory.
class LessonPlace : public bench::Place {
 public:
  LessonPlace(const Lesson& lesson, const Variant& variant) : lesson_(lesson), variant_(variant) {}

  const char* name() const override { return "lab"; }

  void load(const bench::Dataset& dataset, Direction direction) override {
    schedule_.emplace(dataset.key());
    input_ = dataset.input(direction);
    counter_ = load_counter(dataset.nonces());
    bytes_ = dataset.workload().total_bytes();
    bench::grow(output_, bytes_);
  }
  void poison() override { bench::fill(output_.span().first(bytes_), bench::kPoison); }
  bench::Outcome fetch() override { return {output_.span().first(bytes_), {}, {}}; }

 protected:
  Task task(const uint8_t* input, uint8_t* output) const {
    return {variant_, *schedule_, counter_, input, output, bytes_};
  }
  template <class Work>
  static double seconds_each(unsigned repeats, const Work& work) {
    const auto begun = Clock::now();
    for (unsigned i = 0; i < repeats; i++) work();
    return std::chrono::duration<double>(Clock::now() - begun).count() / repeats;
  }

  const Lesson& lesson_;
  const Variant variant_;
  std::optional<KeySchedule> schedule_;
  CounterBlock counter_{};
  const uint8_t* input_ = nullptr;
  bench::PageableBuffer output_;
  uint64_t bytes_ = 0;
};

class CpuPlace final : public LessonPlace {
 public:
  using LessonPlace::LessonPlace;

  double run(unsigned repeats) override {
    const Task work = task(input_, output_.data());
    return seconds_each(repeats, [&] { lesson_.run_on_cpu(work); });
  }
};

class GpuPlace final : public LessonPlace {
 public:
  GpuPlace(const Lesson& lesson, const Variant& variant, int device, bool with_copies)
      : LessonPlace(lesson, variant),
        device_(device),
        with_copies_(with_copies),
        stream_(device),
        timer_(device) {}

  void load(const bench::Dataset& dataset, Direction direction) override {
    LessonPlace::load(dataset, direction);
    bench::grow(device_input_, bytes_, device_);
    bench::grow(device_output_, bytes_, device_);
    copy_to_device(device_input_.data(), input_, bytes_, stream_.get());
    synchronize(stream_.get());
  }

  void poison() override {
    LessonPlace::poison();
    fill_device(device_output_.data(), bench::kPoison, bytes_, stream_.get());
  }

  double run(unsigned repeats) override {
    const DeviceScope scope(device_);
    const Task work = task(device_input_.data(), device_output_.data());
    const auto launch = [&] { lesson_.launch(work, stream_.get()); };
    if (!with_copies_) {
      return timer_.seconds(stream_.get(), [&] {
        for (unsigned i = 0; i < repeats; i++) launch();
      }) / repeats;
    }
    synchronize(stream_.get());  // waits until the poison is there
    return seconds_each(repeats, [&] {
      copy_to_device(device_input_.data(), input_, bytes_, stream_.get());
      launch();
      copy_to_host(output_.data(), device_output_.data(), bytes_, stream_.get());
      synchronize(stream_.get());
    });
  }

  double latency() override {
    if (with_copies_) return run(1);
    const DeviceScope scope(device_);
    const Task work = task(device_input_.data(), device_output_.data());
    return seconds_each(1, [&] {
      lesson_.launch(work, stream_.get());
      synchronize(stream_.get());
    });
  }

  /// If the time includes copies, the result is what has arrived in host memory.
  bench::Outcome fetch() override {
    if (with_copies_) return LessonPlace::fetch();
    copy_to_host(output_.data(), device_output_.data(), bytes_, stream_.get());
    synchronize(stream_.get());
    return LessonPlace::fetch();
  }

 private:
  const int device_;
  const bool with_copies_;
  OwnedStream stream_;
  bench::GpuTimer timer_;
  DeviceBuffer device_input_, device_output_;
};

}  // namespace

std::unique_ptr<bench::Place> cpu_lesson_place(const Lesson& lesson, const Variant& variant) {
  return std::make_unique<CpuPlace>(lesson, variant);
}

std::unique_ptr<bench::Place> gpu_lesson_place(const Lesson& lesson, const Variant& variant, int device,
                                               bool with_copies) {
  return std::make_unique<GpuPlace>(lesson, variant, device, with_copies);
}

}  // namespace warpaes::core::lab
