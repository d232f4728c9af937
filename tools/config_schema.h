// The JSON Schema of config.json, made from the table of settings. schemas/config.json is this text, kept as a file for
// editors; a test holds the two together.
#pragma once
#include <string>

namespace pith {

std::string ConfigSchema();

}  // namespace pith
