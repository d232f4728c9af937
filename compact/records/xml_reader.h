// An XML original as an index of its elements over its own bytes, and the records that it may consist of.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "compact/records/records.h"

namespace pith {

struct XmlElement {
  uint32_t begin = 0, end = 0;  // from "<" of its start tag to past ">" of its end tag
  uint32_t inner = 0;           // past ">" of its start tag
  uint32_t inner_end = 0;       // "<" of its end tag; equal to `inner` when it has none
  uint32_t next = 0;            // index of the element after this one and all that it holds
  uint32_t name = 0;            // offset of the name
  uint32_t name_size = 0;
  uint32_t depth = 0;
};

// Elements in the order of the text. Lenient: a start tag without end tag ends with its parent, a stray end tag is
// passed over. Comments, CDATA, declarations and processing instructions are no elements. Any depth; linear.
class XmlTape {
 public:
  explicit XmlTape(std::string_view bytes);
  const std::vector<XmlElement>& elements() const { return elements_; }
  std::string_view Name(const XmlElement& element) const { return bytes_.substr(element.name, element.name_size); }
  uint32_t strays() const { return strays_; }  // tags that did not match

 private:
  std::string_view bytes_;
  std::vector<XmlElement> elements_;
  uint32_t strays_ = 0;
};

// Elements of one name under one parent, when there are at least four and they cover `share` percent of the bytes; null
// otherwise. Cells are texts of elements without elements, and attributes.
std::unique_ptr<Records> ReadXmlRecords(const Document& document, const XmlTape& tape, uint64_t share);

}  // namespace pith
