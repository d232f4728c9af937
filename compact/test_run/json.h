// `go test -json` wraps each line of the run into an event. Here an event gives back the line that it carries.
#pragma once
#include <string>
#include <string_view>

#include "compact/test_run/rows.h"

namespace pith {

struct TestEvent {
  std::string_view text;  // what the line says: itself, or the output inside the event
  std::string unwrapped;
};

// What a line says, event or not.
std::string_view UnwrapTestEvent(std::string_view line, TestEvent& event);

// The row that a line is, or that stands in the event that it is. `event` holds what the row's name refers to.
Row ReadTestEvent(std::string_view line, TestEvent& event);

}  // namespace pith
