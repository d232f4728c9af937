// Body files. The index stands at the end because it is known last; the footer has a fixed size, so that a reader needs
// two reads to know the whole and one more a frame.
#include "store/body_file.h"

#include <cstring>

#include "store/check.h"
#include "store/little_endian.h"

namespace pith {
namespace {

constexpr std::string_view kBodyMagic = "PITHBODY";
constexpr std::string_view kEnd = "PITHEND1";
constexpr uint32_t kBodyVersion = 1;
constexpr size_t kHeaderBytes = 32;
constexpr size_t kIndexEntryBytes = 24;
constexpr size_t kFooterBytes = 80;
constexpr size_t kCheckedFooter = 64;
constexpr size_t kGather = 256 * 1024;

std::string HeaderOf(uint64_t body_id, const KeyId& key_id) {
  std::string header(kBodyMagic);
  AppendNumber(header, kBodyVersion);
  AppendNumber(header, uint32_t{0});
  AppendNumber(header, body_id);
  header.append(key_id.data(), key_id.size());
  return header;
}

Error DamagedBody(std::string_view what) {
  return Error{Cause::kDamaged, "a body file is damaged: " + std::string(what)};
}

// A body file that lies in a string.
class StringFile : public File {
 public:
  explicit StringFile(std::string content = {}) : content_(std::move(content)) {}
  Result<std::string> ReadAt(uint64_t offset, uint64_t length) override {
    if (offset >= content_.size()) return std::string();
    return content_.substr(offset, length);
  }
  Result<std::string> Read(uint64_t length) override {
    Result<std::string> bytes = ReadAt(position_, length);
    if (bytes) position_ += bytes->size();
    return bytes;
  }
  Result<void> Write(std::string_view bytes) override {
    content_.append(bytes);
    return {};
  }
  Result<void> WriteAt(uint64_t offset, std::string_view bytes) override {
    if (content_.size() < offset + bytes.size()) content_.resize(offset + bytes.size());
    content_.replace(offset, bytes.size(), bytes);
    return {};
  }
  Result<void> Truncate(uint64_t size) override {
    content_.resize(size);
    return {};
  }
  Result<void> Sync() override { return {}; }
  Result<FileInfo> Info() override {
    FileInfo info;
    info.type = FileInfo::Type::kRegular;
    info.size = content_.size();
    return info;
  }
  Result<bool> TryLock() override { return true; }
  std::string Take() { return std::move(content_); }

 private:
  std::string content_;
  uint64_t position_ = 0;
};

class BodyFile : public FrameSource {
 public:
  const BodyFacts& facts() const override { return facts_; }

  Result<FramePlace> Place(uint64_t number) override {
    if (number >= facts_.frames) return DamagedBody("a frame is missing");
    return FramePlace{IndexAt(number, 8), IndexAt(number, 16)};
  }

  Result<std::string> Load(uint64_t number) override {
    Result<std::string> record = Record(number);
    if (!record) return record.error();
    Result<FrameHeader> header = ReadFrameHeader(*record);
    if (!header) return header.error();
    std::string_view data = std::string_view(*record).substr(0, kFrameHeaderBytes + header->payload_bytes);
    return DecodeFrame(data, facts_.body_id, static_cast<uint32_t>(number), cipher_);
  }

  Result<StoredFrame> Stored(uint64_t number, bool with_data) {
    Result<Extent> extent = ExtentOf(number);
    if (!extent) return extent.error();
    Result<std::string> start = file_->ReadAt(extent->begin, kFrameHeaderBytes);
    if (!start) return start.error();
    Result<FrameHeader> header = ReadFrameHeader(*start);
    if (!header) return header.error();
    size_t data = kFrameHeaderBytes + header->payload_bytes;
    if (extent->end - extent->begin != data + header->filter_bytes) return DamagedBody("a frame's sizes do not fit");
    Result<std::string> filter = file_->ReadAt(extent->begin + data, header->filter_bytes);
    if (!filter) return filter.error();
    if (filter->size() != header->filter_bytes) return DamagedBody("it is cut short");
    Result<std::string> bytes = with_data ? file_->ReadAt(extent->begin, data) : Result<std::string>(std::string());
    if (!bytes) return bytes.error();
    Result<FramePlace> place = Place(number);
    if (!place) return place.error();
    return StoredFrame{bytes.Take(), filter.Take(), *place};
  }

