#include <doctest/doctest.h>

#include "compact/diff/lines.h"
#include "compact/kinds.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

using Type = DiffLine;

std::vector<Type> TypesOf(std::string_view bytes) {
  Hints hints;
  Document document(bytes, hints);
  std::vector<Type> types;
  for (DiffLine line : ReadDiff(document, document.line_count()).lines) types.push_back(line);
  return types;
}

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

View ViewOf(std::string_view bytes, uint64_t soft = 10000, Policy policy = Policy::kExplicit) {
  Hints hints;
  hints.policy = policy;
  CompactOptions options;
  options.soft_bytes = soft;
  return Compact(bytes, hints, options);
}

// A patch of `files` files, each of `hunks` hunks with `context` lines around two changes.
std::string Patch(int files, int hunks, int context, std::string_view ending = ".cc") {
  std::string out;
  for (int file = 0; file < files; ++file) {
    std::string path = "src/file" + std::to_string(file) + std::string(ending);
    out += "diff --git a/" + path + " b/" + path + "\nindex 0123456..789abcd 100644\n--- a/" + path + "\n+++ b/" +
           path + "\n";
    for (int hunk = 0; hunk < hunks; ++hunk) {
      std::string count = std::to_string(2 * context + 1), at = std::to_string(hunk * 100 + 1);
      out += "@@ -" + at + "," + count + " +" + at + "," + count + " @@ void F" + std::to_string(hunk) + "()\n";
      for (int i = 0; i < context; ++i) out += "   before(" + std::to_string(i) + ");\n";
      std::string name = std::to_string(file) + "_" + std::to_string(hunk);
      out += "-  old_call_" + name + "();\n+  new_call_" + name + "();\n";
      for (int i = 0; i < context; ++i) out += "   after(" + std::to_string(i) + ");\n";
    }
  }
  return out;
}

}  // namespace

TEST_CASE("diff lines: removed lines that look like headers are changes") {
  std::vector<Type> types =
      TypesOf("--- a/notes.sql\n+++ b/notes.sql\n@@ -1,3 +1,3 @@\n--- drop it\n+++ keep it\n one\n-two\n+three\n");
  CHECK(types == std::vector<Type>{Type::kFile, Type::kPaths, Type::kHunk, Type::kRemoved, Type::kAdded, Type::kContext,
                                   Type::kRemoved, Type::kAdded});
}

TEST_CASE("diff lines: combined hunks, missing newlines, modes and commit messages") {
  std::vector<Type> types = TypesOf(
      "commit 12\nAuthor: A\n\n    why\n\ndiff --cc a.c\nindex 1,2..3\n--- a/a.c\n+++ b/a.c\n@@@ -1,2 -1,2 +1,3 @@@\n  "
      "x\n +y\n+ z\n"
      "diff --git a/b b/c\nsimilarity index 90%\nrename from b\nrename to c\n@@ -1 +1 @@\n-q\n\\ No newline at end of "
      "file\n+r\n");
  CHECK(types[3] == Type::kMessage);
  CHECK(types[9] == Type::kHunk);
  CHECK(types[11] == Type::kAdded);
  CHECK(types[12] == Type::kAdded);
  CHECK(types[15] == Type::kMode);
  CHECK(types[18] == Type::kRemoved);
  CHECK(types[19] == Type::kRemoved);
  CHECK(types[20] == Type::kAdded);
}

TEST_CASE("text that only mentions a patch is none") {
  for (std::string_view text : {"index 12..34 of the book\n--- a rule\n+++ more\ntext\n",
                                "+++ orphan\n@@ -1 +1 @@\n-a\n+b\nq\n", "@@ -1,2 +1,2 @@\n x\n y\n z\n"}) {
    Hints hints;
    Document document(text, hints);
    CHECK(DetectDiff(document).score == 0);
  }
}

TEST_CASE("a small patch is shown verbatim, so that it applies") {
  std::string patch = Patch(3, 2, 3);
  CHECK(ViewOf(patch).text == patch);
}

TEST_CASE("every changed line, hunk header and file survives, at any depth") {
  for (int context : {3, 12, 60}) {
    std::string patch = Patch(9, 12, context);
    View view = ViewOf(patch);
    CAPTURE(context);
    CHECK(view.fault == "");
    for (int file = 0; file < 9; ++file) {
      CHECK(Has(view, "diff --git a/src/file" + std::to_string(file) + ".cc"));
      for (int hunk = 0; hunk < 12; ++hunk) {
        std::string name = std::to_string(file) + "_" + std::to_string(hunk);
        CHECK(Has(view, "\n-  old_call_" + name + "();\n"));
        CHECK(Has(view, "\n+  new_call_" + name + "();\n"));
      }
    }
  }
}

