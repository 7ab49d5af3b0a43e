# What `make check` builds of one stage to test its kernels on the CPU: three programs of the same tests, check_plain, check_race and
# check_address, which differ in how the kernels and the executor are compiled. All else is compiled once, and no other stage is.

set(GSST_CHECK_STAGE "" CACHE STRING "The stage, <series>/<number_idea>, whose programs of make check can be built")

# gsst_leave_out_tests_of_others(<variable> <stage>): takes from a list of sources of tests those that include code of another
# stage, or of another program, of the series: nobody links it.
function(gsst_leave_out_tests_of_others variable stage)
  string(REGEX REPLACE "/.*" "" series ${stage})
  set(kept)
  foreach(source IN LISTS ${variable})
    file(STRINGS ${source} lines REGEX "^#include \"stages/${series}/")
    string(REGEX REPLACE "#include \"stages/(${stage}|${series}/(tests|shared|encode))/[^\"]*\"" "" others "${lines}")
    if(NOT others MATCHES "#include")
      list(APPEND kept ${source})
    endif()
  endforeach()
  set(${variable} ${kept} PARENT_SCOPE)
endfunction()

# gsst_add_check_tests(<variable> <folder> <series>): object libraries of the tests of what the stage in `folder` does; a list of
# their objects.
function(gsst_add_check_tests variable folder series)
  set(sources_of_decode suite/stage_test.cpp suite/forbidden_guards.cpp suite/output_difference.cpp suite/decode_test.cpp)
  set(sources_of_encode suite/encode_file_test.cpp)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cu ${folder}/*.cuh ${folder}/*.hpp)
  set(operations)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} lines REGEX "Operation::(decode|encode|ranges|query)")
    string(REGEX MATCHALL "Operation::(decode|encode|ranges|query)" found "${lines}")
    list(APPEND operations ${found})
  endforeach()
  list(TRANSFORM operations REPLACE ".*:" "")
  list(REMOVE_DUPLICATES operations)
  set(objects)
  foreach(operation suite ${operations})
    set(sources ${sources_of_${operation}})
    if(operation STREQUAL "suite")
      set(sources suite/stage_case.cpp)
    endif()
    list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/stages/)
    file(GLOB of_series CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/stages/${series}/tests/${operation}/*.cpp)
    gsst_leave_out_tests_of_others(of_series ${GSST_CHECK_STAGE})
    set(target check_tests_${operation})
    add_library(${target} OBJECT EXCLUDE_FROM_ALL ${sources} ${of_series})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${target} PRIVATE gsst_stage gsst_stage_encoding gsst_reference gsst_test_inputs gsst_test_sample
                                            nlohmann_json::nlohmann_json GTest::gtest)
    target_compile_definitions(${target} PRIVATE GSST_WITH_CUDA=0)
    target_compile_options(${target} PRIVATE -O0)
    gsst_set_warnings(${target})
    list(APPEND objects $<TARGET_OBJECTS:${target}>)
  endforeach()
  set(${variable} ${objects} PARENT_SCOPE)
endfunction()

# gsst_add_check_objects(<name> <check> <source>... OPTIONS <option>...): an object library, compiled for one of the three checks.
function(gsst_add_check_objects target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OPTIONS")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL ${arg_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # As in gsst_add_kernels_on_cpu().
  target_compile_options(${target} PRIVATE -Wno-unknown-pragmas ${arg_OPTIONS})
  # With sanitizers g++ warns of conversions that it otherwise knows to be right.
  if(target MATCHES "^check_plain_")
    gsst_set_warnings(${target})
  endif()
endfunction()

# gsst_add_stage_check(): the programs for GSST_CHECK_STAGE.
function(gsst_add_stage_check)
  set(folder ${PROJECT_SOURCE_DIR}/stages/${GSST_CHECK_STAGE})
  if(NOT EXISTS ${folder}/stage.cu)
    message(FATAL_ERROR "GSST_CHECK_STAGE is '${GSST_CHECK_STAGE}': there is no stages/${GSST_CHECK_STAGE}/stage.cu")
  endif()
  string(REGEX REPLACE "/.*" "" series ${GSST_CHECK_STAGE})
  gsst_add_check_tests(tests ${folder} ${series})
  # The stage, and the kernels that tests of its series bring.
  file(GLOB kernels CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/stages/${series}/tests/query/*.cu)
  if(NOT TARGET check_tests_query)
    set(kernels)
  endif()
  list(PREPEND kernels ${folder}/stage.cu)
  set(executor access_trace.cpp block_executor.cpp executor.cpp fiber.cpp observed_flow.cpp source_line.cpp warp_accesses.cpp alignment.cpp)
  list(TRANSFORM executor PREPEND ${PROJECT_SOURCE_DIR}/common/simt/)
  set(observer_plain no_access_observer.cpp)
  set(observer_race race_detector.cpp tsan_functions.cpp)
  set(observer_address no_access_observer.cpp)
  # Of kernels, as GsstKernelCheck.cmake has them; AddressSanitizer sees the executor's stacks too. With it, of what C++ leaves
  # undefined, what says something about a kernel and compiles fast.
  # For a debugger.
  set(kernels_plain -Og -g -fsanitize=alignment)
  set(kernels_race -O1 -g1 -fsanitize=thread)
  set(kernels_address -O1 -g1 -fsanitize=address,shift,bounds,signed-integer-overflow,integer-divide-by-zero
      -fno-sanitize-recover=all -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS)
  set(executor_plain -O2 -g)
  set(executor_race -O2 -g1)
  set(executor_address -O2 -g1 -fsanitize=address -fno-omit-frame-pointer)
  foreach(check plain race address)
    set(sources)
    foreach(kernel IN LISTS kernels)
      file(RELATIVE_PATH included ${PROJECT_SOURCE_DIR} ${kernel})
      string(REGEX REPLACE "[/.]" "_" name ${included})
      set(source ${CMAKE_CURRENT_BINARY_DIR}/check_${check}_${name}.cpp)
      file(GENERATE OUTPUT ${source} CONTENT "#include \"${included}\"\n")
      list(APPEND sources ${source})
    endforeach()
    gsst_add_check_objects(check_${check}_kernels SOURCES ${sources} OPTIONS ${kernels_${check}})
    set_target_properties(check_${check}_kernels PROPERTIES UNITY_BUILD OFF)
    set(observer ${observer_${check}})
    list(TRANSFORM observer PREPEND ${PROJECT_SOURCE_DIR}/common/simt/)
    gsst_add_check_objects(check_${check}_executor SOURCES ${executor} ${observer} OPTIONS ${executor_${check}})
    set_source_files_properties(${observer} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    # The kernels' objects come first: of an inline function that several objects have the linker takes the first one, which must
    # be an instrumented one. The executor's objects leave nothing to take from gsst_simt.
    add_executable(check_${check} EXCLUDE_FROM_ALL $<TARGET_OBJECTS:check_${check}_kernels> $<TARGET_OBJECTS:check_${check}_executor> ${tests})
    set_target_properties(check_${check} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests LINKER_LANGUAGE CXX)
    target_link_libraries(check_${check} PRIVATE gsst_stage gsst_stage_encoding gsst_reference gsst_test_inputs gsst_test_sample
                                                 nlohmann_json::nlohmann_json GTest::gtest_main
                                                 # What plans of series take from elsewhere.
                                                 $<TARGET_PROPERTY:gsst_stages,INTERFACE_LINK_LIBRARIES>)
  endforeach()
  target_link_options(check_race PRIVATE -Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset)
  target_link_options(check_address PRIVATE -fsanitize=address,shift)
endfunction()

if(GSST_CHECK_STAGE)
  gsst_add_stage_check()
endif()
