// Calls that come when the process ends and what the library has inside may be gone. This program is not
// linked with the library: it is opened behind functions of atexit(), which therefore run last.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "warpaes/warpaes.h"

namespace {

void* library = nullptr;

template <class Function>
Function* of_library(Function* /*type*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}
#define WARPAES_OF_LIBRARY(name) of_library(static_cast<decltype(&(name))>(nullptr), #name)

warpaes_status create(const char* engine, warpaes_context** context) {
  warpaes_context_options options = {};
  options.size = sizeof options;
  options.engine = engine;
  return WARPAES_OF_LIBRARY(warpaes_context_create)(&options, context);
}

bool encrypts(const warpaes_context* context) {
  const uint8_t key[16] = {};
  uint8_t nonce[12] = {}, tag[16] = {}, output[4] = {};
  warpaes_cipher* cipher = nullptr;
  const auto create_cipher = WARPAES_OF_LIBRARY(warpaes_cipher_create);
  if (create_cipher(context, WARPAES_MODE_GCM, key, sizeof key, &cipher) != WARPAES_OK) return false;
  warpaes_message message = {};
  message.size = sizeof message;
  message.input = "text";
  message.length = message.output_capacity = sizeof output;
  message.output = output;
  message.nonce = nonce;
  message.nonce_length = sizeof nonce;
  message.tag = tag;
  const bool done = WARPAES_OF_LIBRARY(warpaes_encrypt)(cipher, &message) == WARPAES_OK;
  WARPAES_OF_LIBRARY(warpaes_cipher_destroy)(cipher);
  return done;
}

/// All that asks for GPUs, whether there are any or not, and work for the CPU.
void call_late() {
  warpaes_context *any = nullptr, *cpu = nullptr;
  if (create(nullptr, &any) != WARPAES_OK) _exit(2);
  WARPAES_OF_LIBRARY(warpaes_context_destroy)(any);
  (void)WARPAES_OF_LIBRARY(warpaes_device_get)(0, nullptr);
  warpaes_engine_info info = {};
  info.size = sizeof info;
  const auto get = WARPAES_OF_LIBRARY(warpaes_engine_get);
  for (size_t i = 0; get(i, &info) == WARPAES_OK; i++) continue;
  if (create("openssl", &cpu) != WARPAES_OK || !encrypts(cpu)) _exit(3);
  WARPAES_OF_LIBRARY(warpaes_context_destroy)(cpu);
  _exit(0);
}

/// @param used whether the library is used before, too
[[noreturn]] void end(bool used) {
  (void)std::atexit(call_late);
  library = dlopen(WARPAES_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) _exit(4);
  warpaes_context* context = nullptr;
  if (used && create(nullptr, &context) != WARPAES_OK) _exit(5);
  std::exit(1);
}

TEST(EndOfProcess, TheLibraryIsFirstCalled) { EXPECT_EXIT(end(false), testing::ExitedWithCode(0), ""); }

TEST(EndOfProcess, TheLibraryIsStillCalled) { EXPECT_EXIT(end(true), testing::ExitedWithCode(0), ""); }

}  // namespace
