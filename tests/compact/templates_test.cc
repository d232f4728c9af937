// What varies in a line, and how lines are counted by what does not.
#include "compact/templates.h"

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace pith {
namespace {

TEST_CASE("lines that differ only in what varies have one template") {
  constexpr auto kSame = std::to_array<std::array<std::string_view, 2>>({
      {"took 3 ms", "took 1200 ms"},
      {"took 3ms", "took 1200ms"},
      {"2026-01-02 03:04:05,678 INFO start", "2025-12-31 23:59:59,001 INFO start"},
      {"2026-01-02T03:04:05.678Z INFO start", "2025-12-31T23:59:59+01:00 INFO start"},
      {"Jan  2 03:04:05 web sshd[123]: bye", "Nov 12 13:04:05 web sshd[99123]: bye"},
      {"[Sun Dec 04 04:47:44 2005] [error] gone", "[Mon Jan 05 14:00:01 2006] [error] gone"},
      {"[18/May/2015:05:05:49 +0000] x", "[01/Jun/2016:15:05:49 -0700] x"},
      {"from 10.0.0.1:443 to x", "from 192.168.17.25:51234 to x"},
      {"id 550e8400-e29b-41d4-a716-446655440000 ok", "id 0a1b2c3d-dead-beef-cafe-aaaaaaaaaa01 ok"},
      {"mac 00:1a:2b:cc:dd:ee up", "mac 9f:ff:ab:cd:ef:01 up"},
      {"at 0x7ffd1234 in f", "at 0xdeadbeef00 in f"},
      {"block blk_-6952295868487656571 done", "block blk_7128370237687728475 done"},
      {"commit 4791595ab", "commit a16ea38ff"},
      {"  5 files", " 15 files"},
      {"size 1,234,567 bytes", "size 12 bytes"},
      {"node R23-M0-NE-C:J05-U01 down", "node R02-M1-N0-I:J18-U11 down"},
      {"worker-3 idle  ", "worker-17 idle"},
  });
  for (const auto& pair : kSame) {
    CAPTURE(pair[0]);
    CHECK(TemplateHash(pair[0]) == TemplateHash(pair[1]));
  }
}

TEST_CASE("lines that say different things have different templates") {
  constexpr auto kOther = std::to_array<std::array<std::string_view, 2>>({
      {"user alice logged in", "user bob logged in"},
      {"INFO start", "ERROR start"},
      {"\"GET / HTTP/1.1\" 200 12", "\"GET / HTTP/1.1\" 502 12"},
      {"< HTTP/1.1 403 Forbidden", "< HTTP/1.1 404 Forbidden"},
      {"error TS2322: x", "error TS2345: x"},
      {"error[E0382]: x", "error[E0499]: x"},
      {"disk a full", "disk full"},
      {"", " x"},
      {"GET /private/keys", "GET /upload"},
      {"abcdefgh", "abcdefg"},
      {"12 apples", "apples 12"},
  });
  for (const auto& pair : kOther) {
    CAPTURE(pair[0]);
    CHECK(TemplateHash(pair[0]) != TemplateHash(pair[1]));
  }
}

TEST_CASE("coarse templates mask names as well") {
  constexpr auto kSame = std::to_array<std::array<std::string_view, 2>>({
      {"user 'alice' gone", "user 'bob' gone"},
      {"open(\"a.c\") failed", "open(\"b/d.c\") failed"},
      {"cannot read /etc/passwd: denied", "cannot read /home/x: denied"},
      {"from=<a@example.org> rejected", "from=<> rejected"},
      {"1.2.3.4 - - [18/May/2015:05:05:49 +0000] \"GET /a/b HTTP/1.1\" 404 3",
       "4.3.2.1 - - [19/May/2015:05:05:49 +0000] \"GET /cc HTTP/1.1\" 404 33"},
  });
  for (const auto& pair : kSame) {
    CAPTURE(pair[0]);
    CHECK(CoarseTemplateHash(pair[0]) == CoarseTemplateHash(pair[1]));
  }
  CHECK(CoarseTemplateHash("disk full") != CoarseTemplateHash("disk gone"));
  CHECK(CoarseTemplateHash("\"GET /a HTTP/1.1\" 404 3") != CoarseTemplateHash("\"GET /b HTTP/1.1\" 500 3"));
  CHECK(CoarseTemplateHash(std::string(5000, '"')) == CoarseTemplateHash(std::string(5000, '"')));
}

TEST_CASE("any bytes have a template, and the bytes around a line do not matter") {
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  for (size_t from = 0; from < all.size(); ++from) {
    const std::string copy = all.substr(from);
    CHECK(TemplateHash(copy) == TemplateHash(std::string_view(all).substr(from)));
  }
  CHECK(TemplateHash("") == TemplateHash(std::string_view(all).substr(0, 0)));
}

TEST_CASE("the table counts like a map while it has room") {
  TemplateTable table(10000);
  std::map<uint64_t, std::vector<uint32_t>> model;
  uint64_t state = 1;
  for (uint32_t line = 0; line < 10000; ++line) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    const uint64_t hash = TemplateHash("event " + std::string(1 + (state >> 33) % 60, 'x'));
    model[hash].push_back(line);
    const Template& row = table.Add(hash, line);
    CHECK(row.first == model[hash].front());
    CHECK(row.count == model[hash].size());
  }
  CHECK(table.evicted() == 0);
  const std::vector<Template> rows = table.InOrder();
  CHECK(rows.size() == model.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].last == model[rows[i].hash].back());
    if (i > 0) CHECK(rows[i - 1].first < rows[i].first);
    CHECK(table.Find(rows[i].hash)->count == rows[i].count);
  }
}

TEST_CASE("a million templates stay within bounds, and what was seen often stays") {
  TemplateTable table(1000000, 1024);
  const uint64_t often = TemplateHash("seen often");
  uint64_t hash = 1;
  for (uint32_t line = 0; line < 1000000; ++line) {
    hash = hash * 6364136223846793005ull + 1442695040888963407ull;
    table.Add(line % 100 == 0 ? often : hash, line);
  }
  CHECK(table.InOrder().size() <= 1024);
  CHECK(table.evicted() > 900000);
  REQUIRE(table.Find(often) != nullptr);
  CHECK(table.Find(often)->count == 10000);
  CHECK(table.Find(often)->first == 0);
}

}  // namespace
}  // namespace pith
