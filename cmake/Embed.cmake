# pith_embed(TARGET HEADER FUNCTION FILES...): compiles files into TARGET. HEADER (a path under generated/) declares
#   std::span<const pith::EmbeddedFile> FUNCTION();   each {name (file name), content}
# in the order given. The literals are made at build time by cmake/EmbedFile.cmake.
function(pith_embed target header function)
  set(out ${PROJECT_BINARY_DIR}/generated/${header})
  string(REGEX REPLACE "\\.h$" ".cc" source ${out})
  add_custom_command(OUTPUT ${out} ${source}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DSOURCE=${source} -DHEADER=${header} -DFUNCTION=${function} "-DFILES=${ARGN}" -P ${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake
    DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/EmbedFile.cmake VERBATIM)
  target_sources(${target} PRIVATE ${source} ${out})
endfunction()
