# Series: what one brings is found by its folders. Nothing names a series but the folders themselves.

# gsst_add_series(<target> <parent> <file> TYPE <type> RETURNS <type> PREFIX <prefix> [PARAMETERS <types>] TABLE <name> NAMESPACE <namespace>
# HEADER <header>):
# adds to the target the sources of the series' folders in <parent> that have a file <file>, and a source that defines
# `std::span<const <TYPE>> <TABLE>()`: the series' functions, `<RETURNS> <PREFIX><series>(<PARAMETERS>)`, pointers to which have that type and
# which <file> defines. <HEADER> declares it all. The source is an object of its own: a test with another table leaves it out.
function(gsst_add_series target parent file)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "TYPE;RETURNS;PREFIX;PARAMETERS;TABLE;NAMESPACE;HEADER" "")
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/${parent}/*/${file})
  get_target_property(shared ${target} SOURCES)
  set_source_files_properties(${shared} PROPERTIES UNITY_GROUP all_series)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  set(declarations "")
  set(functions "")
  set(count 0)
  foreach(path IN LISTS files)
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(series ${folder} NAME)
    file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
    target_sources(${target} PRIVATE ${sources})
    # One unit for each series: what a result was measured with is held to what its compiler read.
    set_source_files_properties(${sources} PROPERTIES UNITY_GROUP ${series})
    string(APPEND declarations "${arg_RETURNS} ${arg_PREFIX}${series}(${arg_PARAMETERS});\n")
    string(APPEND functions "      ${arg_PREFIX}${series},\n")
    math(EXPR count "${count} + 1")
  endforeach()
  if(count EQUAL 0)
    message(FATAL_ERROR "${parent}/*/${file}: there is no such file")
  endif()
  set(source ${PROJECT_BINARY_DIR}/${arg_TABLE}.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Written by cmake/GsstSeries.cmake from @parent@/*/@file@.
#include <array>

#include "@arg_HEADER@"

namespace @arg_NAMESPACE@ {

@declarations@
std::span<const @arg_TYPE@> @arg_TABLE@() {
  static constexpr std::array<@arg_TYPE@, @count@> functions = {{
@functions@  }};
  return functions;
}

}  // namespace @arg_NAMESPACE@
]])
  # Of no group: an object of its own.
  target_sources(${target} PRIVATE ${source})
endfunction()
