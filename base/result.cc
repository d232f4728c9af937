#include "base/result.h"

namespace pith {

std::string_view CauseName(Cause cause) {
  switch (cause) {
    case Cause::kInvalid:
      return "invalid";
    case Cause::kNotFound:
      return "not_found";
    case Cause::kExpired:
      return "expired";
    case Cause::kEvicted:
      return "evicted";
    case Cause::kPurged:
      return "purged";
    case Cause::kDamaged:
      return "damaged";
    case Cause::kDenied:
      return "denied";
    case Cause::kFull:
      return "full";
    case Cause::kReadOnly:
      return "read_only";
    case Cause::kBusy:
      return "busy";
    case Cause::kIo:
      return "io";
    case Cause::kTooLarge:
      return "too_large";
    case Cause::kUnsupported:
      return "unsupported";
    case Cause::kUnavailable:
      return "unavailable";
    case Cause::kCancelled:
      return "cancelled";
    case Cause::kInternal:
      return "internal";
  }
  return "internal";
}

}  // namespace pith
