# The version is written once, in the public header.
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/../include/warpaes/warpaes.h" lines
     REGEX "^#define WARPAES_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$")
list(LENGTH lines found)
if(NOT found EQUAL 3)
  message(FATAL_ERROR "include/warpaes/warpaes.h: WARPAES_VERSION_MAJOR, _MINOR, _PATCH not found")
endif()
list(TRANSFORM lines REPLACE "^.* ([0-9]+)$" "\\1")
list(JOIN lines "." WARPAES_VERSION)
