# What `cmake --install` copies: the library gsst::codec with its headers, a package for find_package(gsst), a file for
# pkg-config (component codec), the library gsst::gsst (component gpu, where nvcc is found), and the command gsst (component
# command).
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/gsst)
install(TARGETS gsst_codec EXPORT gsst_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT codec)
if(GSST_SHARED)
  install(TARGETS gsst_codec_shared EXPORT gsst_targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT codec)
endif()
install(FILES include/gsst/column.h include/gsst/column.hpp include/gsst/gsst.h include/gsst/gsst.hpp include/gsst/lookup.h include/gsst/lookup.hpp include/gsst/search.h include/gsst/search.hpp include/gsst/stream.h include/gsst/stream.hpp include/gsst/table.h include/gsst/table.hpp ${PROJECT_BINARY_DIR}/include/gsst/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gsst COMPONENT codec)
install(EXPORT gsst_targets NAMESPACE gsst:: FILE gsst-targets.cmake DESTINATION ${package_folder} COMPONENT codec)

if(TARGET gsst_gpu)
  install(TARGETS gsst_gpu gsst_gpu_whole EXPORT gsst_gpu_targets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT gpu)
  install(FILES include/gsst/gpu.h include/gsst/gpu.hpp include/gsst/gpu_chunks.h include/gsst/gpu_chunks.hpp include/gsst/gpu_column.h include/gsst/gpu_column.hpp
                include/gsst/gpu_frames.h include/gsst/gpu_frames.hpp include/gsst/gpu_orc_column.h include/gsst/gpu_orc_column.hpp
                include/gsst/gpu_search.h include/gsst/gpu_search.hpp
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gsst COMPONENT gpu)
  install(EXPORT gsst_gpu_targets NAMESPACE gsst:: FILE gsst-gpu-targets.cmake DESTINATION ${package_folder}
          COMPONENT gpu)
endif()

configure_package_config_file(cmake/gsst-config.cmake.in ${PROJECT_BINARY_DIR}/gsst-config.cmake
                              INSTALL_DESTINATION ${package_folder})
# Before version 1 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gsst-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gsst-config.cmake ${PROJECT_BINARY_DIR}/gsst-config-version.cmake cmake/gsst-re2.cmake
        DESTINATION ${package_folder} COMPONENT codec)

set(expression_libraries)
if(GSST_EXPRESSIONS)
  set(expression_libraries " -lre2")
endif()
# From the folder of gsst.pc to what it was installed under: the tree may be moved.
file(RELATIVE_PATH path_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/gsst.pc.in ${PROJECT_BINARY_DIR}/gsst.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gsst.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT codec)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT codec)

if(TARGET gsst)
  install(TARGETS gsst RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
endif()