  Result<void> Read(std::unique_ptr<File> file, const Cipher* cipher) {
    file_ = std::move(file);
    cipher_ = cipher;
    Result<FileInfo> info = file_->Info();
    if (!info) return info.error();
    uint64_t size = info->size;
    if (size < kHeaderBytes + kFooterBytes) return DamagedBody("it is cut short");
    Result<std::string> header = file_->ReadAt(0, kHeaderBytes);
    if (!header) return header.error();
    Result<std::string> footer = file_->ReadAt(size - kFooterBytes, kFooterBytes);
    if (!footer) return footer.error();
    if (header->size() != kHeaderBytes || footer->size() != kFooterBytes) return DamagedBody("it is cut short");
    if (header->substr(0, kBodyMagic.size()) != kBodyMagic) return DamagedBody("it does not begin as one");
    if (NumberAt<uint32_t>(*header, 8) > kBodyVersion) {
      return Error{Cause::kUnsupported, "a body file was written by a newer pith: update pith"};
    }
    if (footer->substr(kFooterBytes - kEnd.size()) != kEnd) return DamagedBody("it was not finished");
    uint64_t index_offset = NumberAt<uint64_t>(*footer, 0);
    facts_.frames = NumberAt<uint64_t>(*footer, 8);
    uint64_t room = size - kFooterBytes;
    if (index_offset < kHeaderBytes || index_offset > room || (room - index_offset) % kIndexEntryBytes != 0 ||
        (room - index_offset) / kIndexEntryBytes != facts_.frames) {
      return DamagedBody("its index does not fit");
    }
    Result<std::string> index = file_->ReadAt(index_offset, room - index_offset);
    if (!index) return index.error();
    if (index->size() != room - index_offset) return DamagedBody("its index is cut short");
    std::string_view checked = std::string_view(*footer).substr(0, kCheckedFooter);
    if (CheckOf({*header, *index, checked}) != NumberAt<uint64_t>(*footer, kCheckedFooter)) {
      return DamagedBody("its check does not fit");
    }
    index_ = index.Take();
    index_offset_ = index_offset;
    facts_.body_id = NumberAt<uint64_t>(*header, 16);
    memcpy(facts_.key_id.data(), header->data() + 24, facts_.key_id.size());
    facts_.raw_bytes = NumberAt<uint64_t>(*footer, 16);
    facts_.lines = NumberAt<uint64_t>(*footer, 24);
    memcpy(facts_.digest.data(), footer->data() + 32, facts_.digest.size());
    facts_.stored_bytes = size;
    return CheckKey();
  }

 private:
  uint64_t IndexAt(uint64_t number, size_t field) const {
    return NumberAt<uint64_t>(index_, static_cast<size_t>(number) * kIndexEntryBytes + field);
  }

  Result<void> CheckKey() const {
    if (facts_.key_id == KeyId{}) return {};
    if (cipher_ == nullptr) return Error{Cause::kDenied, "this original is encrypted and no key was given"};
    if (cipher_->key_id() != facts_.key_id) {
      return Error{Cause::kDenied, "this original is encrypted with another key than the one given"};
    }
    return {};
  }

  struct Extent {
    uint64_t begin = 0, end = 0;  // of a frame with its filter, in the file
  };
  Result<Extent> ExtentOf(uint64_t number) const {
    if (number >= facts_.frames) return DamagedBody("a frame is missing");
    Extent extent{IndexAt(number, 0), number + 1 < facts_.frames ? IndexAt(number + 1, 0) : index_offset_};
    if (extent.begin < kHeaderBytes || extent.end <= extent.begin || extent.end > index_offset_ ||
        extent.end - extent.begin > 2 * kFrameBytes) {
      return DamagedBody("its index does not fit");
    }
    return extent;
  }

  Result<std::string> Record(uint64_t number) {
    Result<Extent> extent = ExtentOf(number);
    if (!extent) return extent.error();
    uint64_t length = extent->end - extent->begin;
    Result<std::string> record = file_->ReadAt(extent->begin, length);
    if (record && record->size() != length) return DamagedBody("it is cut short");
    return record;
  }