namespace {

// A patch of `files` small files, two changed lines each, in which a view that shows the changes saves little.
std::string TinyHunks(int files, bool index) {
  std::string patch;
  for (int i = 0; i < files; ++i) {
    const std::string name = "f" + std::to_string(i), number = std::to_string(i);
    patch += "diff --git a/" + name + " b/" + name + (index ? "\nindex cea7c44..4567341 100644" : "") + "\n--- a/" +
             name + "\n+++ b/" + name + "\n@@ -1,9 +1,9 @@\n c1\n c2\n c3\n c4\n-old" + number + "\n+new" + number +
             "\n c6\n c7\n c8\n c9\n";
  }
  return patch;
}

int ChangesShown(const View& view, int files) {
  int shown = 0;
  for (int i = 0; i < files; ++i) {
    shown += Has(view, "\n-old" + std::to_string(i) + "\n") + Has(view, "\n+new" + std::to_string(i) + "\n");
  }
  return shown;
}

}  // namespace

TEST_CASE("a patch of tiny hunks shows every change, or stays whole where that saves nothing") {
  for (bool index : {false, true}) {
    for (int files : {60, 150, 220, 300, 700}) {
      const View view = ViewOf(TinyHunks(files, index));
      CAPTURE(files);
      CHECK(ChangesShown(view, files) == 2 * files);
    }
  }
}

TEST_CASE("a patch under a budget, or above what a view may hold, shows changes and counts those that it hides") {
  const auto hidden = [](const View& view) {
    int sum = 0;
    const std::string_view text = view.text;
    for (size_t at = text.find(" changed line"); at != std::string_view::npos;
         at = text.find(" changed line", at + 1)) {
      const size_t begin = text.find_last_of("[ ", at - 1) + 1;
      sum += std::stoi(std::string(text.substr(begin, at - begin)));
    }
    return sum;
  };
  for (uint64_t tokens : {300, 1000, 4000}) {
    Hints hints;
    hints.max_tokens = tokens;
    const View view = Compact(TinyHunks(220, true), hints, {});
    CAPTURE(tokens);
    CHECK(view.kind == Kind::kDiff);
    CHECK(view.shown.tokens <= tokens);
    CHECK(ChangesShown(view, 220) >= static_cast<int>(tokens / 100));
    CHECK(ChangesShown(view, 220) + hidden(view) == 440);
  }
  const View large = ViewOf(TinyHunks(3000, true));
  CHECK(large.shown.bytes > 40000);
  CHECK(large.shown.bytes <= 101000);
  CHECK(ChangesShown(large, 3000) > 600);
  CHECK(ChangesShown(large, 3000) + hidden(large) == 6000);
}

TEST_CASE("a hunk that only moves blanks is shown like any other") {
  std::string patch = "--- a/x.py\n+++ b/x.py\n@@ -1,400 +1,400 @@\n";
  for (int i = 0; i < 398; ++i) patch += "     unchanged line number " + std::to_string(i) + "\n";
  patch += "-        return total\n-        pass\n+    return total\n+    pass\n";
  View view = ViewOf(patch);
  CHECK(Has(view, "\n-        return total\n"));
  CHECK(Has(view, "\n+    return total\n"));
  CHECK(view.text.size() < 1200);
}

TEST_CASE("lock files are folded with their counts, also in patches without git's headers") {
  std::string patch = Patch(1, 2, 3) + Patch(1, 300, 3, ".lock");
  View view = ViewOf(patch);
  CHECK(Has(view, "[lock file: 300 lines added, 300 removed]"));
  CHECK(Has(view, "new_call_0_1"));
  CHECK(view.text.size() < 2500);
  std::string plain = "--- old/go.sum\n+++ new/go.sum\n@@ -1,900 +1,900 @@\n";
  for (int i = 0; i < 900; ++i) plain += "-module v" + std::to_string(i) + "\n+module w" + std::to_string(i) + "\n";
  CHECK(Has(ViewOf(plain), "[lock file: 900 lines added, 900 removed]"));
}

TEST_CASE("a commit's message is whole, however long the patch below it is") {
  std::string log;
  for (int commit = 0; commit < 6; ++commit) {
    std::string id = std::to_string(commit);
    log += "commit " + std::string(40, static_cast<char>('a' + commit)) +
           "\nAuthor: Ada <ada@example.org>\nDate: now\n\n    Subject " + id + "\n\n    Body line one of " + id +
           "\n    Body line two of " + id + "\n\n" + Patch(2, 8, 30) + "\n";
  }
  View view = ViewOf(log);
  for (int commit = 0; commit < 6; ++commit) {
    std::string id = std::to_string(commit);
    CHECK(Has(view, "    Subject " + id + "\n\n    Body line one of " + id + "\n    Body line two of " + id + "\n"));
  }
}

