// Errors as values: Result<T> holds a T or an Error, never both. Nothing in Pith throws across a function of its own;
// exceptions of libraries are caught where the library is called.
#pragma once
#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace pith {

// What went wrong, for a program to decide on. The sentence beside it is for a person or a model to act on.
enum class Cause {
  kInvalid,      // the argument is not of the form asked for
  kNotFound,     // never seen here
  kExpired,      // was here; its time ran out
  kEvicted,      // was here; a cap pushed it out
  kPurged,       // was here; somebody asked for its removal
  kDamaged,      // is here; its bytes do not match their hash or frame
  kDenied,       // policy or permission forbids it
  kFull,         // no space, or over a cap
  kReadOnly,     // the place cannot be written
  kBusy,         // locked by another, within the time allowed
  kIo,           // the system refused for another reason
  kTooLarge,     // over a stated bound
  kUnsupported,  // a newer format, a feature that this build lacks
  kUnavailable,  // a server that does not answer
  kCancelled,    // the caller took the request back
  kInternal,     // a fault of ours
};

// Lower-case name of a cause ("not_found"), stable, for --json and metadata.
std::string_view CauseName(Cause cause);

struct Error {
  Cause cause = Cause::kInternal;
  std::string sentence;  // one sentence, no final newline: what is wrong and, where known, what to do
};

// Value or error. [[nodiscard]]: dropping one is a compile error. Access to the wrong side is a programming fault.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT(google-explicit-constructor): `return value;`
  Result(Error error) : state_(std::move(error)) {}  // NOLINT(google-explicit-constructor): `return Error{...};`

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  T& value() {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T Take() { return std::move(value()); }

 private:
  std::variant<T, Error> state_;
};

// Success or error, for what gives nothing back.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    assert(error_);
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace pith
