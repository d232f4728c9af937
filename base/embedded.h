// A file that was compiled into the program (schemas, rules). See cmake/Embed.cmake.
#pragma once
#include <string_view>

namespace pith {

struct EmbeddedFile {
  std::string_view name;     // file name without folders
  std::string_view content;  // static storage
};

}  // namespace pith