TEST_CASE("when changed lines exceed the page, every file keeps its first ones") {
  std::string patch;
  for (int file = 0; file < 12; ++file) {
    std::string path = "src/new" + std::to_string(file) + ".cc";
    patch += "diff --git a/" + path + " b/" + path + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + path +
             "\n@@ -0,0 +1,600 @@\n";
    for (int i = 0; i < 600; ++i)
      patch += "+  statement number " + std::to_string(i) + " of file " + std::to_string(file) + ";\n";
  }
  View view = ViewOf(patch, 10000, Policy::kHook);
  CHECK(view.text.size() < 42000);
  for (int file = 0; file < 12; ++file) CHECK(Has(view, "number 20 of file " + std::to_string(file) + ";"));
  CHECK(Has(view, "changed lines omitted"));
}

TEST_CASE("diff pieces account for broken and random patches under every limit") {
  test::Random random(3);
  const std::vector<std::string> lines = {"diff --git a/x b/x",
                                          "diff --git a/Cargo.lock b/Cargo.lock",
                                          "--- a/x",
                                          "+++ b/x",
                                          "@@ -1,3 +1,3 @@",
                                          "@@ -1 +1 @@ f()",
                                          "@@@ -1,2 -1,2 +1,2 @@@",
                                          "@@ -1,99999999999999999999 +1 @@",
                                          "@@@@@@@@@@@@ -1 +1 @@@@@@@@@@@@",
                                          " context",
                                          "+added",
                                          "-removed",
                                          "-- x",
                                          "",
                                          "\\ No newline at end of file",
                                          "Binary files a and b differ",
                                          "Index: y",
                                          "=====",
                                          "commit abc",
                                          "    message",
                                          "rename from q",
                                          "Submodule v 12..34:",
                                          "## -0,0 +1 ##",
                                          "@@",
                                          "+\xff\xfe",
                                          "+has\rreturn",
                                          "+\x1b[31mred\x1b[m"};
  for (int round = 0; round < 500; ++round) {
    std::string bytes;
    for (uint64_t count = random.Below(90); count > 0; --count)
      bytes += random.Of(lines) + (random.OneIn(30) ? "\r\n" : "\n");
    if (random.OneIn(3) && !bytes.empty()) bytes.pop_back();
    Hints hints;
    Document document(bytes, hints);
    std::unique_ptr<Shaper> shaper = ShapeDiff(document);
    for (const Limit& limit :
         {Limit{0, 0, false}, Limit{80, 300, true}, Limit{500, 900, false}, Limit{10000, 40000, false}}) {
      CAPTURE(bytes);
      CAPTURE(limit.hard);
      CHECK(CheckPieces(document, shaper->Make(limit)) == "");
    }
  }
}

TEST_CASE("diff lines: the normal and the context form") {
  CHECK(TypesOf("diff -r a/x b/x\n1,2c1\n< a\n< b\n---\n> c\n5a5\n> d\n7d6\n< ---\nOnly in a: y\n") ==
        std::vector<Type>{Type::kFile, Type::kHunk, Type::kRemoved, Type::kRemoved, Type::kContext, Type::kAdded,
                          Type::kHunk, Type::kAdded, Type::kHunk, Type::kRemoved, Type::kMessage});
  CHECK(TypesOf("3c3\n< a\n\\ No newline at end of file\n---\n> b\n> no part of it\n")[5] == Type::kMessage);
  CHECK(TypesOf("*** a/x\tdate\n--- b/x\tdate\n***************\n*** 1,3 ****\n  a\n! b\n- c\n--- 1,2 ----\n  a\n! --- "
                "d ----\n") == std::vector<Type>{Type::kFile, Type::kPaths, Type::kHunk, Type::kHunk, Type::kContext,
                                                 Type::kRemoved, Type::kRemoved, Type::kHunk, Type::kContext,
                                                 Type::kAdded});
  for (std::string_view none : {"3c3\nwith nothing of the kind\n", "12,3d4\n< a\n", "3x3\n< a\n", "1c\n< a\n",
                                "*** 1,3 ****\n! a\n", "quoted:\n> 3c3\n> < a\n"}) {
    CAPTURE(none);
    for (Type type : TypesOf(none)) CHECK(type == Type::kMessage);
  }
}

