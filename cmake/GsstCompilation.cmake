# gsst_define_compilation(target): GSST_COMPILER and GSST_FLAGS are the compiler and its flags, which a measuring
# program says with --version and its results keep, on whatever machine it runs.
function(gsst_define_compilation target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}}" flags)
  target_compile_definitions(${target} PRIVATE
    GSST_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    GSST_FLAGS="${CMAKE_BUILD_TYPE}: ${flags}")
endfunction()
