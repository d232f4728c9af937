#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "compact/code/outline.h"
#include "compact/kinds.h"
#include "tests/compact/golden.h"
#include "tests/compact/originals.h"

namespace pith {
namespace {

std::string FileText(std::string_view name) {
  std::ifstream file(std::string(PITH_TEST_DATA) + "/code/" + std::string(name), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

View ViewOf(std::string_view bytes, std::string_view path, Policy policy = Policy::kExplicit) {
  Hints hints;
  hints.path = path;
  hints.policy = policy;
  return Compact(bytes, hints, {});
}

bool Has(const View& view, std::string_view text) { return view.text.find(text) != std::string::npos; }

struct Sample {
  std::string_view name;
  std::vector<std::string_view> kept;
};

const std::vector<Sample>& Samples() {
  static const std::vector<Sample> samples = {
      {"sample.rs",
       {"use std::fmt;", "/// How deep", "pub const LIMIT", "pub static NAMES", "/// What was read.",
        "pub enum Value<'a>", "struct Wrapped", "impl<'a> fmt::Display for Value<'a>", "fn fmt(", "pub fn parse_text<T",
        "depth: usize,", "// TODO: give the column too", "macro_rules! quick", "mod tests", "async fn reads_tables"}},
      {"sample.go",
       {"\"net/http\"", "MaxBody", "type Server struct", "routes map", "type Handler interface", "Handle(w",
        "// NewServer makes one.", "func NewServer(limit int)", "func (s *Server) Route("}},
      {"sample.ts",
       {"import { readFile }", "export * from", "export interface Options", "depth: number;", "export type Pair",
        "const PATTERN", "/** Draws shapes. */", "export class Canvas", "private readonly shapes", "constructor(",
        "async draw(", "get size()", "export const scale", "export default function main"}},
      {"sample.js",
       {"require(\"path\")", "// Starts the thing.", "app.start = function start", "function helper", "class Queue",
        "push(item)", "describe(\"queue\"", "it(\"keeps order\"", "module.exports", "run(x)", "stop: function"}},
      {"Sample.java",
       {"import java.util.List;", "Keeps entries.", "public class Store<K", "private static final int LIMIT",
        "public Store(", "public V find(K key", "throws MissingException", "enum Mode", "interface Visitor",
        "void visit("}},
      {"sample.kt",
       {"import kotlin.math.max", "data class Point", "open class Walker", "private val steps", "init {",
        "override fun run()", "companion object", "fun of(", "fun Point.length()"}},
      {"sample.swift",
       {"import Foundation", "public struct Door", "let width", "var open: Bool", "init(width", "func knock(",
        "enum Side", "case front, back", "extension Door", "static func close"}},
      {"Sample.cs",
       {"using System;", "namespace Acme.Orders", "An order.", "public sealed class Order", "public int Id", "_lines",
        "public Order(int id)", "TotalAsync(decimal rate", "public enum State"}},
      {"sample.cpp",
       {"#include \"store.h\"", "#define STORE_LIMIT", "namespace store", "// Holds one row.", "class Row",
        "explicit Row(Key key)", "~Row()", "operator==", "std::string Text(", "Key key_;", "enum class State",
        "int Measure(", "std::string Describe(", "std::string_view raw)", "FIXME"}},
      {"sample.c",
       {"#include <stdlib.h>", "#define LIST_MAX", "typedef struct node", "int value;", "names[]", "int list_length(",
        "Counts the nodes", "list_count(", "int limit)", "struct node *list_push("}},
      {"sample.php",
       {"namespace App", "use App", "abstract class Controller", "const LIMIT", "protected $users",
        "function __construct(", "abstract public function run", "public static function make", "function helper"}},
      {"sample.sh", {"#!/bin/bash", "say()", "function build_all", "TODO: build in parallel"}},
      {"sample.py",
       {"\"\"\"Reads settings.\"\"\"", "import os", "Dict,", "LIMIT = 10",
        "class Reader(Base):", "\"\"\"Reads one file.", "path: str", "def __init__(self, path, *,",
        "depth=3):", "async def size", "def top_level(", "TODO: mind the sign"}},
      {"sample.rb",
       {"require \"json\"", "# Keeps things.", "module Keeper", "class Box < Base", "attr_reader :items", "LIMIT = 3",
        "def initialize(", "def self.open(", "def hidden?"}},
      {"sample.scala",
       {"import scala.util.Try", "trait Shape", "def area", "case class Circle", "object Main", "def main("}},
      {"sample.sql", {"CREATE TABLE orders", "id INTEGER", "INSERT INTO orders", "CREATE INDEX"}},
  };
  return samples;
}

}  // namespace

TEST_CASE("outlines keep every declaration of every language and fold the bodies") {
  for (const Sample& sample : Samples()) {
    std::string original = FileText(sample.name);
    View view = ViewOf(original, sample.name);
    CAPTURE(sample.name);
    CAPTURE(view.text);
    CHECK(KindName(view.kind) == "code");
    CHECK(view.fault == "");
    for (std::string_view text : sample.kept) {
      CAPTURE(text);
      CHECK(Has(view, text));
    }
    CHECK_FALSE(Has(view, "body_mark"));
    CHECK_FALSE(Has(view, "not_a_function"));
  }
}

TEST_CASE("code is recognised without a path, and prose is not taken for it") {
  for (std::string_view name : {"sample.rs", "sample.go", "sample.ts", "Sample.java", "sample.py", "sample.cpp"}) {
    std::string original = FileText(name);
    Hints hints;
    Document document(original, hints);
    CAPTURE(name);
    CHECK(DetectCode(document).score > 0);
  }
  std::string prose;
  for (int i = 0; i < 40; ++i) prose += "We import goods from abroad; the class of each (see below) is public.\n";
  Hints hints;
  Document document(prose, hints);
  CHECK(DetectCode(document).score == 0);
}

TEST_CASE("unasked, code stays as it is up to a page") {
  std::string original;
  for (int i = 0; i < 200; ++i)
    original += "void Function" + std::to_string(i) + "() {\n  call(one);\n  call(two);\n  call(three);\n}\n";
  CHECK(ViewOf(original, "a.cc", Policy::kHook).text == original);
  CHECK(ViewOf(original, "a.cc").text.size() < original.size());
  std::string large;
  for (int i = 0; i < 8; ++i) large += original;
  CHECK(ViewOf(large, "a.cc", Policy::kHook).text.size() < 42000);
}

TEST_CASE("branches of an #if that do not close alike do not swallow what follows") {
  std::string original = "#ifdef A\nint First(int a) {\n#else\nint Second(int a) {\n#endif\n";
  for (int i = 0; i < 60; ++i) original += "  call(" + std::to_string(i) + ");\n";
  original += "}\n\nint Third(int b) {\n  return 1;\n}\n\nint Fourth(int c) {\n  return 2;\n}\n";
  View view = ViewOf(original, "a.c");
  CHECK(Has(view, "int Third(int b)"));
  CHECK(Has(view, "int Fourth(int c)"));
}

TEST_CASE("non-ASCII code keeps its characters whole") {
  std::string original;
  for (int i = 0; i < 60; ++i)
    original +=
        "def größe_" + std::to_string(i) +
        "(ä, ö):\n    \"\"\"Gibt die Größe, µ und 漢字.\"\"\"\n    x = ä\n    y = ö\n    z = x\n    return y + z\n\n";
  View view = ViewOf(original, "a.py");
  CHECK(Has(view, "def größe_59(ä, ö):"));
  CHECK(view.fault == "");
}

TEST_CASE("outlines of random brackets, quotes and words account for every line under every limit") {
  test::Random random(4);
  const std::vector<std::string> parts = {
      "{",        "}",      "(",    ")",  "[",      "]",      "\"",    "'",    "`",   "/*",       "*/",  "//",
      "#",        "\"\"\"", "'''",  "\\", "=",      ";",      ",",     "<",    ">",   "class",    "fn",  "def",
      "function", "struct", "enum", "=>", "import", "r#\"",   "<<EOF", "EOF",  "#if", "#define",  "@x",  "#[a]",
      "x",        " ",      "  ",   "\t", "end",    "return", "case",  "type", "if",  "\xc3\xa9", "\xff"};
  std::vector<std::string_view> paths;
  for (const CodeLanguage& language : CodeLanguages())
    paths.push_back(language.extensions.substr(0, language.extensions.find(' ')));
  for (int round = 0; round < 800; ++round) {
    std::string bytes;
    for (uint64_t count = random.Below(120); count > 0; --count) {
      bytes += random.Of(parts);
      if (random.OneIn(5)) bytes += random.OneIn(20) ? "\r\n" : "\n";
    }
    std::string path = "a" + std::string(paths[static_cast<size_t>(round) % paths.size()]);
    Hints hints;
    hints.path = path;
    Document document(bytes, hints);
    if (document.binary || bytes.empty()) continue;
    std::unique_ptr<Shaper> shaper = ShapeCode(document);
    for (const Limit& limit : {Limit{0, 0, false}, Limit{100, 200, true}, Limit{10000, 40000, false}}) {
      CAPTURE(bytes);
      CHECK(CheckPieces(document, shaper->Make(limit)) == "");
    }
  }
}

TEST_CASE("code views of the samples are as written down") {
  for (const Sample& sample : Samples()) {
    std::string name = "code/" + std::string(sample.name);
    test::CheckGolden({name, "", sample.name}, Kind::kCode);
  }
}

TEST_CASE("a licence is no first word of a declaration") {
  std::string bytes =
      "/*\n * Copyright of many people.\n * Licensed under terms.\n * See the licence.\n */\nint Start(int a) {\n";
  for (int i = 0; i < 40; ++i) bytes += "  a += " + std::to_string(i) + ";\n";
  bytes +=
      "  return a;\n}\n\n// Stops it.\nint Stop(int a) {\n  a -= 1;\n  a -= 2;\n  a -= 3;\n  a -= 4;\n  return a;\n}\n";
  Hints hints;
  hints.path = "start.cc";
  const View view = Compact(bytes, hints, {});
  CAPTURE(view.text);
  CHECK(view.text.find("Copyright") == std::string::npos);
  CHECK(view.text.find("// Stops it.") != std::string::npos);
}

}  // namespace pith
