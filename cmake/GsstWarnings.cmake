# Compiler warnings for the targets of this repository (never for third-party code).

option(GSST_WARNINGS_AS_ERRORS "Treat compiler warnings as errors" OFF)

# gsst_set_warnings(<target>): turns the warnings on for the target's own C++ sources.
function(gsst_set_warnings target)
  set(warnings
      -Wall
      -Wextra
      -Wpedantic
      -Wconversion
      -Wshadow
      -Wcast-align
      -Wformat=2
      -Wimplicit-fallthrough
      -Wnon-virtual-dtor
      -Wold-style-cast
      -Woverloaded-virtual
      -Wundef
      -Wunused)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND warnings -Wduplicated-cond -Wlogical-op)
    # GCC 12 takes `"text" + std::to_string(x)` for overlapping copies (GCC bug 105651).
    list(APPEND warnings -Wno-restrict)
  else()
    # clang counts changes of sign to -Wconversion and aliases of types to -Wshadow, which g++ does not, and takes a member
    # that only an assertion or a derived kernel reads for unused.
    list(APPEND warnings -Wno-sign-conversion -Wno-shadow -Wno-unused-private-field)
  endif()
  if(GSST_WARNINGS_AS_ERRORS)
    list(APPEND warnings -Werror)
  endif()
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>")
endfunction()
