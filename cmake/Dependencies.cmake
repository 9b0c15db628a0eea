# What the project needs besides a compiler. All of it comes from Debian or Ubuntu packages.
find_package(Threads REQUIRED)
find_package(OpenSSL 3.0 REQUIRED COMPONENTS Crypto)
find_package(CUDAToolkit REQUIRED)

# fmt is used as headers, so that the library needs no libfmt.so where it runs.
find_package(fmt REQUIRED)
add_library(warpaes_fmt INTERFACE)
target_link_libraries(warpaes_fmt INTERFACE $<BUILD_INTERFACE:fmt::fmt-header-only>)