  std::unique_ptr<File> file_;
  const Cipher* cipher_ = nullptr;
  BodyFacts facts_;
  std::string index_;
  uint64_t index_offset_ = 0;
};

}  // namespace

BodyFileWriter::BodyFileWriter(File& file, const FrameForm& form) : file_(file) {
  body_ = std::make_unique<BodyWriter>(form, [this](Frame frame, const FramePlace& place) -> Result<void> {
    AppendNumber(index_, offset_);
    AppendNumber(index_, place.raw_offset);
    AppendNumber(index_, place.newlines_before);
    if (Result<void> done = Put(frame.data); !done) return done;
    if (Result<void> done = Put(frame.filter); !done) return done;
    return notify_ ? notify_() : Result<void>();
  });
  header_ = HeaderOf(body_->body_id(), form.cipher != nullptr ? form.cipher->key_id() : KeyId{});
  waiting_ = header_;
  offset_ = header_.size();
}

Result<void> BodyFileWriter::Put(std::string_view bytes) {
  offset_ += bytes.size();
  if (offset_ > most_) return TooLarge();
  waiting_.append(bytes);
  // A body that is streamed must be in the file after each frame; a small one goes out whole at the end.
  if (waiting_.size() < kGather && !notify_) return {};
  Result<void> done = file_.Write(waiting_);
  waiting_.clear();
  return done;
}

Error BodyFileWriter::TooLarge() const {
  return {Cause::kTooLarge,
          "the original takes more than its bound of " + std::to_string(most_) + " bytes in the store"};
}

Result<void> BodyFileWriter::Append(std::string_view bytes) { return body_->Append(bytes); }

Result<BodyFacts> BodyFileWriter::Finish(const Digest* digest) {
  Result<BodyFacts> facts = body_->Finish(digest);
  if (!facts) return facts;
  std::string footer;
  AppendNumber(footer, offset_);
  AppendNumber(footer, facts->frames);
  AppendNumber(footer, facts->raw_bytes);
  AppendNumber(footer, facts->lines);
  footer.append(reinterpret_cast<const char*>(facts->digest.data()), facts->digest.size());
  AppendNumber(footer, CheckOf({header_, index_, footer}));
  footer.append(kEnd);
  waiting_.append(index_).append(footer);
  offset_ += index_.size() + footer.size();
  if (offset_ > most_) return TooLarge();
  if (Result<void> done = file_.Write(waiting_); !done) return done.error();
  waiting_.clear();
  facts->stored_bytes = offset_;
  return facts;
}

Result<std::unique_ptr<FrameSource>> OpenBodyFile(const std::string& path, const Cipher* cipher) {
  Result<std::unique_ptr<File>> file = Files().Open(path, OpenMode::kRead);
  if (!file) return file.error();
  auto body = std::make_unique<BodyFile>();
  if (Result<void> read = body->Read(file.Take(), cipher); !read) return read.error();
  return std::unique_ptr<FrameSource>(std::move(body));
}

Result<std::string> EncodeBody(std::string_view bytes, const Digest& digest, bool compressed, bool filtered,
                               const Cipher* cipher) {
  StringFile file;
  BodyFileWriter writer(file, {compressed, filtered, cipher});
  writer.body().DoNotHash();
  if (Result<void> done = writer.Append(bytes); !done) return done.error();
  Result<BodyFacts> facts = writer.Finish(&digest);
  if (!facts) return facts.error();
  return file.Take();
}

Result<std::unique_ptr<FrameSource>> OpenBody(std::string content, const Cipher* cipher) {
  auto body = std::make_unique<BodyFile>();
  if (Result<void> read = body->Read(std::make_unique<StringFile>(std::move(content)), cipher); !read) {
    return read.error();
  }
  return std::unique_ptr<FrameSource>(std::move(body));
}

Result<StoredFrame> ReadStoredFrame(FrameSource& body_file, uint64_t number) {
  return static_cast<BodyFile&>(body_file).Stored(number, true);
}

Result<StoredFrame> ReadStoredFilter(FrameSource& body_file, uint64_t number) {
  return static_cast<BodyFile&>(body_file).Stored(number, false);
}

Result<void> WalkUnfinished(File& file, const Cipher* cipher, const std::function<bool(std::string raw)>& visit) {
  Result<std::string> header = file.ReadAt(0, kHeaderBytes);
  if (!header) return header.error();
  if (header->size() < kHeaderBytes) return {};  // nothing was written yet
  if (header->substr(0, kBodyMagic.size()) != kBodyMagic) return DamagedBody("it does not begin as one");
  uint64_t body_id = NumberAt<uint64_t>(*header, 16);
  uint64_t at = kHeaderBytes;
  for (uint32_t number = 0;; ++number) {
    Result<std::string> start = file.ReadAt(at, kFrameHeaderBytes);
    if (!start) return start.error();
    Result<FrameHeader> frame = ReadFrameHeader(*start);
    if (!frame) return {};  // the end of what is whole: nothing, the index, or a frame half written
    Result<std::string> data = file.ReadAt(at, kFrameHeaderBytes + frame->payload_bytes);
    if (!data) return data.error();
    if (data->size() < kFrameHeaderBytes + frame->payload_bytes) return {};
    Result<std::string> raw = DecodeFrame(*data, body_id, number, cipher);
    if (!raw) return raw.error();
    if (!visit(raw.Take())) return {};
    at += kFrameHeaderBytes + frame->payload_bytes + frame->filter_bytes;
  }
}

}  // namespace pith
