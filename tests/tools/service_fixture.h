// What the tests of this layer share: a Service over a folder of its own, and outputs long enough to be compacted.
#pragma once
#include <doctest/doctest.h>

#include <string>

#include "tests/store/scratch.h"
#include "tools/service.h"

namespace pith::testing {

inline ServiceOptions OptionsIn(const std::string& folder) {
  ServiceOptions options;
  options.store.folder = folder;
  options.name_space = "/project";
  options.folder = "/project";
  options.road = "cli";
  return options;
}

inline std::unique_ptr<Service> OpenedIn(const std::string& folder) {
  Result<std::unique_ptr<Service>> service = Service::Open(OptionsIn(folder));
  REQUIRE(service.ok());
  return service.Take();
}

// A log of `lines` lines with one error in the middle; no final newline where `open` is set.
inline std::string LogOf(int lines, bool open = false) {
  std::string log;
  for (int at = 1; at <= lines; ++at) {
    log += at == lines / 2 ? "12:00:01 ERROR disk full at /var/lib/thing\n"
                           : "12:00:00 INFO request " + std::to_string(at) + " served from cache\n";
  }
  if (open) log.pop_back();
  return log;
}

}  // namespace pith::testing
