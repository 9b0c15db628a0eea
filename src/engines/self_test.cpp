#include "engines/self_test.hpp"

#include <openssl/evp.h>

#include <new>

#include "engines/self_test_parts.hpp"
#include "failure.hpp"
#include "primitives/hex.hpp"

namespace warpaes::core {

std::string self_test_parts::sha256(const Bytes& data) {
  Bytes digest(32);
  size_t length = digest.size();
  // Every provider has SHA-256. That OpenSSL has no memory for it says nothing against an engine.
  if (EVP_Q_digest(nullptr, "SHA256", nullptr, data.data(), data.size(), digest.data(), &length) <= 0) {
    throw Failure(WARPAES_ERROR_HOST_MEMORY, "OpenSSL could not compute SHA-256, for want of memory");
  }
  return hex_of_bytes(digest);
}

SelfTestReport self_test(const Engine& engine, int device, SelfTestExtent extent) {
  SelfTestReport report;
  std::string current = "set-up";
  try {
    SelfTestBench bench(engine, device);
    const bool is_brief = engine.memory == Memory::host && extent != SelfTestExtent::all;
    const self_test_parts::Subject subject{engine, bench, current, report.checks, is_brief};
    if (extent != SelfTestExtent::gcm) self_test_parts::check_ciphers(subject);
    if (extent != SelfTestExtent::others) self_test_parts::check_gcm(subject);
    if (extent != SelfTestExtent::gcm) {
      self_test_parts::check_other_aeads(subject);
      self_test_parts::check_batches(subject);
    }
  } catch (const self_test_parts::WrongAnswer& wrong) {
    report.failure = current + ": " + wrong.what;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const Failure& failure) {
    const bool cuda_failed =
        failure.status() == WARPAES_ERROR_CUDA || failure.status() == WARPAES_ERROR_NO_DEVICE;
    if (failure.is_passing() || cuda_failed) throw;
    report.failure = current + ": " + failure.what();
  } catch (const std::exception& error) {
    report.failure = current + ": " + error.what();
  }
  return report;
}

}  // namespace warpaes::core
