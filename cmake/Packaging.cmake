# What is installed. ./dev build installs into stage/, whose files find each other by $ORIGIN, so that
# the folder runs wherever it is copied to.
include(CMakePackageConfigHelpers)
set(cmake_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/warpaes")

# Nothing else of the C++ library is exported, of cudart or of the standard library.
set(exported_names "${CMAKE_CURRENT_BINARY_DIR}/exported_names.map")
configure_file(cmake/exported_names.map.in "${exported_names}" @ONLY)
# What is exported is called inside as it is: nobody can put something else in its place.
target_link_options(warpaes PRIVATE "-Wl,--version-script=${exported_names}" -Wl,-Bsymbolic)
if(NOT WARPAES_SANITIZE)  # which leaves its symbols to the program
  target_link_options(warpaes PRIVATE -Wl,--no-undefined)
endif()
# Never unloaded: threads of its own may be at work, what a thread leaves behind in a libcrypto that is inside is freed
# by a function of libcrypto's when the thread ends, and the C++ library that is inside allocates memory when it is
# loaded that it does not free.
target_link_options(warpaes PRIVATE -Wl,-z,nodelete)
set_target_properties(warpaes PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION ${WARPAES_SOVERSION}
  LINK_DEPENDS "${exported_names}" INSTALL_RPATH "$ORIGIN")
add_dependencies(product warpaes)

target_include_directories(warpaes INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
install(TARGETS warpaes EXPORT warpaes
        LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(DIRECTORY include/warpaes DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        PATTERN device.cuh EXCLUDE)
install(FILES "${single_headers}/warpaes/device.cuh" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpaes COMPONENT development)
install(EXPORT warpaes FILE warpaesTargets.cmake NAMESPACE warpaes:: COMPONENT development
        DESTINATION ${cmake_package_folder})
write_basic_package_version_file(warpaesConfigVersion.cmake COMPATIBILITY ${WARPAES_COMPATIBILITY})
install(FILES cmake/warpaesConfig.cmake "${CMAKE_CURRENT_BINARY_DIR}/warpaesConfigVersion.cmake" COMPONENT development
        DESTINATION ${cmake_package_folder})
configure_file(cmake/warpaes.pc.in warpaes.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/warpaes.pc" COMPONENT development
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Whose code is inside. ./dev writes the bill of materials (devtools/sbom.py).
install(FILES LICENSE NOTICE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpaes COMPONENT library)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/sbom.cdx.json" OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/warpaes COMPONENT library)

# The vector files that staged test programs read (see Tests.cmake).
if(BUILD_TESTING)
  install(DIRECTORY "${WARPAES_VECTORS}/ciphers/AES/ECB" "${WARPAES_VECTORS}/ciphers/AES/CTR"
                    "${WARPAES_VECTORS}/ciphers/AES/GCM" "${WARPAES_VECTORS}/ciphers/AES/CBC"
                    "${WARPAES_VECTORS}/ciphers/AES/CFB" "${WARPAES_VECTORS}/ciphers/AES/OFB"
                    "${WARPAES_VECTORS}/ciphers/AES/XTS" "${WARPAES_VECTORS}/ciphers/AES/CCM"
                    "${WARPAES_VECTORS}/ciphers/AES/GCM-SIV" "${WARPAES_VECTORS}/ciphers/AES/OCB3"
                    "${WARPAES_VECTORS}/ciphers/AES/SIV"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/warpaes/vectors/ciphers/AES COMPONENT checks)
  install(DIRECTORY "${WARPAES_VECTORS}/CMAC" "${WARPAES_VECTORS}/keywrap"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/warpaes/vectors COMPONENT checks)
  if(WARPAES_WYCHEPROOF)
    install(FILES "${WARPAES_WYCHEPROOF}/aes_gcm_test.json" "${WARPAES_WYCHEPROOF}/aes_ccm_test.json"
                  "${WARPAES_WYCHEPROOF}/aes_eax_test.json" "${WARPAES_WYCHEPROOF}/aes_siv_cmac_test.json"
                  "${WARPAES_WYCHEPROOF}/aead_aes_siv_cmac_test.json"
            DESTINATION ${CMAKE_INSTALL_DATADIR}/warpaes/vectors/wycheproof COMPONENT checks)
  endif()
endif()

# Packages, by ./dev package: one of Debian's for each component, and one tarball of all.
set(CPACK_PACKAGE_NAME warpaes)
set(CPACK_PACKAGE_VENDOR "The WarpAES authors")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_SYSTEM_NAME "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")  # in the tarball's name; Debian has names of its own
set(CPACK_COMPONENTS_ALL library development tool lab)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/PackageKinds.cmake")
# Debian demands an address. The project has none that is its own (SECURITY.md), so this one cannot exist: who publishes
# packages gives theirs, ./dev package --maintainer "Name <mail@address>".
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "WarpAES <maintainers@warpaes.invalid>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_CURRENT_BINARY_DIR}/src/c_api")
# What packages of programs that are linked with the library depend on: this version or a later one of the same interface.
set(shlibs "${CMAKE_CURRENT_BINARY_DIR}/shlibs")
set(later_ones "libwarpaes (>= ${PROJECT_VERSION}), libwarpaes (<< ${WARPAES_NEXT_SOVERSION}~)")
file(CONFIGURE OUTPUT "${shlibs}" CONTENT "libwarpaes ${WARPAES_SOVERSION} ${later_ones}\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${shlibs}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libwarpaes)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SUGGESTS libargon2-1)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libwarpaes-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libwarpaes (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME warpaes)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS "libwarpaes (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_TOOL_PACKAGE_SUGGESTS warpaes-lab)
set(CPACK_DEBIAN_LAB_PACKAGE_NAME warpaes-lab)
set(CPACK_DEBIAN_LAB_PACKAGE_SECTION education)
set(CPACK_DEBIAN_LAB_PACKAGE_DEPENDS "libwarpaes (= ${PROJECT_VERSION}), warpaes (= ${PROJECT_VERSION})")
# The first line is what apt and dpkg list, by which packages are told from each other. With CPACK_PACKAGE_DESCRIPTION_SUMMARY
# all would begin with that.
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "AES on NVIDIA GPUs and CPUs, the library\nThe library: AES in all of its modes, on NVIDIA GPUs and CPUs.")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "AES on NVIDIA GPUs and CPUs, headers\nWhat C and C++ programs are compiled with against libwarpaes.")
set(CPACK_DEBIAN_TOOL_DESCRIPTION "AES on NVIDIA GPUs and CPUs, the program\nThe program warpaes: encrypts and decrypts files.")
set(CPACK_DEBIAN_LAB_DESCRIPTION "AES on NVIDIA GPUs and CPUs, the lab\nThe program warpaes-lab: teaching kernels to read, run and measure.")
include(CPack)
