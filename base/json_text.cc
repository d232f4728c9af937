// The library reads any depth, but copies and writes values by recursion: a text of a few hundred thousand brackets
// would end the process. And each value costs sixteen bytes for two of input. So the builder below takes the library's
// events and stops at the limits, in the same pass.
#include "base/json_text.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace pith {
namespace {

template <typename Json>
class BoundedBuilder final : public nlohmann::json_sax<Json> {
 public:
  using Base = nlohmann::json_sax<Json>;

  BoundedBuilder(Json* root, const JsonLimits& limits) : root_(root), limits_(limits) {}

  bool too_large() const { return too_large_; }

  bool null() override { return Add(nullptr) != nullptr; }
  bool boolean(bool value) override { return Add(value) != nullptr; }
  bool number_integer(typename Base::number_integer_t value) override { return Add(value) != nullptr; }
  bool number_unsigned(typename Base::number_unsigned_t value) override { return Add(value) != nullptr; }
  bool number_float(typename Base::number_float_t value, const typename Base::string_t&) override {
    return Add(value) != nullptr;
  }
  bool string(typename Base::string_t& value) override { return Add(std::move(value)) != nullptr; }
  bool binary(typename Base::binary_t&) override { return false; }
  bool start_object(size_t) override { return Open(Json::object()); }
  bool start_array(size_t) override { return Open(Json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }
  bool key(typename Base::string_t& name) override {
    slot_ = &(*open_.back())[std::move(name)];
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  // The place for the next value: the root, the end of the open array, or the slot that the last key made.
  Json* Add(Json value) {
    if (++values_ > limits_.values) {
      too_large_ = true;
      return nullptr;
    }
    if (open_.empty()) {
      *root_ = std::move(value);
      return root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    *slot_ = std::move(value);
    return slot_;
  }
  bool Open(Json container) {
    if (open_.size() >= limits_.depth) {
      too_large_ = true;
      return false;
    }
    Json* added = Add(std::move(container));
    if (added != nullptr) open_.push_back(added);
    return added != nullptr;
  }
  bool Close() {
    open_.pop_back();
    return true;
  }

  Json* root_;
  JsonLimits limits_;
  std::vector<Json*> open_;
  Json* slot_ = nullptr;
  size_t values_ = 0;
  bool too_large_ = false;
};

template <typename Json>
Json Read(std::string_view text, bool comments, const JsonLimits& limits = {}, bool* too_large = nullptr) {
  Json value;
  BoundedBuilder<Json> builder(&value, limits);
  const bool read = Json::sax_parse(text, &builder, nlohmann::detail::input_format_t::json, true, comments);
  if (too_large != nullptr) *too_large = builder.too_large();
  return read ? std::move(value) : Json(nlohmann::detail::value_t::discarded);
}

}  // namespace

nlohmann::json ParseJson(std::string_view text) { return Read<nlohmann::json>(text, false); }
nlohmann::json ParseJsonWithin(const JsonLimits& limits, std::string_view text, bool* too_large) {
  return Read<nlohmann::json>(text, false, limits, too_large);
}
nlohmann::json ParseJsonWithComments(std::string_view text) { return Read<nlohmann::json>(text, true); }
nlohmann::ordered_json ParseOrderedJson(std::string_view text) { return Read<nlohmann::ordered_json>(text, false); }

std::string JsonText(const nlohmann::json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string JsonText(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace pith
