# What the project needs besides a compiler. All of it comes from Debian or Ubuntu packages.
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
find_package(CUDAToolkit REQUIRED)

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
