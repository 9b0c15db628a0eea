// Many messages in a call. Python lays out the memory and keeps it alive; here are addresses only.
#include "errors.hpp"
#include "handles.hpp"

namespace nb = nanobind;

namespace warpaes::python {
namespace {

/// Where one thing of every message lies: rows, or an array of pointers.
struct Rows {
  Address data = 0;
  uint64_t stride = 0;
  Address pointers = 0;
};

struct Batch {
  uint64_t count = 0, length = 0, nonce_length = 0, aad_length = 0, aad_strings = 0;
  Rows input, output, nonces, aad, tags;
  Address lengths = 0, aad_lengths = 0, statuses = 0;
  Address workspace = 0, stream = 0;
  uint64_t workspace_size = 0;
};

warpaes_source source(const Rows& rows) {
  return {at<const void>(rows.data), rows.stride, at<const void* const>(rows.pointers)};
}

warpaes_target target(const Rows& rows) {
  return {at<void>(rows.data), rows.stride, at<void* const>(rows.pointers)};
}

warpaes_batch to_c(const Key& key, const Batch& batch) {
  warpaes_batch made{};
  made.size = sizeof made;
  made.count = batch.count;
  made.input = source(batch.input);
  made.length = batch.length;
  made.lengths = at<const uint64_t>(batch.lengths);
  made.output = target(batch.output);
  made.nonces = source(batch.nonces);
  made.nonce_length = batch.nonce_length;
  made.aad = source(batch.aad);
  made.aad_length = batch.aad_length;
  made.aad_lengths = at<const uint64_t>(batch.aad_lengths);
  made.aad_strings = batch.aad_strings;
  made.tags = target(batch.tags);
  made.tag_length = key.tag_length;
  made.statuses = at<int32_t>(batch.statuses);
  return made;
}

/// A wrong message is no exception: its status says so.
void finish(warpaes_status status) {
  if (status != WARPAES_ERROR_BATCH) check(status);
}

void on_host(const Key& key, warpaes_direction direction, const Batch& batch) {
  const warpaes_batch made = to_c(key, batch);
  const auto run = direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch : warpaes_decrypt_batch;
  finish(without_gil([&] { return run(key.cipher.get(), &made); }));
}

void on_device(const Key& key, warpaes_direction direction, const Batch& batch) {
  const warpaes_batch made = to_c(key, batch);
  const auto run =
      direction == WARPAES_DIRECTION_ENCRYPT ? warpaes_encrypt_batch_device : warpaes_decrypt_batch_device;
  finish(without_gil([&] {
    return run(key.cipher.get(), &made, at<void>(batch.workspace), batch.workspace_size,
               at<CUstream_st>(batch.stream));
  }));
}

}  // namespace

void add_batches(nb::module_& module) {
  nb::class_<Rows>(module, "Rows")
      .def(nb::init<>())
      .def_rw("data", &Rows::data)
      .def_rw("stride", &Rows::stride)
      .def_rw("pointers", &Rows::pointers);
  nb::class_<Batch>(module, "Batch")
      .def(nb::init<>())
      .def_rw("count", &Batch::count)
      .def_rw("length", &Batch::length)
      .def_rw("lengths", &Batch::lengths)
      .def_rw("input", &Batch::input)
      .def_rw("output", &Batch::output)
      .def_rw("nonces", &Batch::nonces)
      .def_rw("nonce_length", &Batch::nonce_length)
      .def_rw("aad", &Batch::aad)
      .def_rw("aad_length", &Batch::aad_length)
      .def_rw("aad_lengths", &Batch::aad_lengths)
      .def_rw("aad_strings", &Batch::aad_strings)
      .def_rw("tags", &Batch::tags)
      .def_rw("statuses", &Batch::statuses)
      .def_rw("workspace", &Batch::workspace)
      .def_rw("workspace_size", &Batch::workspace_size)
      .def_rw("stream", &Batch::stream);
  module.def("batch_on_host", on_host, nb::arg("key"), nb::arg("direction"), nb::arg("batch"));
  module.def("batch_on_device", on_device, nb::arg("key"), nb::arg("direction"), nb::arg("batch"));
}

}  // namespace warpaes::python
