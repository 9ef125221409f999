# What `cmake --install build` puts where: program, shared libraries, headers, manual page, completion,
# and the files by which other projects find cairn (pkg-config and CMake).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A shared library `name` of the objects of `static`, and what it links.
function(add_shared target static name)
    add_library(${target} SHARED $<TARGET_OBJECTS:${static}>)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${name}
                          VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}
                          BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
    target_include_directories(${target} INTERFACE
                               $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    get_target_property(libraries ${static} INTERFACE_LINK_LIBRARIES)
    list(REMOVE_ITEM libraries cairn-core)
    target_link_libraries(${target} PRIVATE ${libraries})
    if(NOT CAIRN_SANITIZE) # what libcairn does not show is told here, not where a program starts
        target_link_options(${target} PRIVATE LINKER:--no-undefined)
    endif()
endfunction()
add_shared(cairn-shared cairn-core cairn)
add_shared(cairn-view-shared cairn-view cairn-view)
target_link_libraries(cairn-view-shared PUBLIC cairn-shared)

# The program prints its own manual page and completion rules.
set(made ${CMAKE_CURRENT_BINARY_DIR}/packaging)
file(MAKE_DIRECTORY ${made})
set(manual ${made}/cairn.1 ${made}/cairn.bash ${made}/_cairn ${made}/cairn.fish
    ${made}/scene.schema.json)
add_custom_command(OUTPUT ${manual}
                   COMMAND cairn help --man > ${made}/cairn.1
                   COMMAND cairn help --completion bash > ${made}/cairn.bash
                   COMMAND cairn help --completion zsh > ${made}/_cairn
                   COMMAND cairn help --completion fish > ${made}/cairn.fish
                   COMMAND cairn schema > ${made}/scene.schema.json
                   DEPENDS cairn VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual})

# Relative, so that what is installed may be moved.
file(RELATIVE_PATH CAIRN_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(packaging/cairn.pc.in ${made}/cairn.pc @ONLY)
configure_file(packaging/cairn-view.pc.in ${made}/cairn-view.pc @ONLY)
configure_package_config_file(packaging/cairn-config.cmake.in ${made}/cairn-config.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
write_basic_package_version_file(${made}/cairn-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)

install(TARGETS cairn RUNTIME)
install(TARGETS cairn-shared cairn-view-shared EXPORT cairn-targets LIBRARY)
install(DIRECTORY include/cairn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cairn-targets NAMESPACE cairn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
install(FILES ${made}/cairn-config.cmake ${made}/cairn-config-version.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
install(FILES ${made}/cairn.pc ${made}/cairn-view.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${made}/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/cairn)
install(FILES ${made}/cairn.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/cairn.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME cairn)
install(FILES ${made}/_cairn DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/cairn.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
