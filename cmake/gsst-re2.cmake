# Finds RE2 where it is there: the target re2::re2. Debian 12 ships no CMake file for it; newer ones bring targets of Abseil, which
# the header needs.
find_package(re2 QUIET CONFIG)
if(NOT TARGET re2::re2)
  find_path(RE2_INCLUDE_DIR re2/re2.h)
  find_library(RE2_LIBRARY re2)
  mark_as_advanced(RE2_INCLUDE_DIR RE2_LIBRARY)
  if(RE2_INCLUDE_DIR AND RE2_LIBRARY)
    add_library(re2::re2 UNKNOWN IMPORTED)
    set_target_properties(re2::re2 PROPERTIES IMPORTED_LOCATION ${RE2_LIBRARY}
                                              INTERFACE_INCLUDE_DIRECTORIES ${RE2_INCLUDE_DIR})
  endif()
endif()
