// What lines of package managers and deployment tools are for.
#pragma once
#include <cstdint>
#include <string_view>

namespace pith {

enum class PackageRole : uint8_t {
  kNone,      // not a line of these tools that is known
  kProgress,  // fetching, unpacking, waiting, what was there already
  kStep,      // what is being done: collecting x, setting up x
  kHeading,   // TASK [x]: says something only with a change or a fault beneath it
  kChange,    // what was changed: changed: [host], # x will be created, Removing x
  kVerdict,   // how it ended: added 3 packages, Plan: 1 to add, PLAY RECAP
};

// `text` as a reader sees it. Looks at its first 200 bytes.
PackageRole RoleOfPackageLine(std::string_view text);

}  // namespace pith
