// Messages and batches of every mode that the library lists, in host memory, on every engine that can run
// here, compared with OpenSSL. No call may touch a byte that is not its own.
#include "on_every_engine.hpp"

namespace warpaes::core::testing {
namespace {

class EveryMode : public OnEveryEngine {};

TEST_P(EveryMode, OneMessageIsOpenssls) {
  for (const ListedMode& mode : all_modes()) {
    size_t variant = 0;
    for (const size_t length : {0u, 1u, 15u, 16u, 17u, 32u, 255u, 4'100u, 20'003u}) {
      const ModeMessage message = message_of(mode, varied_shape(mode, length, variant++));
      for (const warpaes_direction direction : kDirections) {
        for (const bool in_place : {false, true}) {
          SCOPED_TRACE(std::string(mode.info.name) + ", " + std::to_string(length) + " bytes, direction " +
                       std::to_string(direction) + (in_place ? ", in place" : ""));
          expect_message(message, direction, {.in_place = in_place, .misaligned = variant % 4});
        }
      }
    }
  }
}

TEST_P(EveryMode, BatchesInEveryLayoutAreOpensslsMessages) {
  constexpr size_t kMessages = 44, kLength = 150;
  for (const ListedMode& mode : all_modes()) {
    size_t variant = 0;
    for (const Layout layout : kLayouts) {
      for (const bool key_each : {false, true}) {
        MessageShape like = varied_shape(mode, kLength, variant++);
        like.data_unit = like.unused_bits = 0;  // not in batches
        const bool in_place = variant % 2 == 0;
        const BatchShape shape = {layout, in_place, key_each};
        const std::vector<ModeMessage> messages = messages_for(mode, shape, kMessages, like);
        for (const warpaes_direction direction : kDirections) {
          SCOPED_TRACE(std::string(mode.info.name) + ", " + name_of(layout) +
                       (key_each ? ", a key each" : "") + (in_place ? ", in place" : "") + ", direction " +
                       std::to_string(direction));
          expect_batch(messages, direction, shape, {});
          const BatchImage right(messages, direction, shape);
          expect_batch(messages, direction, shape, right.what_can_be_wrong());
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, EveryMode, engines_and_threads(1, 5), name_of_setting);

}  // namespace
}  // namespace warpaes::core::testing
