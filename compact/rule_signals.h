// Words that a command's rule (compact/rules/*.json, "signals") adds to the shared ones: "CrashLoopBackOff" of kubectl,
// "forces replacement" of terraform.
#pragma once
#include "compact/document.h"

namespace pith {

// Marks each line that holds one of the words of its command's rule, as a whole word and as it is written there, as an
// error. Linear in the bytes for each word; nothing where the rule has none.
void MarkRuleSignals(Document& document);

}  // namespace pith
