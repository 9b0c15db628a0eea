// Programs call the library while they end: by destructors of static objects, or by threads that go on. So
// CUDA's runtime, which is inside of libwarpaes.so, must still be there.
//
// The code that nvcc writes for a file of kernels registers a function with atexit() that gives the kernels
// back, and with the last of them the runtime frees all it has. A call that comes afterwards, or is under way
// then, reads through a null pointer: of ten programs that ended while their threads sealed messages on a
// GPU, three crashed, and on a machine without a GPU creating a context crashed. All else inside the library
// that uses atexit() would clean up as well: the runtime itself, and OpenSSL where it is linked statically,
// which is told to stay (openssl_stays.hpp). The library is never unloaded, so whatever is registered is
// dropped. The process's memory goes with it, and the driver ends by itself: calls of CUDA fail then, and say
// so.
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" int __wrap_atexit(void (* /*function*/)()) { return 0; }
