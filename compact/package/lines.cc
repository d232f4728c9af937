// One table for all tools: their words hardly ever clash, and several of them print into one output (npm within docker
// build within a CI step). What builders put before a line (#12 3.456, a level) is skipped.
#include "compact/package/lines.h"

#include <algorithm>
#include <array>

#include "compact/characters.h"

namespace pith {
namespace {

struct Row {
  std::string_view start;
  PackageRole role;
};

using enum PackageRole;

constexpr auto kRows = std::to_array<Row>({
    // pip, uv, poetry, conda
    {"Collecting ", kStep},
    {"Downloading ", kProgress},
    {"Downloaded ", kProgress},
    {"Using cached ", kProgress},
    {"Requirement already satisfied", kProgress},
    {"Obtaining dependency information", kProgress},
    {"Preparing metadata", kProgress},
    {"Installing build dependencies", kProgress},
    {"Getting requirements to build", kProgress},
    {"Building wheel", kProgress},
    {"Created wheel", kProgress},
    {"Stored in directory", kProgress},
    {"Building wheels for", kProgress},
    {"Installing collected packages", kStep},
    {"Looking in indexes", kProgress},
    {"Attempting uninstall", kProgress},
    {"Found existing installation", kProgress},
    {"Uninstalling ", kProgress},
    {"Successfully uninstalled", kChange},
    {"Would install ", kVerdict},
    {"Successfully installed", kVerdict},
    {"Successfully built", kVerdict},
    {"Solving environment", kProgress},
    {"Collecting package metadata", kProgress},
    // npm, yarn, pnpm
    {"npm http", kProgress},
    {"npm timing", kProgress},
    {"npm info", kProgress},
    {"npm sill", kProgress},
    {"npm silly", kProgress},
    {"npm verb", kProgress},
    {"Progress: resolved", kProgress},
    {"added ", kVerdict},
    {"removed ", kVerdict},
    {"changed ", kVerdict},
    {"audited ", kVerdict},
    {"up to date", kVerdict},
    {"found 0 vulnerabilities", kVerdict},
    {"run `npm fund`", kProgress},
    {"Run `npm audit`", kStep},
    {"Done in ", kVerdict},
    {"success Saved", kVerdict},
    // apt, dpkg, dnf, apk
    {"Get:", kProgress},
    {"Hit:", kProgress},
    {"Ign:", kProgress},
    {"Fetched ", kStep},
    {"Reading package lists", kProgress},
    {"Reading state information", kProgress},
    {"Building dependency tree", kProgress},
    {"Selecting previously unselected", kProgress},
    {"Preparing to unpack", kProgress},
    {"Unpacking ", kProgress},
    {"(Reading database", kProgress},
    {"Processing triggers", kProgress},
    {"Setting up ", kStep},
    {"Removing ", kChange},
    {"Purging ", kChange},
    {"Inst ", kStep},  // apt-get -s
    {"Conf ", kProgress},
    {"Remv ", kChange},
    {"Purg ", kChange},
    {"update-alternatives:", kProgress},
    {"Created symlink", kProgress},
    {"Adding debian:", kProgress},
    {"invoke-rc.d:", kStep},
    {"debconf:", kProgress},
    // cargo, go, gem, composer, maven, gradle
    {"Updating crates.io index", kProgress},
    {"Locking ", kStep},
    {"Adding ", kStep},
    {"Updating ", kStep},
    {"go: downloading", kProgress},
    {"go: finding", kProgress},
    {"go: extracting", kProgress},
    {"go: added ", kChange},
    {"go: upgraded ", kChange},
    {"go: downgraded ", kChange},
    {"go: removed ", kChange},
    {"all modules verified", kVerdict},
    {"Fetching ", kProgress},
    {"Resolving ", kProgress},
    {"Installing ", kStep},
    {"Using ", kProgress},
    {"Bundle complete", kVerdict},
    {"Downloading from ", kProgress},
    {"Downloaded from ", kProgress},
    {"Download ", kProgress},
    {"Progress (", kProgress},
    {"BUILD ", kVerdict},
    {"Total time:", kVerdict},
    // docker
    {"transferring ", kProgress},
    {"resolve ", kProgress},
    {"extracting ", kProgress},
    {"sha256:", kProgress},
    {"exporting ", kProgress},
    {"writing image", kVerdict},
    {"naming to ", kVerdict},
    {"CACHED", kProgress},
    {"DONE ", kProgress},
    {"Pulling ", kProgress},
    {"Waiting", kProgress},
    {"Verifying Checksum", kProgress},
    {"Download complete", kProgress},
    {"Pull complete", kProgress},
    {"Already exists", kProgress},
    {"Sending build context", kProgress},
    {"---> ", kProgress},
    {"Step ", kStep},
    {"Successfully tagged", kVerdict},
    {"Digest: ", kVerdict},
    {"Status: ", kVerdict},
    // terraform
    {"Refreshing state", kProgress},
    {"Initializing ", kStep},
    {"- Finding ", kProgress},
    {"- Installing ", kProgress},
    {"- Installed ", kStep},
    {"Plan: ", kVerdict},
    {"Apply complete!", kVerdict},
    {"No changes.", kVerdict},
    {"Destroy complete!", kVerdict},
    {"# ", kChange},
    {"Changes to Outputs", kChange},
    {"Outputs:", kVerdict},
    // ansible
    {"ok: [", kProgress},
    {"skipping: [", kProgress},
    {"included: ", kProgress},
    {"TASK [", kHeading},
    {"PLAY [", kStep},
    {"RUNNING HANDLER [", kHeading},
    {"changed: [", kChange},
    {"PLAY RECAP", kVerdict},
    // helm, kubectl
    {"Hang tight while we", kProgress},
    {"...Successfully got an update", kProgress},
    {"STATUS: ", kVerdict},
    {"REVISION: ", kVerdict},
    {"Release \"", kVerdict},
});

// Words behind the name of a thing: aws_instance.web: Still creating... [10s elapsed], pod/x created
constexpr auto kEnds = std::to_array<Row>({
    {": Refreshing state...", kProgress}, {": Still creating...", kProgress},
    {": Creating...", kProgress},         {": Reading...", kProgress},
    {": Read complete", kProgress},       {": Still destroying...", kProgress},
    {": Destroying...", kProgress},       {": Modifying...", kProgress},
    {": Still modifying...", kProgress},  {": Creation complete", kChange},
    {": Destruction complete", kChange},  {": Modifications complete", kChange},
    {": Pulling fs layer", kProgress},    {": Waiting", kProgress},
    {": Verifying Checksum", kProgress},  {": Download complete", kProgress},
    {": Pull complete", kProgress},       {": Already exists", kProgress},
    {": Downloading", kProgress},         {": Extracting", kProgress},
});

using ascii::IsDigit;

// Text behind blanks, a builder's "#12 3.456 " and a level in brackets.
std::string_view Bare(std::string_view text) {
  text = text.substr(0, 200);
  const auto skip_blanks = [&] { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); };
  skip_blanks();
  if (text.size() > 2 && text[0] == '#' && IsDigit(text[1])) {
    text.remove_prefix(std::min(text.find(' '), text.size()));
    skip_blanks();
    const size_t number = text.find_first_not_of("0123456789.");
    if (number != std::string_view::npos && number > 0 && text[number] == ' ') text.remove_prefix(number + 1);
  }
  for (std::string_view level : {"[INFO] ", "info: ", "info "}) {
    if (text.starts_with(level)) text.remove_prefix(level.size());
  }
  skip_blanks();
  return text;
}

// Bars: ━━━━ 8.0/8.0 MB, ####### 100%, [=====>   ]
bool IsBar(std::string_view text) {
  if (text.starts_with("\xe2\x94\x81") || text.starts_with("\xe2\x96\x88")) return true;
  const size_t percent = text.find('%');
  if (percent == std::string_view::npos) return text.starts_with("[==") || text.starts_with("####");
  return text.find_first_not_of("#=->.[] 0123456789|", 0) >= percent;
}

}  // namespace

PackageRole RoleOfPackageLine(std::string_view text) {
  const std::string_view bare = Bare(text);
  if (bare.empty()) return kNone;
  if (IsBar(bare)) return kProgress;
  for (const Row& row : kRows) {
    if (bare[0] == row.start[0] && bare.starts_with(row.start)) return row.role;
  }
  const size_t colon = bare.find(": ");
  if (colon == std::string_view::npos) return kNone;
  for (const Row& row : kEnds) {
    if (bare.substr(colon).starts_with(row.start)) return row.role;
  }
  return kNone;
}

}  // namespace pith
