#include "tests/compact/originals.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace pith::test {
namespace {

std::string Repeat(std::string_view unit, uint64_t times) {
  std::string out;
  out.reserve(unit.size() * times);
  for (uint64_t i = 0; i < times; ++i) out += unit;
  return out;
}

const std::vector<std::string> kWords = {"cache", "worker", "request", "session", "user",   "index",  "shard", "queue",
                                         "token", "stream", "packet",  "handler", "config", "module", "driver"};

std::string Sentence(Random& random, uint64_t words) {
  std::string out;
  for (uint64_t i = 0; i < words; ++i) out += (i ? " " : "") + random.Of(kWords);
  return out;
}

std::string LogLines(Random& random, uint64_t lines) {
  static const std::array<std::string, 8> levels = {"INFO", "INFO", "INFO", "DEBUG", "INFO", "DEBUG", "WARN", "ERROR"};
  std::string out;
  for (uint64_t i = 0; i < lines; ++i) {
    out += "2024-05-01T10:" + std::to_string(10 + i / 60 % 50) + ":" + std::to_string(10 + i % 50) + "Z " +
           levels[random.Below(random.OneIn(20) ? 8 : 6)] + " " + random.Of(kWords) + ": " + Sentence(random, 4) +
           " id=" + std::to_string(random.Below(100000)) + "\n";
  }
  return out;
}

std::string PytestLines(Random& random, uint64_t lines) {
  std::string out = "============================= test session starts ==============================\ncollected " +
                    std::to_string(lines) + " items\n\n";
  std::string failures, summary;
  uint64_t failed = 0;
  for (uint64_t i = 0; i < lines; ++i) {
    bool fails = random.OneIn(15);
    std::string name = "tests/test_" + random.Of(kWords) + ".py::test_" + std::to_string(i);
    out += name + (fails ? " FAILED" : " PASSED") + "\n";
    if (!fails) continue;
    ++failed;
    failures += "____ test_" + std::to_string(i) +
                " ____\n\n    def test():\n>       assert f() == " + std::to_string(i) +
                "\nE       assert 0 == " + std::to_string(i) + "\n\ntests/test_a.py:" + std::to_string(i) +
                ": AssertionError\n";
    summary += "FAILED " + name + " - assert 0 == " + std::to_string(i) + "\n";
  }
  return out + "=== FAILURES ===\n" + failures + "=== short test summary info ===\n" + summary +
         "=== " + std::to_string(failed) + " failed, " + std::to_string(lines - failed) + " passed in 1.20s ===\n";
}

std::string CompilerLines(Random& random, uint64_t lines) {
  std::string out;
  for (uint64_t i = 0; i < lines; ++i) {
    std::string file = "src/" + random.Of(kWords) + ".cc";
    if (random.OneIn(12)) {
      out += file + ":" + std::to_string(i) + ":7: error: no member named '" + random.Of(kWords) + "'\n   " +
             std::to_string(i) + " |   " + random.Of(kWords) + "();\n      |   ^~~\n";
    } else {
      out += "[" + std::to_string(i + 1) + "/" + std::to_string(lines) + "] Building CXX object " + file + ".o\n";
    }
  }
  return out;
}

std::string GrepLines(Random& random, uint64_t lines) {
  std::string out;
  for (uint64_t i = 0; i < lines; ++i) {
    out += "src/" + kWords[i / 9 % kWords.size()] + "/" + kWords[i / 3 % kWords.size()] +
           ".py:" + std::to_string(i + 1) + ":    " + Sentence(random, 5) + "\n";
  }
  return out;
}

std::string DiffLines(Random& random, uint64_t lines) {
  std::string out;
  for (uint64_t i = 0; i < lines; i += 9) {
    std::string file = random.Of(kWords) + ".c";
    out += "diff --git a/" + file + " b/" + file + "\nindex 1234567..89abcde 100644\n--- a/" + file + "\n+++ b/" +
           file + "\n@@ -" + std::to_string(i + 1) + ",6 +" + std::to_string(i + 1) + ",6 @@\n " + Sentence(random, 3) +
           "\n " + Sentence(random, 3) + "\n-" + Sentence(random, 4) + "\n+" + Sentence(random, 4) + "\n " +
           Sentence(random, 3) + "\n";
  }
  return out;
}

std::string JsonText(Random& random, uint64_t rows, bool lines) {
  std::string out = lines ? "" : "[\n";
  for (uint64_t i = 0; i < rows; ++i) {
    out += std::string(lines ? "" : "  ") + "{\"id\": " + std::to_string(i) + ", \"name\": \"" + random.Of(kWords) +
           "\", \"ok\": " + (random.OneIn(30) ? "false, \"error\": \"timeout\"" : "true") +
           ", \"ratio\": " + std::to_string(random.Below(1000)) +
           ".50, \"note\": " + (random.OneIn(5) ? "null" : "\"\"") + "}" +
           (lines          ? "\n"
            : i + 1 < rows ? ",\n"
                           : "\n");
  }
  return out + (lines ? "" : "]\n");
}

std::string CsvText(Random& random, uint64_t rows) {
  std::string out = "id,name,comment,amount\n";
  for (uint64_t i = 0; i < rows; ++i) {
    out += std::to_string(i) + "," + random.Of(kWords) + ",\"" + Sentence(random, 3) + ", \"\"quoted\"\"\"," +
           std::to_string(random.Below(10000)) + "\n";
  }
  return out;
}

std::string CodeText(Random& random, uint64_t lines) {
  std::string out = "#include <vector>\n\n// " + Sentence(random, 6) + "\n";
  for (uint64_t i = 0; i < lines; i += 6) {
    out += "int " + random.Of(kWords) + std::to_string(i) + "(int a, const char* s) {\n  if (a > " + std::to_string(i) +
           ") {\n    return f(\"}{\", a);  // TODO: " + random.Of(kWords) + "\n  }\n  return a;\n}\n\n";
  }
  return out;
}

std::string HtmlText(Random& random, uint64_t lines) {
  std::string out =
      "<!DOCTYPE html><html><head><title>Report</title><script>var x = '<p>';</script></head><body><nav>menu</nav>\n";
  for (uint64_t i = 0; i < lines; i += 4) {
    out += "<h2 id=\"s" + std::to_string(i) + "\">" + Sentence(random, 3) + "</h2>\n<p>" + Sentence(random, 20) +
           " &amp; <a href=\"/x\">" + random.Of(kWords) + "</a>.</p>\n<table><tr><td>a</td><td>" + std::to_string(i) +
           "</td></tr></table>\n";
  }
  return out + "</body></html>\n";
}

std::string MarkdownText(Random& random, uint64_t lines) {
  std::string out = "# Title\n\n";
  for (uint64_t i = 0; i < lines; i += 6) {
    out += "## " + Sentence(random, 3) + "\n\n" + Sentence(random, 40) + ". " + Sentence(random, 20) +
           ".\n\n```sh\nmake " + random.Of(kWords) + "\n```\n\n";
  }
  return out;
}

std::string YamlText(Random& random, uint64_t lines) {
  std::string out = "version: 3\nservices:\n";
  for (uint64_t i = 0; i < lines; i += 4) {
    out += "  " + random.Of(kWords) + std::to_string(i) + ":\n    image: " + random.Of(kWords) + ":1." +
           std::to_string(i) + "\n    ports:\n      - \"" + std::to_string(1000 + i) + ":80\"\n";
  }
  return out;
}

std::string XmlText(Random& random, uint64_t lines) {
  std::string out = "<?xml version=\"1.0\"?>\n<items>\n";
  for (uint64_t i = 0; i < lines; ++i) {
    out += "  <item id=\"" + std::to_string(i) + "\"><name>" + random.Of(kWords) + "</name><![CDATA[a<b]]></item>\n";
  }
  return out + "</items>\n";
}

std::string ListingText(Random& random, uint64_t lines) {
  std::string out = "total " + std::to_string(lines) + "\n";
  for (uint64_t i = 0; i < lines; ++i) {
    out += "-rw-r--r-- 1 dev dev " + std::to_string(1000 + random.Below(90000)) + " May  1 10:00 " + random.Of(kWords) +
           std::to_string(i) + ".txt\n";
  }
  return out;
}

std::string PackageText(Random& random, uint64_t lines) {
  std::string out;
  for (uint64_t i = 0; i < lines; ++i) {
    out += "Collecting " + random.Of(kWords) + "==" + std::to_string(i) + ".0\n  Downloading " + random.Of(kWords) +
           "-" + std::to_string(i) + ".0-py3-none-any.whl (12 kB)\n";
    if (random.OneIn(40)) out += "WARNING: " + random.Of(kWords) + " is deprecated\n";
  }
  return out + "Successfully installed everything\n";
}

std::string RandomBytes(Random& random, uint64_t size) {
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random.Next());
  return out;
}

}  // namespace

