# The default stages: stages/<series>/defaults.txt says, a line each, which stage runs a format and operation on an executor
# where nobody names one. A fifth word, in_place_of_codec, has the command run a stage for the executor cpu where it would take
# the reference codec. A mistake in such a file ends the configuring with its name and line.

# gsst_read_names(<variable> <enum> <header>): the enumerators of an enum class of a header below the root.
function(gsst_read_names variable enum header)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
  file(READ ${PROJECT_SOURCE_DIR}/${header} content)
  string(REGEX REPLACE "//[^\n]*" "" content "${content}")
  if(NOT content MATCHES "enum class ${enum}[^{]*{([^}]*)}")
    message(FATAL_ERROR "${header}: there is no enum class ${enum}")
  endif()
  string(REGEX MATCHALL "[a-z_]+" names "${CMAKE_MATCH_1}")
  set(${variable} ${names} PARENT_SCOPE)
endfunction()

# gsst_read_formats(<variable>): the names of the formats that series bring, common/format/<series>/formats.cpp. Fails where two
# bring the same.
function(gsst_read_formats variable)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/common/format/*/formats.cpp)
  set(names)
  foreach(file IN LISTS files)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    file(READ ${PROJECT_SOURCE_DIR}/${file} content)
    string(REGEX MATCHALL "\\.name = \"[a-z0-9_]+\"" entries "${content}")
    list(TRANSFORM entries REPLACE ".*\"([a-z0-9_]+)\"" "\\1")
    foreach(name IN LISTS entries)
      if(name IN_LIST names)
        message(FATAL_ERROR "${file}: format '${name}' is there already, in ${file_of_${name}}")
      endif()
      list(APPEND names ${name})
      set(file_of_${name} ${file})
    endforeach()
  endforeach()
  set(${variable} ${names} PARENT_SCOPE)
endfunction()

# gsst_check_default_name(<place> <kind> <name> <known>...): fails where a word of a line is not one of the known ones.
function(gsst_check_default_name place kind name)
  if(NOT name IN_LIST ARGN)
    list(JOIN ARGN ", " known)
    message(FATAL_ERROR "${place}: unknown ${kind} '${name}', known are ${known}")
  endif()
endfunction()

# gsst_read_default_stages(): reads all defaults.txt. Sets GSST_LIBRARY_STAGES_OF_<executor> to the stages that they name for
# an executor and a format of the library's C interface, each once, and GSST_DEFAULT_STAGES_SOURCE to a source with all of their
# lines, for common/stage/default_stages.hpp, and GSST_STAGES_IN_PLACE_OF_CODECS_SOURCE to one with those that have a fifth
# word, for cli/stages_in_place_of_codecs.hpp.
function(gsst_read_default_stages)
  gsst_read_formats(formats)
  set(interface include/gsst/gsst.h)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${interface})
  file(READ ${PROJECT_SOURCE_DIR}/${interface} content)
  string(REGEX MATCHALL "GSST_FORMAT_[A-Z0-9_]+ = " formats_of_library "${content}")
  list(TRANSFORM formats_of_library REPLACE "GSST_FORMAT_([A-Z0-9_]+) = " "\\1")
  list(TRANSFORM formats_of_library TOLOWER)
  gsst_read_names(operations Operation common/stage/stage.hpp)
  gsst_read_names(executors Executor common/stage/stage.hpp)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/stages/*/defaults.txt)
  set(keys)
  set(table "")
  set(in_place_of_codecs "")
  foreach(file IN LISTS files)
    set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${file})
    file(READ ${PROJECT_SOURCE_DIR}/${file} content)
    # Not file(STRINGS), which leaves out empty lines: the others would have wrong numbers. What means something in a list of
    # CMake is in no name.
    string(REGEX REPLACE "[][;]" "?" content "${content}")
    string(REPLACE "\n" ";" lines "${content}")
    set(number 0)
    foreach(line IN LISTS lines)
      math(EXPR number "${number} + 1")
      set(place "${file}:${number}")
      string(REGEX REPLACE "#.*" "" line "${line}")
      string(REGEX MATCHALL "[^ \t\r]+" words "${line}")
      list(LENGTH words count)
      if(count EQUAL 0)
        continue()
      elseif(NOT count EQUAL 4 AND NOT count EQUAL 5)
        message(FATAL_ERROR "${place}: expected 4 words, format, operation, executor and stage, found ${count}")
      endif()
      list(GET words 0 format)
      list(GET words 1 operation)
      list(GET words 2 executor)
      list(GET words 3 stage)
      gsst_check_default_name(${place} format ${format} ${formats})
      gsst_check_default_name(${place} operation ${operation} ${operations})
      gsst_check_default_name(${place} executor ${executor} ${executors})
      if(count EQUAL 5)
        list(GET words 4 place_of_stage)
        gsst_check_default_name(${place} "fifth word" ${place_of_stage} in_place_of_codec)
        if(NOT executor STREQUAL "cpu" OR NOT operation MATCHES "^(decode|encode)$")
          message(FATAL_ERROR "${place}: what codecs do is decode and encode for executor cpu, not ${operation} for ${executor}")
        endif()
        string(APPEND in_place_of_codecs "  if (format == \"${format}\" && operation == Operation::${operation}) return true;\n")
      endif()
      # What CMake finds stages by, for the executor (GsstStages.cmake).
      if(executor STREQUAL "cpu")
        set(code cpu.cpp)
      else()
        set(code stage.cu)
      endif()
      if(NOT stage MATCHES "^[a-z0-9_]+/[a-z0-9_]+$" OR NOT EXISTS ${PROJECT_SOURCE_DIR}/stages/${stage}/${code})
        message(FATAL_ERROR "${place}: there is no stage '${stage}' for executor ${executor}: no file stages/${stage}/${code}")
      endif()
      set(key ${format}_${operation}_${executor})
      if(key IN_LIST keys)
        message(FATAL_ERROR "${place}: ${format} ${operation} ${executor} has a default already, ${place_of_${key}}")
      endif()
      list(APPEND keys ${key})
      set(place_of_${key} ${place})
      if(format IN_LIST formats_of_library)
        list(APPEND stages_of_${executor} ${stage})
      endif()
      string(APPEND table "      {\"${format}\", Operation::${operation}, Executor::${executor}, \"${stage}\"},\n")
      # What must be there too: kernels run on both of their executors.
      if(NOT executor STREQUAL "cpu")
        foreach(other simt gpu)
          list(APPEND wanted ${format}_${operation}_${other})
          set(reason_of_${format}_${operation}_${other} "${place}: there is no line '${format} ${operation} ${other}'")
        endforeach()
      endif()
    endforeach()
  endforeach()
  if(NOT keys)
    message(FATAL_ERROR "stages/*/defaults.txt: no file names a default stage")
  endif()
  foreach(key IN LISTS wanted)
    if(NOT key IN_LIST keys)
      message(FATAL_ERROR "${reason_of_${key}}, and the other executor of kernels has a default")
    endif()
  endforeach()
  list(LENGTH keys count)
  set(source ${PROJECT_BINARY_DIR}/default_stages.cpp)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT [[
// Written by cmake/GsstDefaultStages.cmake from stages/*/defaults.txt.
#include <array>

#include "common/stage/default_stages.hpp"

namespace gsst::stage {

std::span<const DefaultStage> default_stages() {
  static constexpr std::array<DefaultStage, @count@> defaults = {{
@table@  }};
  return defaults;
}

}  // namespace gsst::stage
]])
  set(source_of_command ${PROJECT_BINARY_DIR}/stages_in_place_of_codecs.cpp)
  file(CONFIGURE OUTPUT ${source_of_command} @ONLY CONTENT [=[
// Written by cmake/GsstDefaultStages.cmake from stages/*/defaults.txt.
#include "cli/stages_in_place_of_codecs.hpp"

namespace gsst::cli {

bool runs_in_place_of_codec([[maybe_unused]] std::string_view format, [[maybe_unused]] stage::Operation operation) {
  using stage::Operation;
@in_place_of_codecs@  return false;
}

}  // namespace gsst::cli
]=])
  foreach(executor IN LISTS executors)
    list(APPEND stages_of_${executor} "")
    list(REMOVE_DUPLICATES stages_of_${executor})
    set(GSST_LIBRARY_STAGES_OF_${executor} ${stages_of_${executor}} PARENT_SCOPE)
  endforeach()
  set(GSST_DEFAULT_STAGES_SOURCE ${source} PARENT_SCOPE)
  set(GSST_STAGES_IN_PLACE_OF_CODECS_SOURCE ${source_of_command} PARENT_SCOPE)
endfunction()

# Sources without stages, those of the Python package, are enough for the library on the CPU alone.
if(NOT GSST_LIBRARY_ONLY OR GSST_CUDA_FOUND)
  gsst_read_default_stages()
endif()
