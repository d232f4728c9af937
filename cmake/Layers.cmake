# pith_layer(NAME DEPS ...): the folder NAME as the static library pith_NAME (alias pith::NAME).
# A layer sees only what it names in DEPS when it links; tests/layers_test.cmake holds the #includes to the same arrows.
function(pith_layer name)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${name}/*.cc)
  add_library(pith_${name} STATIC ${sources})
  add_library(pith::${name} ALIAS pith_${name})
  target_link_libraries(pith_${name} PUBLIC pith_options ${ARG_DEPS})
  set_target_properties(pith_${name} PROPERTIES EXPORT_NAME ${name})
endfunction()

# pith_program(NAME SOURCES ... LIBS ...): an executable, linked static where that is asked for.
function(pith_program name)
  cmake_parse_arguments(ARG "SHARED" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE pith_options ${ARG_LIBS})
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  if(PITH_STATIC AND NOT ARG_SHARED)
    target_link_options(${name} PRIVATE -static)
  endif()
endfunction()
