# libFuzzer programs. They need clang and code that reports coverage: the preset `fuzz` sets both.

option(GSST_FUZZ "Build the fuzzers (clang; use the preset fuzz)" OFF)

if(GSST_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "GSST_FUZZ needs clang++, the compiler is ${CMAKE_CXX_COMPILER}: use `cmake --preset fuzz`.")
  endif()
  # Builds every fuzzer and nothing else.
  add_custom_target(fuzzers)
endif()

# gsst_add_fuzz_target(<name> SOURCES <file>... [LIBRARIES <target>...]): a fuzzer that `make fuzz` runs.
function(gsst_add_fuzz_target name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  gsst_set_warnings(${name})
  add_dependencies(fuzzers ${name})
endfunction()
