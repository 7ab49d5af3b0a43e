# GoogleTest and Google Benchmark: the distribution's packages, else pinned releases fetched at configure time.

include(FetchContent)
include(GoogleTest)

find_package(GTest QUIET)
if(NOT GTest_FOUND)
  message(STATUS "GoogleTest: not installed, fetching v1.14.0")
  set(INSTALL_GTEST OFF CACHE BOOL "GoogleTest is not part of the installation" FORCE)
  FetchContent_Declare(
    googletest
    GIT_REPOSITORY https://github.com/google/googletest.git
    GIT_TAG f8d7d77c06936315286eb55f8de22cd23c188571 # v1.14.0
    SYSTEM)
  FetchContent_MakeAvailable(googletest)
endif()

find_package(benchmark QUIET)
if(NOT benchmark_FOUND)
  message(STATUS "Google Benchmark: not installed, fetching v1.8.3")
  set(BENCHMARK_ENABLE_TESTING OFF CACHE BOOL "Google Benchmark's own tests are not built" FORCE)
  set(BENCHMARK_ENABLE_INSTALL OFF CACHE BOOL "Google Benchmark is not part of the installation" FORCE)
  FetchContent_Declare(
    googlebenchmark
    GIT_REPOSITORY https://github.com/google/benchmark.git
    GIT_TAG 344117638c8ff7e239044fd0fa7085839fc03021 # v1.8.3
    SYSTEM)
  FetchContent_MakeAvailable(googlebenchmark)
endif()

# Builds every test program and nothing else.
add_custom_target(tests)

# gsst_add_test(<name> SOURCES <file>... [LIBRARIES <target>...]): a GoogleTest program; ctest runs each of its tests.
# Headers are included from the repository root.
function(gsst_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
  gsst_set_warnings(${name})
  add_dependencies(tests ${name})
  # A busy machine may take longer than the default 5 seconds to list the tests. Tests keep the names that their
  # programs give them: the values behind them may hold addresses, which change with every run.
  gtest_discover_tests(${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DISCOVERY_TIMEOUT 120 NO_PRETTY_VALUES)
endfunction()

# gsst_add_benchmark(<name> SOURCES <file>... [LIBRARIES <target>...]): a Google Benchmark program that `make bench` runs.
# Debian's library calls itself a debug build whatever the program is, so the program gets GSST_BUILD_TYPE to report its own.
function(gsst_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE GSST_BUILD_TYPE="$<CONFIG>")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} benchmark::benchmark_main)
  gsst_set_warnings(${name})
endfunction()
