# What the kernels, and they alone, are compiled for when they run on the CPU:
#   NONE      nothing more
#   RACE      each access tells common/simt/race_detector.cpp. The compiler's flag is used without its library.
#   COVERAGE  counts how often each line runs, for gcov. Kernels count offsets modulo 2^64, and add them to null where only the
#             input is looked at: clang's sanitizer takes both for mistakes. AddressSanitizer sees what is read and written.

set(GSST_KERNEL_CHECK NONE CACHE STRING "What kernels are compiled for on the CPU: NONE, RACE or COVERAGE")
set_property(CACHE GSST_KERNEL_CHECK PROPERTY STRINGS NONE RACE COVERAGE)
if(NOT GSST_KERNEL_CHECK MATCHES "^(NONE|RACE|COVERAGE)$")
  message(FATAL_ERROR "GSST_KERNEL_CHECK is '${GSST_KERNEL_CHECK}'; it must be NONE, RACE or COVERAGE")
endif()

# It takes a fifth of the time to compile the kernels: `.ci/run` turns it on. `make check` always has it, for its one stage.
option(GSST_CHECK_ALIGNMENT "Where GSST_KERNEL_CHECK is NONE, kernels on the CPU stop at an address that is not aligned for its type" OFF)

# gsst_check_kernels(<target>): compiles the target, which holds kernels, as GSST_KERNEL_CHECK says. Programs that link it
# link gsst_simt too, which brings what the instrumented code calls.
function(gsst_check_kernels target)
  if(GSST_KERNEL_CHECK STREQUAL "RACE")
    # Not -O2, which turns loops over bytes into calls and vectors before they are instrumented.
    target_compile_options(${target} PRIVATE -fsanitize=thread -O1 -g1)
  elseif(GSST_KERNEL_CHECK STREQUAL "COVERAGE")
    target_compile_options(${target} PRIVATE --coverage -O0 -fno-sanitize=pointer-overflow)
  endif()
  # Each access tells common/simt/alignment.cpp where its address is not a multiple of what its type asks for. In the build for
  # COVERAGE all code is compiled so, and the compiler's own library tells. Not for RACE: with both, g++ no longer leaves out
  # reads whose value is not used, of symbols that a table does not have.
  # Always for the test of the check itself.
  if(GSST_KERNEL_CHECK STREQUAL "NONE" AND (GSST_CHECK_ALIGNMENT OR target STREQUAL "simt_alignment_test"))
    target_compile_options(${target} PRIVATE -fsanitize=alignment)
  endif()
endfunction()

# gsst_trace_kernels(<target>): compiles the target, which holds kernels, so that each access, and each piece of code that is
# gone through to its end, tells common/simt/access_tracer.cpp. Programs that link it link gsst_access_tracer. No jumps are threaded:
# where a condition is tested again the ways of lanes meet, in the source and on a GPU, and would not where the second test is left out.
# Lines are named below the repository's root, wherever a compiler's cache has the object from. The compiler
# threads jumps to find out which values are set; the builds that do warn of the others.
function(gsst_trace_kernels target)
  target_compile_options(${target} PRIVATE -fsanitize=thread -fsanitize-coverage=trace-pc -O1 -g1
    -fdebug-prefix-map=${PROJECT_SOURCE_DIR}=. $<$<CXX_COMPILER_ID:GNU>:-fno-thread-jumps;-Wno-maybe-uninitialized>)
endfunction()
