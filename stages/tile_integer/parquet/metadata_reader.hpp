#pragma once

#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace gsst::tile_integer {

/// Reads what Parquet stores in Thrift's compact protocol: structs, of which callers name the fields that
/// they want by number and type. All functions throw apache::thrift::TException where the bytes end or are
/// none of the protocol's.
class MetadataReader {
public:
  /// Of more than 2^31 - 1 bytes, the first ones: no header is that long.
  explicit MetadataReader(std::span<const std::uint8_t> bytes)
      : size_(static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), most_bytes))),
        // NOLINTBEGIN(cppcoreguidelines-pro-type-const-cast): OBSERVE reads only.
        transport_(
            std::make_shared<Transport>(const_cast<std::uint8_t*>(bytes.data()), size_, Transport::OBSERVE)),
        // NOLINTEND(cppcoreguidelines-pro-type-const-cast)
        protocol_(transport_) {}

  /// Bytes that have been read.
  std::size_t position() const { return size_ - transport_->available_read(); }

  /// Reads a struct. `read_field(number)` is called for each field; it reads the field by one of the
  /// functions below, or returns false. Fields that it does not want are passed.
  template <typename ReadField>
  void read_struct(ReadField&& read_field) {
    std::string name;
    protocol_.readStructBegin(name);
    while (true) {
      std::int16_t number = 0;
      protocol_.readFieldBegin(name, type_, number);
      if (type_ == Type::T_STOP) break;
      if (!read_field(number)) protocol_.skip(type_);
      protocol_.readFieldEnd();
    }
    protocol_.readStructEnd();
  }

  /// Each reads the current field if it has that type.
  bool read(std::optional<std::int32_t>& number) {
    return read_if(Type::T_I32, [&] { protocol_.readI32(number.emplace()); });
  }
  bool read(std::optional<std::int64_t>& number) {
    return read_if(Type::T_I64, [&] { protocol_.readI64(number.emplace()); });
  }
  bool read(std::optional<bool>& flag) {
    return read_if(Type::T_BOOL, [&] { protocol_.readBool(flag.emplace()); });
  }
  bool read(std::string& text) {
    return read_if(Type::T_STRING, [&] { protocol_.readBinary(text); });
  }
  template <typename ReadField>
  bool read_struct_field(ReadField&& read_field) {
    return read_if(Type::T_STRUCT, [&] { read_struct(read_field); });
  }
  /// Calls `read_element()` for each element of a list of structs, which reads it by read_struct().
  template <typename ReadElement>
  bool read_structs(ReadElement&& read_element) {
    return read_list(Type::T_STRUCT, read_element);
  }
  /// Calls `take(text)` for each element of a list of strings.
  template <typename Take>
  bool read_texts(Take&& take) {
    return read_list(Type::T_STRING, [&] {
      std::string text;
      protocol_.readBinary(text);
      take(text);
    });
  }

private:
  using Transport = apache::thrift::transport::TMemoryBuffer;
  using Type = apache::thrift::protocol::TType;

  template <typename Read>
  bool read_if(Type type, Read&& read) {
    if (type_ != type) return false;
    read();
    return true;
  }

  template <typename ReadElement>
  bool read_list(Type type, ReadElement&& read_element) {
    return read_if(Type::T_LIST, [&] {
      Type found{};
      std::uint32_t count = 0;
      protocol_.readListBegin(found, count);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (found == type) {
          read_element();
        } else {
          protocol_.skip(found);
        }
      }
      protocol_.readListEnd();
    });
  }

  static constexpr std::size_t most_bytes = 0x7fffffff;

  std::uint32_t size_;
  std::shared_ptr<Transport> transport_;
  apache::thrift::protocol::TCompactProtocolT<Transport> protocol_;
  // Of the current field.
  Type type_ = Type::T_STOP;
};

}  // namespace gsst::tile_integer
