# Run by cpack when the files of all Debian packages are laid out: each of them has its licence and those of the code that
# is inside at one place, by Debian's policy (12.5), and can be passed on by itself.
file(READ "${CMAKE_CURRENT_LIST_DIR}/../NOTICE" notice)
string(CONCAT text
  "WarpAES, by the WarpAES authors. On Debian the Apache License, Version 2.0, is /usr/share/common-licenses/Apache-2.0;\n"
  "the package libwarpaes also has it, with the list of all that is inside, in /usr/share/doc/warpaes/.\n\n${notice}")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" upper)
  file(WRITE "${CPACK_TEMPORARY_DIRECTORY}/${component}/usr/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}/copyright" "${text}")
endforeach()
