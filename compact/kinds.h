// Every kind's two functions, one pair a file of the same name. kinds.cc holds the table.
#pragma once
#include <memory>

#include "compact/shaper.h"

namespace pith {

#define PITH_KIND(Name)                   \
  Evidence Detect##Name(const Document&); \
  std::unique_ptr<Shaper> Shape##Name(const Document&)

PITH_KIND(Text);       // text.cc: the general lines view
PITH_KIND(Log);        // log.cc
PITH_KIND(TestRun);    // test_run.cc
PITH_KIND(Build);      // build.cc
PITH_KIND(Search);     // search.cc
PITH_KIND(Diff);       // diff.cc
PITH_KIND(Listing);    // listing.cc: git log, status, ls, ps, aligned tables
PITH_KIND(Table);      // table.cc: CSV, TSV
PITH_KIND(Json);       // json.cc
PITH_KIND(JsonLines);  // json_lines.cc
PITH_KIND(Yaml);       // yaml.cc: YAML, TOML
PITH_KIND(Xml);        // xml.cc
PITH_KIND(Code);       // code.cc
PITH_KIND(Html);       // html.cc
PITH_KIND(Markdown);   // markdown.cc: Markdown, RST, man pages
PITH_KIND(Package);    // package.cc

#undef PITH_KIND

}  // namespace pith
