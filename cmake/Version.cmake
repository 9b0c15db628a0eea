# As a part of another project's build its files would not find each other, and tests and packages would be made with
# that project's. This file is the first that is read, so it says so before anything else is missing.
if(NOT CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)
  message(FATAL_ERROR "WarpAES is not built by add_subdirectory() or FetchContent. Install it, by \"./dev install --prefix DIR\""
                      " or from its packages, and use find_package(warpaes); CMAKE_PREFIX_PATH=DIR says where it is.")
endif()

# The version is written once, in the public header.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../include/warpaes/warpaes.h" lines
     REGEX "^#define WARPAES_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(LENGTH lines found)
if(NOT found EQUAL 3)
  message(FATAL_ERROR "include/warpaes/warpaes.h: WARPAES_VERSION_MAJOR, _MINOR, _PATCH not found")
endif()
list(TRANSFORM lines REPLACE "^.* ([0-9]+)$" "\\1")
list(JOIN lines "." WARPAES_VERSION)

# What a program keeps working with: the SONAME's number, and that of the exported functions. Before 1.0 a minor version
# may break the interface (CHANGELOG.md), and what find_package takes for compatible is the same.
list(GET lines 0 WARPAES_SOVERSION)
set(WARPAES_COMPATIBILITY SameMajorVersion)
math(EXPR WARPAES_NEXT_SOVERSION "${WARPAES_SOVERSION} + 1")
if(WARPAES_SOVERSION EQUAL 0)
  list(GET lines 1 minor)
  set(WARPAES_SOVERSION "0.${minor}")
  set(WARPAES_COMPATIBILITY SameMinorVersion)
  math(EXPR WARPAES_NEXT_SOVERSION "${minor} + 1")
  string(PREPEND WARPAES_NEXT_SOVERSION "0.")
endif()
