# Stages: each folder stages/<series>/<number_idea>/ with a stage.cu, for kernels, or a cpu.cpp, for code of the host's own, is
# one. Nothing names it but the folder itself.

# gsst_add_kernels_on_cpu(<target> <source.cu>): an object library of a CUDA source compiled as C++ for the CPU executor.
function(gsst_add_kernels_on_cpu target source)
  # The same source as C++: a file of another language in the same folder needs another name.
  file(RELATIVE_PATH included ${PROJECT_SOURCE_DIR} ${source})
  set(cpu_source ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
  file(GENERATE OUTPUT ${cpu_source} CONTENT "#include \"${included}\"\n")
  add_library(${target} OBJECT ${cpu_source})
  gsst_check_kernels(${target})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  gsst_set_warnings(${target})
  # g++ does not know #pragma unroll, which kernels need for nvcc. Nobody measures kernels on a CPU: -O1 compiles in two thirds
  # of the time of -O3.
  target_compile_options(${target} PRIVATE -Wno-unknown-pragmas $<$<CONFIG:Release>:-O1>)
  if(GSST_PRECOMPILED_HEADERS)
    gsst_precompile_headers_of_kernels(${target})
  endif()
endfunction()

# Each kernel reads the same headers of the standard library, which takes a quarter of the time to compile it. A compiler's cache
# has the objects already, and would not keep those that are compiled so; clang-tidy reads commands where nothing is compiled.
set(precompiled_headers OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND GSST_KERNEL_CHECK STREQUAL "NONE" AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompiled_headers ON)
endif()
option(GSST_PRECOMPILED_HEADERS "Compile the standard library's headers once for all kernels on the CPU" ${precompiled_headers})

# gsst_precompile_headers_of_kernels(<target>): for gsst_add_kernels_on_cpu(), once it has set all options. The first target's are
# compiled, and those that follow, with the same options, use them.
function(gsst_precompile_headers_of_kernels target)
  get_property(first GLOBAL PROPERTY gsst_precompiled_kernels)
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE <algorithm> <array> <bit> <cstddef> <cstdint> <cstring> <functional> <limits> <map> <memory>
    <optional> <span> <stdexcept> <string> <string_view> <type_traits> <utility> <vector>)
  set_property(GLOBAL PROPERTY gsst_precompiled_kernels ${target})
endfunction()

# gsst_add_kernels_on_gpu(<target> <source.cu>): an object library of a CUDA source compiled by nvcc.
function(gsst_add_kernels_on_gpu target source)
  add_library(${target} OBJECT ${source})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # std::array's members are constexpr; kernels and accessors use them.
  target_compile_options(${target} PRIVATE --expt-relaxed-constexpr -lineinfo)
endfunction()

# gsst_add_kernels_for_all_executors(<target> <scope> <name> <source>): gives the target the objects of a source file, compiled
# where nvcc is found for the GPU, <name>_gpu, and for the CPU executor, <name>_simt. In this order: a linker takes an inline
# function of the host's side, which training runs, from the first that has it, and only the second is compiled with -O1.
function(gsst_add_kernels_for_all_executors target scope name source)
  if(GSST_CUDA_FOUND)
    gsst_add_kernels_on_gpu(${name}_gpu ${source})
    target_sources(${target} ${scope} $<TARGET_OBJECTS:${name}_gpu>)
  endif()
  gsst_add_kernels_on_cpu(${name}_simt ${source})
  target_sources(${target} ${scope} $<TARGET_OBJECTS:${name}_simt>)
endfunction()

# gsst_set_instructions(<variable>): sources in the list of that name that end with _sse2, _avx2 or _avx512 are compiled for
# processors that have these instructions, on x86-64; elsewhere they leave the list. What calls them asks the processor first.
function(gsst_set_instructions variable)
  set(sources ${${variable}})
  set(instructions_sse2 -msse2)
  set(instructions_avx2 -mavx2 -mbmi -mbmi2 -mpopcnt -mprfchw)
  # GCC 12 takes the values that its own intrinsics leave open for forgotten ones (GCC bug 105593).
  set(instructions_avx512 ${instructions_avx2} -mavx512f -mavx512bw -mavx512vl -mavx512vbmi2
                          $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  foreach(name sse2 avx2 avx512)
    foreach(source IN LISTS sources)
      if(NOT source MATCHES "_${name}\\.cpp$")
        continue()
      elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
        set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${instructions_${name}}")
      else()
        list(REMOVE_ITEM sources ${source})
      endif()
    endforeach()
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# gsst_add_code_for_the_host(<target> <folder>): an object library of a stage's code without a kernel, for the executor cpu: all
# sources of its folder.
function(gsst_add_code_for_the_host target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  gsst_set_instructions(sources)
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  gsst_set_warnings(${target})
endfunction()

# gsst_add_unvectorised_stages(<target>): an interface library with the stages of the folders that have an unvectorised.hpp,
# compiled a second time without the compiler's own vectorisation, to measure what it is worth. They are registered as
# <id>_unvectorised. For tests and programs that measure.
function(gsst_add_unvectorised_stages target)
  add_library(${target} INTERFACE)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages/*/*/unvectorised.hpp)
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "[/.]" "_" name ${header})
    get_filename_component(folder ${header} DIRECTORY)
    gsst_add_code_for_the_host(${name} ${PROJECT_SOURCE_DIR}/${folder})
    target_compile_definitions(${name} PRIVATE GSST_UNVECTORISED)
    target_compile_options(${name} PRIVATE -fno-tree-vectorize -fno-tree-slp-vectorize)
    target_sources(${target} INTERFACE $<TARGET_OBJECTS:${name}>)
  endforeach()