std::vector<Original> HardOriginals() {
  Random random(7);
  std::string log = LogLines(random, 80);
  std::string crlf, lone_cr, coloured, progress, cursor;
  for (char c : log) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  for (char c : log) lone_cr += c == '\n' ? '\r' : c;
  for (int i = 0; i < 200; ++i) coloured += "\x1b[31mred " + std::to_string(i) + "\x1b[0m \x1b]0;title\x07plain\n";
  for (int i = 0; i < 400; ++i) progress += "\rdownloading " + std::to_string(i) + "%";
  progress += "\ndone\n";
  for (int i = 0; i < 200; ++i) cursor += "line " + std::to_string(i) + "\x1b[2K\x1b[1A\x1b[5;10Hmoved\n";
  std::string invalid = log;
  for (size_t at = 5; at < invalid.size(); at += 37) invalid[at] = static_cast<char>(0x80 | at % 0x7f);
  std::string nul = log;
  for (size_t at = 9; at < nul.size(); at += 211) nul[at] = '\0';
  std::string markers =
      "[84 lines omitted: 31-114]\n" + log + "[PARTIAL view of 12 bytes, 2 lines; full original: none]\n";
  return {
      {"empty", ""},
      {"one newline", "\n"},
      {"one byte", "x"},
      {"random bytes", RandomBytes(random, 20000)},
      {"invalid UTF-8", invalid},
      {"NUL bytes", nul},
      {"CRLF", crlf},
      {"lone CR", lone_cr},
      {"BOM", "\xEF\xBB\xBF" + log},
      {"no final newline", log.substr(0, log.size() - 1)},
      {"colours", coloured},
      {"cursor movement", cursor},
      {"progress bar", progress},
      {"ends in ESC", log + "\x1b"},
      {"ends in half a character", log + "\xE2\x82"},
      {"lines that look like markers", markers},
      {"blank lines", Repeat("\n", 3000)},
      {"equal lines", Repeat("the same line again and again\n", 2000)},
      {"brackets", Repeat("[", 4000)},
      {"quotes", Repeat("\"", 4001)},
      {"braces and colons", Repeat("{\"a\":", 1000)},
      {"tags", Repeat("<a>", 2000)},
      {"plus and minus", Repeat("+\n-\n", 1500)},
      {"colons", Repeat(":::::\n", 1500)},
      {"tabs", Repeat("\t\t\n", 1500)},
      {"long words", Repeat("a", 30000) + "\n" + Repeat("b", 30000)},
  };
}

