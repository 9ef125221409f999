# What `cmake --install build` puts where: program, shared library, headers, manual page, completion,
# and the files by which other projects find cairn (pkg-config and CMake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(cairn-shared SHARED $<TARGET_OBJECTS:cairn-core>)
set_target_properties(cairn-shared PROPERTIES OUTPUT_NAME cairn EXPORT_NAME cairn
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
target_include_directories(cairn-shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
get_target_property(CAIRN_LIBRARIES cairn-core INTERFACE_LINK_LIBRARIES)
target_link_libraries(cairn-shared PRIVATE ${CAIRN_LIBRARIES})

# The program prints its own manual page and completion rules.
set(made ${CMAKE_CURRENT_BINARY_DIR}/packaging)
file(MAKE_DIRECTORY ${made})
add_custom_command(OUTPUT ${made}/cairn.1 ${made}/cairn.bash
                   COMMAND cairn help --man > ${made}/cairn.1
                   COMMAND cairn help --bash > ${made}/cairn.bash
                   DEPENDS cairn VERBATIM)
add_custom_target(manual ALL DEPENDS ${made}/cairn.1 ${made}/cairn.bash)

# Relative, so that what is installed may be moved.
file(RELATIVE_PATH CAIRN_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(packaging/cairn.pc.in ${made}/cairn.pc @ONLY)
configure_package_config_file(packaging/cairn-config.cmake.in ${made}/cairn-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
write_basic_package_version_file(${made}/cairn-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)

install(TARGETS cairn RUNTIME)
install(TARGETS cairn-shared EXPORT cairn-targets LIBRARY)
install(DIRECTORY include/cairn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cairn-targets NAMESPACE cairn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
install(FILES ${made}/cairn-config.cmake ${made}/cairn-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
install(FILES ${made}/cairn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${made}/cairn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/cairn.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME cairn)