endfunction()

# gsst_add_stages(<target>): an interface library with the objects of every stage, compiled for the CPU executor and, where
# nvcc is found, for the GPU, and those of the folders with a cpu.cpp, which runs without a kernel. Objects, not archives: a linker
# would drop a registration that nothing refers to.
function(gsst_add_stages target)
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE gsst_stage gsst_stage_encoding gsst_reference)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages/*/*/stage.cu)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE "/" "_" name ${folder})
    gsst_add_kernels_for_all_executors(${target} INTERFACE ${name} ${PROJECT_SOURCE_DIR}/${source})
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages/*/*/cpu.cpp)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE "/" "_" name ${folder})
    gsst_add_code_for_the_host(${name}_cpu ${PROJECT_SOURCE_DIR}/${folder})
    target_sources(${target} INTERFACE $<TARGET_OBJECTS:${name}_cpu>)
  endforeach()
endfunction()

# gsst_add_trace(<program> <kernels> <main>): a program that traces the kernels of an object library.
function(gsst_add_trace program kernels main)
  add_executable(${program} EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/${main})
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/traces)
  target_link_libraries(${program} PRIVATE ${kernels} gsst_access_tracer gsst_cli gsst_stage gsst_stage_encoding gsst_reference)
  gsst_set_warnings(${program})
endfunction()

# gsst_add_traces(): a program trace_<series>_<stage> for each stage with kernels, the command with this stage alone, whose
# accesses it counts. Only `make trace` builds one. Where the stage decodes ranges, which the command does not, there is a second
# program that does.
function(gsst_add_traces)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages/*/*/stage.cu)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE "stages/" "trace_" program ${folder})
    string(REPLACE "/" "_" program ${program})
    # As in gsst_add_kernels_on_cpu().
    set(cpu_source ${CMAKE_CURRENT_BINARY_DIR}/${program}.cpp)
    file(GENERATE OUTPUT ${cpu_source} CONTENT "#include \"${source}\"\n")
    add_library(${program}_kernels OBJECT EXCLUDE_FROM_ALL ${cpu_source})
    target_include_directories(${program}_kernels PRIVATE ${PROJECT_SOURCE_DIR})
    gsst_set_warnings(${program}_kernels)
    target_compile_options(${program}_kernels PRIVATE -Wno-unknown-pragmas)
    gsst_trace_kernels(${program}_kernels)
    gsst_add_trace(${program} ${program}_kernels cli/main.cpp)
    file(STRINGS ${PROJECT_SOURCE_DIR}/${source} ranges REGEX "Operation::ranges")
    if(ranges)
      gsst_add_trace(${program}_ranges ${program}_kernels cli/trace_ranges.cpp)
      add_dependencies(${program} ${program}_ranges)
    endif()
  endforeach()
endfunction()

# gsst_add_unchecked_stages(<program>): the kernels without their checks of damaged input, stages/*/*/unchecked.cu, to measure
# what the checks cost. For a program that decodes frames of its own making only.
function(gsst_add_unchecked_stages program)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages/*/*/unchecked.cu)
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "[/.]" "_" name ${source})
    gsst_add_kernels_on_gpu(${name} ${PROJECT_SOURCE_DIR}/${source})
    target_link_libraries(${name} PRIVATE gsst_stage)
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:${name}>)
  endforeach()
endfunction()

# gsst_add_stages_for_older_gpus(<program>): stages that have code of their own for older GPUs, compiled with that code for all
# executors, stages/*/*/older_gpus.cu. For tests.
function(gsst_add_stages_for_older_gpus program)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages/*/*/older_gpus.cu)
  foreach(source IN LISTS sources)
    string(REGEX REPLACE "[/.]" "_" name ${source})
    gsst_add_kernels_for_all_executors(${program} PRIVATE ${name} ${PROJECT_SOURCE_DIR}/${source})
  endforeach()
endfunction()
