// For tests of the calls on host memory that run on every engine that is here, with several numbers of
// threads: a message or a batch, and whether all of its memory is as it has to be after the call.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>

#include "../c_api/handles_for_tests.hpp"
#include "batch_image.hpp"

namespace warpaes::core::testing {

constexpr warpaes_direction kDirections[] = {WARPAES_DIRECTION_ENCRYPT, WARPAES_DIRECTION_DECRYPT};

/// (engine, threads)
using Setting = std::tuple<std::string, unsigned>;

/// Calls on host memory, by one engine with so many threads.
class OnEveryEngine : public ::testing::TestWithParam<Setting> {
 protected:
  /// A GPU engine may lack a mode.
  bool may_lack() const { return std::get<0>(GetParam()).starts_with("cuda"); }
  bool lacks(warpaes_status status) const { return status == WARPAES_ERROR_UNSUPPORTED && may_lack(); }

  void expect_message(const ModeMessage& message, warpaes_direction direction, const ImageOptions& options) {
    const TestCipher cipher(context_, message.row->mode, message.key);
    if (lacks(cipher.status())) return;
    const MessageImage image(message, direction, options);
    const auto call = direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt : warpaes_decrypt;
    Bytes memory = image.before();
    const MessageCall arguments = image.arguments(memory.data());
    const warpaes_status status = call(cipher.get(), &arguments.message);
    if (lacks(status)) return;
    EXPECT_STREQ(warpaes_status_name(status), "WARPAES_OK") << warpaes_last_error();
    EXPECT_TRUE(memory == image.after());
    if (direction == WARPAES_DIRECTION_ENCRYPT || !message.row->can_refuse()) return;
    const Bytes damaged = image.damaged_before();
    std::copy(damaged.begin(), damaged.end(), memory.begin());
    EXPECT_STREQ(warpaes_status_name(call(cipher.get(), &arguments.message)),
                 warpaes_status_name(image.damaged_status()));
    EXPECT_TRUE(memory == image.damaged_after()) << "damaged";
  }

  void expect_batch(const std::vector<ModeMessage>& messages, warpaes_direction direction,
                    const BatchShape& shape, const std::vector<Wrong>& wrong) {
    const ModeMessage& first = messages.front();
    const TestCipher cipher(context_, first.row->mode, shape.key_each ? Bytes() : first.key);
    if (lacks(cipher.status())) return;
    BatchImage image(messages, direction, shape, wrong);
    Bytes memory(image.size());
    const warpaes_batch batch = image.place_at(memory.data());
    std::copy(image.before().begin(), image.before().end(), memory.begin());
    const auto call = direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch : warpaes_decrypt_batch;
    const warpaes_status status = call(cipher.get(), &batch);
    if (lacks(status)) return;
    EXPECT_STREQ(warpaes_status_name(status), warpaes_status_name(image.status())) << warpaes_last_error();
    EXPECT_TRUE(memory == image.after());
  }

  const TestContext context_{std::get<0>(GetParam()).c_str(), std::get<1>(GetParam())};
};

inline std::vector<std::string> engines_to_test() {
  std::vector<std::string> names = usable_engines();
  names.push_back("auto");
  return names;
}

template <class... Threads>
auto engines_and_threads(Threads... threads) {
  return ::testing::Combine(::testing::ValuesIn(engines_to_test()),
                            ::testing::Values(static_cast<unsigned>(threads)...));
}

inline std::string name_of_setting(const ::testing::TestParamInfo<Setting>& setting) {
  std::string name = std::get<0>(setting.param);
  std::replace(name.begin(), name.end(), '/', '_');
  return name + "_" + std::to_string(std::get<1>(setting.param)) + "_threads";
}

}  // namespace warpaes::core::testing
