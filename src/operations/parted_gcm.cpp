// GCM and GMAC in parts, SP 800-38D section 7.1, on the context's CPU engine: a context that was
// made for one engine gets no other.
#include "operations/parted_aead.hpp"
#include "pipeline/context_state.hpp"
#include "pipeline/gcm_in_parts.hpp"

namespace warpaes::core {
namespace {

class PartedGcm : public PartedMode {
 public:
  PartedGcm(const Key& key, const OperationOptions& options)
      : PartedGcm(key, key.context().state().cpu_engine(), options) {}

  Shape shape() const override { return {.makes_output = !is_mac_}; }
  uint64_t finish_bytes(uint64_t) const override { return tag_bytes_; }

  void crypt(const uint8_t* input, uint8_t* output, uint64_t bytes) override {
    if (is_mac_) {
      length_.add_aad(bytes);
      gcm_.add(input, bytes);
    } else {
      length_.add(bytes);
      gcm_.crypt(input, output, bytes);
    }
  }

  uint64_t finish(uint8_t*, uint64_t, uint8_t* output) override {
    const SecretBlock tag(gcm_.tag());  // of a forgery, it would be what the forger wants to know
    std::copy_n(tag.begin(), tag_bytes_, output);
    return tag_bytes_;
  }

 private:
  PartedGcm(const Key& key, const Engine& engine, const OperationOptions& options)
      : is_mac_(options.mode == WARPAES_MODE_GMAC),
        tag_bytes_(options.tag_bytes),
        length_(WARPAES_MODE_GCM, options),
        gcm_(engine, key.prepared(engine), key.context().state().threads, options.direction, options.iv) {
    gcm_.add(options.aad.data(), options.aad.size());
  }

  const bool is_mac_;
  const size_t tag_bytes_;
  AeadLength length_;
  GcmInParts gcm_;
};

}  // namespace

std::unique_ptr<PartedMode> parted_gcm(const Key& key, const OperationOptions& options) {
  return std::make_unique<PartedGcm>(key, options);
}

}  // namespace warpaes::core
