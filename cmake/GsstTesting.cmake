# GoogleTest and Google Benchmark: the distribution's packages, else pinned releases fetched at configure time.

# The library alone has neither tests nor benchmarks.
if(GSST_LIBRARY_ONLY)
  function(gsst_add_test)
  endfunction()
  function(gsst_add_benchmark)
  endfunction()
  return()
endif()

include(FetchContent)

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

# With CMAKE_UNITY_BUILD the tests of a folder are one unit then, which reads GoogleTest's headers once.
option(GSST_JOIN_TESTS "One test program for each folder of the root, in place of one for each subject" OFF)
# Programs of their own in any case: their names are known elsewhere, or they are compiled or linked differently.
set(tests_never_joined course_copy_kernel_test device_frame_warps_test gpu_api_test launch_on_gpu_test made_up_series_test measure_graph_timer_test measure_made_up_points_test
    memory_counted_allocation_test pipeline_test simt_access_trace_test simt_alignment_test simt_look_back_test simt_race_test simt_waiting_blocks_test stage_chunks_test stage_decode_test stage_encode_graph_test stage_encode_test stage_frames_test stage_gzip_test stage_orc_test stage_query_test stage_ranges_test streaming_test
    zero_length_feed_test)

# Builds every test program and nothing else.
add_custom_target(tests)
# What `make test` builds: the test programs of all folders but experiments, and what tests in Python run.
add_custom_target(tested)

# gsst_add_tested_targets(<folder>...): gives the target `tested` what these folders, and those that they add, build by default.
# Not experiments: its programs and their tests take a third of the time to build all.
function(gsst_add_tested_targets)
  set(experiments ${PROJECT_SOURCE_DIR}/experiments)
  foreach(folder IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(IS_PREFIX experiments ${folder} is_experiment)
    if(is_experiment OR NOT EXISTS ${folder}/CMakeLists.txt)
      continue()
    endif()
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      get_target_property(left_out ${target} EXCLUDE_FROM_ALL)
      get_target_property(benchmark ${target} GSST_BENCHMARK)
      if(type MATCHES "^(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY)$" AND NOT left_out AND NOT benchmark)
        add_dependencies(tested ${target})
      endif()
    endforeach()
    get_property(below DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
    gsst_add_tested_targets(${below})
  endforeach()
endfunction()

# What `make figures` builds: the command, the measuring programs, and what makes their data; no tests.
add_custom_target(figures)

# gsst_add_targets_of_figures(<folder>...): gives the target `figures` the programs of those folders that measure or make data.
function(gsst_add_targets_of_figures)
  add_dependencies(figures gsst)
  foreach(folder IN LISTS ARGN)
    if(NOT folder MATCHES "^(experiments|data)/" OR NOT EXISTS ${PROJECT_SOURCE_DIR}/${folder}/CMakeLists.txt)
      continue()
    endif()
    get_property(targets DIRECTORY ${PROJECT_SOURCE_DIR}/${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      get_target_property(left_out ${target} EXCLUDE_FROM_ALL)
      get_target_property(place ${target} RUNTIME_OUTPUT_DIRECTORY)
      if(type STREQUAL "EXECUTABLE" AND NOT left_out AND NOT place STREQUAL ${CMAKE_BINARY_DIR}/tests)
        add_dependencies(figures ${target})
      endif()
    endforeach()
  endforeach()
endfunction()

# gsst_add_test(<name> SOURCES <file>... [LIBRARIES <target>...]): a GoogleTest program, or a part of its folder's program.
# Headers are included from the repository root.
function(gsst_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  string(REGEX REPLACE "/.*" "" folder ${folder})
  if(NOT GSST_JOIN_TESTS OR name IN_LIST tests_never_joined)
    gsst_add_test_program(${name} ${folder} "${arg_SOURCES}" "${arg_LIBRARIES}")
    return()
  endif()
  list(TRANSFORM arg_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  set_property(GLOBAL APPEND PROPERTY gsst_test_folders ${folder})
  set_property(GLOBAL APPEND PROPERTY gsst_test_sources_of_${folder} ${arg_SOURCES})
  set_property(GLOBAL APPEND PROPERTY gsst_test_libraries_of_${folder} ${arg_LIBRARIES})
endfunction()

# gsst_add_joined_tests(): the programs of GSST_JOIN_TESTS, <folder>_test, once all tests are added.
function(gsst_add_joined_tests)
  get_property(folders GLOBAL PROPERTY gsst_test_folders)
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    get_property(sources GLOBAL PROPERTY gsst_test_sources_of_${folder})
    get_property(libraries GLOBAL PROPERTY gsst_test_libraries_of_${folder})
    list(REMOVE_DUPLICATES sources)
    list(REMOVE_DUPLICATES libraries)
    gsst_add_test_program(${folder}_test ${folder} "${sources}" "${libraries}")
    # Equal names in two files of a unit are no shadowing.
    target_compile_options(${folder}_test PRIVATE -Wno-shadow)
  endforeach()
endfunction()

# ctest runs a program in parts: to start it for each of its tests takes as long as many of the tests.
# `folder` is the folder of the root that has the tests. Those of experiments have the label measuring.
function(gsst_add_test_program name folder sources libraries)
  add_executable(${name} ${sources})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  # What tests take under a tool.
  target_link_libraries(${name} PRIVATE ${libraries} gsst_test_sample GTest::gtest_main)
  # What takes long in a test is in the libraries, but for the texts beyond 4 GiB of the stages' tests. What checks kernels
  # runs no such text, and compiles the tests of stages in a third of the time.
  if(name MATCHES "^stage_" AND GSST_KERNEL_CHECK STREQUAL "NONE")
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  else()
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  endif()
  gsst_set_warnings(${name})
  add_dependencies(tests ${name})
  set(label)
  if(folder STREQUAL "experiments")
    set(label LABELS measuring)
  else()
    add_dependencies(tested ${name})
  endif()
  set(parts 8)
  # Stages of the same format decode the same frames, which a process compresses once. Where kernels are checked, decoding takes
  # ten minutes and more.
  if(name STREQUAL "stage_decode_test" AND GSST_KERNEL_CHECK STREQUAL "NONE")
    set(parts 2)
  endif()
  math(EXPR last "${parts} - 1")
  foreach(part RANGE ${last})
    add_test(NAME ${name}_${part} COMMAND ${name} --gtest_brief=1 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    # Threads that wait take no time from the other tests.
    set_tests_properties(${name}_${part} PROPERTIES
                         ${label}
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${part};OMP_WAIT_POLICY=passive")
  endforeach()
endfunction()

# gsst_add_benchmark(<name> SOURCES <file>... [LIBRARIES <target>...]): a Google Benchmark program that `make bench` runs.
# Debian's library calls itself a debug build whatever the program is, so the program gets GSST_BUILD_TYPE to report its own.
function(gsst_add_benchmark name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/benchmarks GSST_BENCHMARK ON)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE GSST_BUILD_TYPE="$<CONFIG>")
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} benchmark::benchmark_main)
  gsst_set_warnings(${name})
endfunction()
