# The installed package: find_package(stoker) gives stoker::stoker.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/stoker")

install(TARGETS ${STOKER_ROOMS} stoker EXPORT stokerTargets)
install(EXPORT stokerTargets NAMESPACE stoker:: DESTINATION "${package}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/src/stoker" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.h" PATTERN "detail" EXCLUDE PATTERN "cli" EXCLUDE
  PATTERN "assets" EXCLUDE PATTERN "testing.h" EXCLUDE)
set_target_properties(stoker_program PROPERTIES
  INSTALL_RPATH "${STOKER_TORCH_LIB};${STOKER_CUDART_LIB}")
install(TARGETS stoker_program)

configure_package_config_file(cmake/stokerConfig.cmake.in
  "${PROJECT_BINARY_DIR}/stokerConfig.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/stokerConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/stokerConfig.cmake"
  "${PROJECT_BINARY_DIR}/stokerConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/stoker-wheels.cmake" DESTINATION "${package}")
