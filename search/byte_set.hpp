#pragma once

#include <bitset>
#include <cstdint>
#include <string>

/// Sets of bytes: what one place of a pattern may match.
namespace gsst::search {

using ByteSet = std::bitset<256>;

/// The set of one byte.
ByteSet set_of(std::uint8_t byte);
/// Letters, digits and underscore of ASCII: what words are made of.
const ByteSet& word_bytes();
/// All bytes but the line end, which no pattern matches.
const ByteSet& line_bytes();
/// `set` with the other case of each letter of ASCII in it.
ByteSet with_both_cases(const ByteSet& set);
bool is_subset(const ByteSet& part, const ByteSet& whole);
/// The set in RE2's syntax: an expression that matches one byte of it.
std::string expression_of(const ByteSet& set);

}  // namespace gsst::search
