# With PITH_FETCH_MISSING: a library that the system lacks is fetched as a pinned release, refused if its SHA-256 differs,
# and built as a static library of ours. Headers alone are used in place. OpenSSL is not fetched: take the system's.
#
# To build without a network, unpack the releases and name each with -DFETCHCONTENT_SOURCE_DIR_<NAME>=DIR.
include(FetchContent)
set(FETCHCONTENT_QUIET OFF)

#   name      release                                                                       SHA-256
set(PITH_RELEASES
  "json       https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz        d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d"
  "cli11      https://github.com/CLIUtils/CLI11/archive/v2.1.2.tar.gz                       26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb"
  "spdlog     https://github.com/gabime/spdlog/archive/v1.10.0.tar.gz                       697f91700237dbae2326b90469be32b876b2b44888302afbc7aceb68bcfe8224"
  "httplib    https://github.com/yhirose/cpp-httplib/archive/v0.14.3.tar.gz                 dcf6486d9030937636d8a4f820ca9531808fd7edb283893dddbaa05f99357e63"
  "rapidjson  https://github.com/Tencent/rapidjson/archive/v1.1.0.tar.gz                    bf7ced29704a1e696fbccf2a2b4ea068e7774fa37f6d7dd4039d0787f8bed98e"
  "sqlite     https://sqlite.org/2023/sqlite-amalgamation-3440200.zip                       833be89b53b3be8b40a2e3d5fedb635080e3edb204957244f3d6987c2bb2345f"
  "zstd       https://github.com/facebook/zstd/archive/v1.4.4.tar.gz                        a364f5162c7d1a455cc915e8e3cf5f4bd8b75d09bc0f53965b0c9ca1383c52c8"
  "re2        https://github.com/google/re2/archive/2020-07-01.tar.gz                       116c74f4490b5d348492bc3822292320c9e5effe18c87bcafb616be464043321"
  "gumbo      https://github.com/google/gumbo-parser/archive/v0.10.1.tar.gz                 28463053d44a5dfbc4b77bcf49c8cee119338ffa636cc17fc3378421d714efad"
  "hiredis    https://github.com/redis/hiredis/archive/v1.0.2.tar.gz                        e0ab696e2f07deb4252dda45b703d09854e53b9703c7d52182ce5a22616c3819"
  "doctest    https://github.com/doctest/doctest/archive/v2.4.11.tar.gz                     632ed2c05a7f53fa961381497bf8069093f0d6628c5f26286161fbd32a560186")

# pith_fetch(NAME OUT): the release NAME unpacked, its folder in OUT. Its own CMake files are not run.
function(pith_fetch name out)
  foreach(row ${PITH_RELEASES})
    string(REGEX MATCHALL "[^ ]+" fields "${row}")
    list(GET fields 0 row_name)
    if(row_name STREQUAL name)
      list(GET fields 1 url)
      list(GET fields 2 hash)
      message(STATUS "Fetching ${name}: ${url}")
      FetchContent_Declare(${name} URL ${url} URL_HASH SHA256=${hash} SOURCE_SUBDIR none)
      FetchContent_MakeAvailable(${name})
      FetchContent_GetProperties(${name} SOURCE_DIR folder)
      set(${out} ${folder} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "No pinned release of ${name}")
endfunction()

# pith_fetched_headers(TARGET NAME SUBFOLDER): dep_TARGET as the headers of a release.
function(pith_fetched_headers name subfolder)
  pith_fetch(${name} folder)
  add_library(dep_${name} INTERFACE)
  target_include_directories(dep_${name} SYSTEM INTERFACE ${folder}/${subfolder})
endfunction()

# pith_fetched_library(NAME INCLUDE SOURCES...): dep_NAME built from a release; INCLUDE and SOURCES (globs) are relative to it.
function(pith_fetched_library name include)
  pith_fetch(${name} folder)
  list(TRANSFORM ARGN PREPEND ${folder}/)
  file(GLOB sources ${ARGN})
  enable_language(C)
  add_library(dep_${name} STATIC ${sources})
  target_include_directories(dep_${name} SYSTEM PUBLIC ${folder}/${include})
  target_include_directories(dep_${name} PRIVATE ${folder}/lib ${folder}/lib/common)
  target_link_libraries(dep_${name} PUBLIC Threads::Threads)
endfunction()
