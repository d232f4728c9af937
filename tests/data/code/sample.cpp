#include <string>
#include "store.h"

#define STORE_LIMIT(x) \
  do { use(x); } while (0)

namespace store {

// Holds one row.
template <typename Key, size_t Size = 8>
class Row : public Base<Key> {
 public:
  explicit Row(Key key) : key_(std::move(key)), size_{0} {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  }
  ~Row() override = default;
  bool operator==(const Row& other) const { return key_ == other.key_; }
  std::string Text(char open = '{') const;

 private:
  Key key_;
  size_t size_;
};

enum class State { kOpen, kClosed };

#ifdef WIDE
int Measure(int a) {
#else
int MeasureNarrow(int a) {
#endif
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
}

std::string Describe(const Row<int>& row,
                     std::string_view raw) {
  auto visit = [&](int x) { return x; };
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
  // FIXME: the brace "{" is not counted
}

}  // namespace store