std::vector<Original> LargeOriginals(uint64_t megabytes) {
  uint64_t bytes = megabytes << 20;
  return {
      {"one long line", Repeat("word ", bytes / 5)},
      {"empty lines", Repeat("\n", bytes / 8)},
      {"equal lines", Repeat("same\n", bytes / 5)},
      {"opening brackets", Repeat("[", 100000)},
      {"opening tags", Repeat("<b>", 100000)},
      {"error on each line", Repeat("error: it failed again\n", bytes / 23)},
  };
}

std::vector<Original> TypicalOriginals(uint64_t seed, uint64_t lines) {
  Random random(seed);
  std::vector<Original> all = {
      {"log", LogLines(random, lines)},
      {"pytest", PytestLines(random, lines)},
      {"compiler", CompilerLines(random, lines)},
      {"grep", GrepLines(random, lines)},
      {"diff", DiffLines(random, lines)},
      {"json", JsonText(random, lines, false)},
      {"json lines", JsonText(random, lines, true)},
      {"csv", CsvText(random, lines)},
      {"code", CodeText(random, lines)},
      {"html", HtmlText(random, lines)},
      {"markdown", MarkdownText(random, lines)},
      {"yaml", YamlText(random, lines)},
      {"xml", XmlText(random, lines)},
      {"listing", ListingText(random, lines)},
      {"package", PackageText(random, lines)},
  };
  all.push_back({"mixed", all[2].bytes + all[1].bytes + all[5].bytes + all[0].bytes});
  return all;
}

std::vector<Original> ShippedOriginals(uint64_t most) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PITH_TEST_DATA)) {
    if (entry.is_regular_file() && entry.path().filename() != "README.md") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Original> all;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    all.push_back({path.lexically_relative(PITH_TEST_DATA).string(), bytes.str().substr(0, most)});
  }
  return all;
}

std::string Mutate(const std::string& bytes, Random& random) {
  std::vector<std::string> lines;
  std::istringstream in(bytes);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (random.OneIn(9)) continue;
    if (random.OneIn(11)) std::swap(lines[i], lines[random.Below(lines.size())]);
    out += lines[i] + (random.OneIn(50) ? "\r\n" : "\n");
    if (random.OneIn(13)) out += lines[i] + "\n";
  }
  for (uint64_t flips = random.Below(6); flips-- > 0 && !out.empty();)
    out[random.Below(out.size())] = static_cast<char>(random.Next());
  if (random.OneIn(3) && !out.empty()) out.pop_back();
  return out;
}

}  // namespace pith::test
