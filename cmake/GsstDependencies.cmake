# Libraries of the distribution that the program itself needs: OpenMP, Boost.Context, CLI11, nlohmann-json, RE2, xxHash.
# zlib and libdeflate are sought where they are used, in reference_cpu/codag.
# Targets: OpenMP::OpenMP_CXX, Boost::context, CLI11::CLI11, nlohmann_json::nlohmann_json, re2::re2, xxHash::xxhash.

# gsst_report_missing(<library> <package>): stops with the name of the package to install.
function(gsst_report_missing library package)
  message(FATAL_ERROR "${library} not found: install the package ${package} (Debian and Ubuntu), "
                      "or run tools/install_dependencies.sh, which installs all that is missing.")
endfunction()

find_package(OpenMP QUIET COMPONENTS CXX)
if(NOT OpenMP_CXX_FOUND)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    gsst_report_missing("OpenMP for clang" libomp-dev)
  endif()
  gsst_report_missing("OpenMP" g++)
endif()

if(NOT GSST_LIBRARY_ONLY)
  find_package(Boost 1.74 QUIET COMPONENTS context)
  if(NOT Boost_FOUND)
    gsst_report_missing("Boost.Context (1.74 or newer)" libboost-context-dev)
  endif()

  find_package(CLI11 2.1 QUIET)
  if(NOT CLI11_FOUND)
    gsst_report_missing("CLI11 (2.1 or newer)" libcli11-dev)
  endif()

  find_package(nlohmann_json 3.11 QUIET)
  if(NOT nlohmann_json_FOUND)
    gsst_report_missing("nlohmann-json (3.11 or newer)" nlohmann-json3-dev)
  endif()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/gsst-re2.cmake)
set(has_re2 OFF)
if(TARGET re2::re2)
  set(has_re2 ON)
endif()
option(GSST_EXPRESSIONS "Regular expressions in the library's searches: what links the library links RE2 too" ${has_re2})
if(NOT has_re2 AND (GSST_EXPRESSIONS OR NOT GSST_LIBRARY_ONLY))
  gsst_report_missing("RE2" libre2-dev)
endif()

# Neither Debian nor Ubuntu ships a CMake file for xxHash. The header alone is used: the functions are compiled in.
find_path(XXHASH_INCLUDE_DIR xxhash.h)
mark_as_advanced(XXHASH_INCLUDE_DIR)
if(NOT XXHASH_INCLUDE_DIR)
  gsst_report_missing("xxHash" libxxhash-dev)
endif()
add_library(xxHash::xxhash INTERFACE IMPORTED)
target_include_directories(xxHash::xxhash INTERFACE ${XXHASH_INCLUDE_DIR})
