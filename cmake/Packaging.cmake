# What is installed. ./dev build installs into stage/, whose files find each other by $ORIGIN, so that
# the folder runs wherever it is copied to.
include(CMakePackageConfigHelpers)
set(cmake_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/warpaes")

if(TARGET warpaes_cli)
  set_target_properties(warpaes_cli PROPERTIES OUTPUT_NAME warpaes)
  install(TARGETS warpaes_cli RUNTIME COMPONENT product)
endif()

if(TARGET warpaes)
  # Only the C ABI is exported: nothing of the C++ library, of cudart or of the standard library.
  set(exported_names "${CMAKE_CURRENT_LIST_DIR}/exported_names.map")
  target_link_options(warpaes PRIVATE "-Wl,--version-script=${exported_names}")
  if(NOT WARPAES_SANITIZE)  # which leaves its symbols to the program
    target_link_options(warpaes PRIVATE -Wl,--no-undefined)
  endif()
  set_target_properties(warpaes PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
    LINK_DEPENDS "${exported_names}" INSTALL_RPATH "$ORIGIN")
  target_include_directories(warpaes INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  install(TARGETS warpaes EXPORT warpaes LIBRARY COMPONENT product)
  install(DIRECTORY include/warpaes DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT product)

  install(EXPORT warpaes FILE warpaesConfig.cmake NAMESPACE warpaes:: COMPONENT product
          DESTINATION ${cmake_package_folder})
  write_basic_package_version_file(warpaesConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/warpaesConfigVersion.cmake" COMPONENT product
          DESTINATION ${cmake_package_folder})
  configure_file(cmake/warpaes.pc.in warpaes.pc @ONLY)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/warpaes.pc" COMPONENT product
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

# The vector files that staged test programs read (see Tests.cmake).
if(BUILD_TESTING)
  install(DIRECTORY "${WARPAES_VECTORS}/ciphers/AES/ECB" "${WARPAES_VECTORS}/ciphers/AES/CTR"
                    "${WARPAES_VECTORS}/ciphers/AES/GCM" "${WARPAES_VECTORS}/ciphers/AES/CBC"
                    "${WARPAES_VECTORS}/ciphers/AES/CFB" "${WARPAES_VECTORS}/ciphers/AES/OFB"
                    "${WARPAES_VECTORS}/ciphers/AES/XTS" "${WARPAES_VECTORS}/ciphers/AES/CCM"
                    "${WARPAES_VECTORS}/ciphers/AES/GCM-SIV" "${WARPAES_VECTORS}/ciphers/AES/OCB3"
                    "${WARPAES_VECTORS}/ciphers/AES/SIV"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/warpaes/vectors/ciphers/AES COMPONENT tests)
  install(DIRECTORY "${WARPAES_VECTORS}/CMAC" "${WARPAES_VECTORS}/keywrap"
          DESTINATION ${CMAKE_INSTALL_DATADIR}/warpaes/vectors COMPONENT tests)
  if(WARPAES_WYCHEPROOF)
    install(FILES "${WARPAES_WYCHEPROOF}/aes_gcm_test.json" "${WARPAES_WYCHEPROOF}/aes_ccm_test.json"
                  "${WARPAES_WYCHEPROOF}/aes_eax_test.json" "${WARPAES_WYCHEPROOF}/aes_siv_cmac_test.json"
                  "${WARPAES_WYCHEPROOF}/aead_aes_siv_cmac_test.json"
            DESTINATION ${CMAKE_INSTALL_DATADIR}/warpaes/vectors/wycheproof COMPONENT tests)
  endif()
endif()
