# cmake --install: the program, its HTTP half, completions, the man page, headers and libraries with a CMake package
# (find_package(pith), target pith::store for <pith/ccr.h>). cpack: a .deb and a tarball.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(TARGET pith)
  install(TARGETS pith RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(TARGET pith-http)
  install(TARGETS pith-http RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/pith)
endif()

# Completions and the man page are printed by the program itself, so that they cannot differ from it.
if(TARGET pith)
  set(generated ${PROJECT_BINARY_DIR}/share)
  file(MAKE_DIRECTORY ${generated})
  add_custom_command(OUTPUT ${generated}/pith.1
    COMMAND pith completion bash > ${generated}/pith.bash
    COMMAND pith completion zsh > ${generated}/_pith
    COMMAND pith completion fish > ${generated}/pith.fish
    COMMAND pith man > ${generated}/pith.1
    DEPENDS pith VERBATIM)
  add_custom_target(pith_share ALL DEPENDS ${generated}/pith.1)
  install(FILES ${generated}/pith.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pith)
  install(FILES ${generated}/_pith DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${generated}/pith.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES ${generated}/pith.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(FILES LICENSE docs/LICENSES.md README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# For programs that embed the store.
install(FILES include/pith/ccr.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pith)
install(TARGETS pith_store pith_base ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
configure_package_config_file(cmake/pithConfig.cmake.in ${PROJECT_BINARY_DIR}/pithConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pith
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/pithConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/pithConfig.cmake ${PROJECT_BINARY_DIR}/pithConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/pith)

set(CPACK_PACKAGE_NAME pith)
set(CPACK_PACKAGE_VENDOR "The Pith authors")
set(CPACK_PACKAGE_CONTACT "The Pith authors <pith@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
include(CPack)
