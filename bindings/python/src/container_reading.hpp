// Reading plaintext of a container through a Python function, on several threads.
#pragma once

#include <memory>

#include "handles.hpp"

namespace warpaes::python {

struct Container {
  Context context;
  uint32_t threads = 0;  // of the context; 0: all
  std::unique_ptr<warpaes_container, Destroy<warpaes_container_destroy>> handle;
};

/// Where a container lies. read(offset, memoryview) may be called on several threads at once, each with the
/// GIL. If its bytes are those of a file from `start` on, they are taken from there, and read() is left to
/// say what is wrong with the file.
struct PythonSource {
  uint64_t length = 0;
  nanobind::handle read;
  int file = -1;
  uint64_t start = 0;
};

/// Fills memory with the plaintext at `offset`. To be called with the GIL, which is released meanwhile.
/// @return how many bytes there were
/// @throw what is wrong with the container, or what the function has raised; all of the memory is zero then
uint64_t read_container(const Container& container, const PythonSource& source, uint64_t offset,
                        uint8_t* output, uint64_t length);

}  // namespace warpaes::python
