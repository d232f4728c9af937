// How people write amounts: "7d", "90s", "1GiB", "10k". One reader for flags, environment and configuration.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pith {

// A whole number of decimal digits that fits, nothing around it.
std::optional<uint64_t> ParseWhole(std::string_view text);

// Bytes: a whole number, with an optional unit of B, K, M, G, T (powers of 1024; KB, KiB and k mean the same).
std::optional<uint64_t> ParseByteCount(std::string_view text);

// Seconds: a whole number, with an optional unit of s, m, h, d, w.
std::optional<int64_t> ParseSeconds(std::string_view text);

// A moment as Unix milliseconds: "2h" (that long before `now_ms`), "2026-03-01", "2026-03-01T12:30:00Z" (UTC; the Z may
// be left out).
std::optional<int64_t> ParseMoment(std::string_view text, int64_t now_ms);

// "1 line", "2 lines"; `many` where an s at the end does not make it.
std::string CountText(uint64_t count, std::string_view one, std::string_view many = {});

std::string BytesText(uint64_t bytes);     // "981 B", "1.5 KiB", "32 MiB"
std::string SecondsText(int64_t seconds);  // "45 s", "12 min", "3 h", "7 days"

}  // namespace pith