TEST_CASE("diff: each changed line of the normal and the context form is in the view") {
  std::string normal, context;
  for (int file = 0; file < 30; ++file) {
    const std::string path = "src/file" + std::to_string(file) + ".c";
    normal += "diff -r a/" + path + " b/" + path + "\n";
    context += "diff -rc a/" + path + " b/" + path + "\n*** a/" + path + "\tnow\n--- b/" + path + "\tnow\n";
    for (int hunk = 1; hunk < 6; ++hunk) {
      const std::string at = std::to_string(hunk * 20), name = std::to_string(file) + "_" + std::to_string(hunk);
      std::string around;
      for (int i = 0; i < 6; ++i) around += "      context(" + std::to_string(i) + ");\n";
      normal += at + "c" + at + "\n< old_" + name + "();\n---\n> new_" + name + "();\n";
      context += "***************\n*** " + at + "," + std::to_string(hunk * 20 + 12) + " ****\n" + around + "! old_" +
                 name + "();\n" + around + "--- " + at + "," + std::to_string(hunk * 20 + 12) + " ----\n" + around +
                 "! new_" + name + "();\n" + around;
    }
  }
  for (const std::string& patch : {normal, context}) {
    const View view = ViewOf(patch);
    CHECK(view.kind == Kind::kDiff);
    for (int file = 0; file < 30; ++file) {
      for (int hunk = 1; hunk < 6; ++hunk) {
        const std::string name = std::to_string(file) + "_" + std::to_string(hunk) + "();";
        CHECK(Has(view, "old_" + name));
        CHECK(Has(view, "new_" + name));
      }
    }
  }
}

TEST_CASE("diff: lines whose words changed by colour alone are changed lines, and the view says so") {
  std::string patch =
      "\x1b[1mdiff --git a/x.c b/x.c\x1b[m\n\x1b[1m--- a/x.c\x1b[m\n\x1b[1m+++ b/x.c\x1b[m\n\x1b[36m@@ -1,600 +1,600 "
      "@@\x1b[m\n";
  for (int i = 0; i < 600; ++i) {
    const std::string n = std::to_string(i);
    patch += i % 90 == 44 ? "call_" + n + "(\x1b[31mold_" + n + "\x1b[m\x1b[32mnew_" + n + "\x1b[m, 7);\n"
                          : "call_the_function_" + n + "(same);\n";
  }
  const View view = ViewOf(patch);
  CHECK(view.kind == Kind::kDiff);
  CHECK(view.text.starts_with("[removed and added words were told apart by colour alone"));
  for (int i = 44; i < 600; i += 90) CHECK(Has(view, "old_" + std::to_string(i) + "new_" + std::to_string(i)));
  CHECK(Has(view, "context lines omitted"));
}

TEST_CASE("diff: lines of a word diff are context or changed, what comes after it is neither") {
  CHECK(TypesOf("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,3 +1,4 @@\nsame\n  {+new "
                "line+}\ncall([-old-]{+new+})\nsame\nerror: after it\n") ==
        std::vector<Type>{Type::kFile, Type::kPaths, Type::kPaths, Type::kHunk, Type::kContext, Type::kAdded,
                          Type::kAdded, Type::kContext, Type::kMessage});
}

TEST_CASE("diff: what a patch's lines say is no fault of the patch, what is said around it may be") {
  std::string patch = Patch(20, 6, 8);
  for (size_t at = patch.find("before(1)"); at != std::string::npos; at = patch.find("before(1)", at))
    patch.replace(at, 9, "error(\"fatal\")");
  const View clean = ViewOf(patch);
  CHECK(clean.signals.total == 0);
  CHECK_FALSE(Has(clean, " errors"));
  const View failed =
      ViewOf(patch + "error: patch failed: src/file3.cc:101\nerror: src/file3.cc: patch does not apply\n");
  CHECK(failed.signals.total == 2);
  CHECK(Has(failed, "error: patch failed: src/file3.cc:101"));
}

TEST_CASE("diff views of real tools' patches are as written down") {
  const test::Golden goldens[] = {
      {"diffs/git-diff-wide.txt", "git diff -U25"},
      {"diffs/git-diff-mixed.txt", "git diff -U8", "", 2000},
      {"diffs/format-patch.txt", "git format-patch --stdout -1", "", 2000},
      {"diffs/git-log-p.txt", "git log -p -U10", "", 2000},
      {"diffs/git-show-merge.txt", "git show", "", 300},
      {"diffs/svn-diff.txt", "svn diff"},
      {"diffs/quilt-diff.txt", "quilt diff"},
      {"diffs/diff-normal.txt", "diff -r a b", "", 1200},
      {"diffs/diff-context.txt", "diff -rc a b"},
  };
  for (const test::Golden& golden : goldens) test::CheckGolden(golden, Kind::kDiff);
}

}  // namespace pith
