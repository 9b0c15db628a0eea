# What the project needs besides a compiler. All of it comes from Debian or Ubuntu packages.
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
# A static one (devtools/libcrypto.py) belongs to what it is linked into: a process may well have another OpenSSL, the
# Python interpreter's for one, and neither may be called in place of the other.
if(OPENSSL_USE_STATIC_LIBS)
  set_property(TARGET OpenSSL::Crypto APPEND PROPERTY INTERFACE_LINK_OPTIONS -Wl,--exclude-libs,libcrypto.a)
endif()
find_package(CUDAToolkit REQUIRED)
include(CudaLibraries)

# No libfmt.so, so that the library needs none where it runs. fmt's headers alone make every file that
# includes them compile all of fmt, 4 s each: fmt_once.cpp does it once. What that has to hold differs
# between fmt's major versions, so others than the known one are used as headers.
find_package(fmt REQUIRED)
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  add_library(warpaes_fmt STATIC cmake/fmt_once.cpp)
  target_include_directories(warpaes_fmt SYSTEM PUBLIC
    $<BUILD_INTERFACE:$<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>>)
else()
  add_library(warpaes_fmt INTERFACE)
  target_link_libraries(warpaes_fmt INTERFACE $<BUILD_INTERFACE:fmt::fmt-header-only>)
endif()
