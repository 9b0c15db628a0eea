#include <algorithm>

#include "modes/mac_chain.hpp"
#include "operations/parted_modes.hpp"
#include "pipeline/context_state.hpp"

namespace warpaes::core {
namespace {

class PartedCmac : public PartedMode {
 public:
  PartedCmac(const Key& key, const OperationOptions& options)
      : PartedCmac(key, key.context().state().cpu_engine(), options.tag_bytes) {}
  PartedCmac(const Key& key, const Engine& engine, size_t tag_bytes)
      : cmac_(engine, key.prepared(engine)), tag_bytes_(tag_bytes) {
    cmac_.start();
  }
  Shape shape() const override { return {.makes_output = false}; }
  uint64_t finish_bytes(uint64_t) const override { return tag_bytes_; }
  void crypt(const uint8_t* input, uint8_t*, uint64_t bytes) override { cmac_.add(input, bytes); }
  uint64_t finish(uint8_t*, uint64_t, uint8_t* output) override {
    const MacBlock tag = cmac_.finish();
    std::copy_n(tag.begin(), tag_bytes_, output);
    return tag_bytes_;
  }
  std::unique_ptr<PartedMode> copy() const override { return std::make_unique<PartedCmac>(*this); }

 private:
  Cmac cmac_;
  const size_t tag_bytes_;
};

}  // namespace

std::unique_ptr<PartedMode> parted_cmac(const Key& key, const OperationOptions& options) {
  return std::make_unique<PartedCmac>(key, options);
}

}  // namespace warpaes::core
