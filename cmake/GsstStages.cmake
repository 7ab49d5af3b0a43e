# Stages: each folder stages/<series>/<number_idea>/ with a stage.cu is one. Nothing names it but the folder itself.

# gsst_add_stages(<target>): an interface library with the objects of every stage, compiled for the CPU executor and, where
# nvcc is found, for the GPU. Objects, not archives: a linker would drop a registration that nothing refers to.
function(gsst_add_stages target)
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE gsst_stage gsst_encode_stage gsst_reference)
  file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages/*/*/stage.cu)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE "/" "_" name ${folder})

    # The same source as C++: a file of another language in the same folder needs another name.
    set(simt_source ${CMAKE_CURRENT_BINARY_DIR}/${name}_simt.cpp)
    file(GENERATE OUTPUT ${simt_source} CONTENT "#include \"${source}\"\n")
    add_library(${name}_simt OBJECT ${simt_source})
    gsst_check_kernels(${name}_simt)
    target_include_directories(${name}_simt PRIVATE ${PROJECT_SOURCE_DIR})
    gsst_set_warnings(${name}_simt)
    # g++ does not know #pragma unroll, which kernels need for nvcc.
    target_compile_options(${name}_simt PRIVATE -Wno-unknown-pragmas)
    target_sources(${target} INTERFACE $<TARGET_OBJECTS:${name}_simt>)

    if(GSST_CUDA_FOUND)
      add_library(${name}_gpu OBJECT ${PROJECT_SOURCE_DIR}/${source})
      target_include_directories(${name}_gpu PRIVATE ${PROJECT_SOURCE_DIR})
      # std::array's members are constexpr; kernels and accessors use them.
      target_compile_options(${name}_gpu PRIVATE --expt-relaxed-constexpr -lineinfo)
      target_sources(${target} INTERFACE $<TARGET_OBJECTS:${name}_gpu>)
    endif()
  endforeach()
endfunction()
