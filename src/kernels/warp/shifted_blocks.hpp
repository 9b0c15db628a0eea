// Blocks at addresses that are no multiple of 16, moved by whole accesses of 16 bytes.
//
//     memory in 16s     | . . . A A | A A B B | B B C C | C . . . |       A, B, C: blocks of neighbouring
//     lanes load of B                        low       high                    both are read, and joined
//     store                             ^ A's end and B's beginning, stored by B's lane
//
// A lane that loads reads the two aligned chunks in which its block lies. A lane that stores writes the chunk
// in which its block begins, and gets from the lane before what that chunk has of the block before. Of chunks
// that reach beyond the message's ends, only the words, pairs of bytes and bytes that belong to the message
// are read and written.
#pragma once

#include "kernels/warp/block_access.hpp"

namespace warpaes::core {

/// The low word of high:low >> 8 * bytes. @param bytes only its last two bits count
WARPAES_HOST_DEVICE uint32_t joined_words(uint32_t low, uint32_t high, uint32_t bytes) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, 8 * bytes);
#else
  return static_cast<uint32_t>((static_cast<uint64_t>(high) << 32 | low) >> (8 * (bytes & 3)));
#endif
}

/// The 16 bytes that begin `bytes` % 16 bytes behind the beginning of low, which high follows.
WARPAES_HOST_DEVICE Columns joined(Columns low, Columns high, uint32_t bytes) {
  // Compilers shift a bit to the lowest place before they look at it, which takes two instructions more.
  const bool by_8 = computed_again(bytes & 8) != 0, by_4 = computed_again(bytes & 4) != 0;
  const uint32_t a = by_8 ? low.c : low.a, b = by_8 ? low.d : low.b, c = by_8 ? high.a : low.c,
                 d = by_8 ? high.b : low.d, e = by_8 ? high.c : high.a, f = by_8 ? high.d : high.b;
  const uint32_t v = by_4 ? b : a, w = by_4 ? c : b, x = by_4 ? d : c, y = by_4 ? e : d, z = by_4 ? f : e;
  return {joined_words(v, w, bytes), joined_words(w, x, bytes), joined_words(x, y, bytes),
          joined_words(y, z, bytes)};
}

/// Visits bytes `from` to `to` - 1 of an aligned chunk in pieces that memory can be accessed in: whole words,
/// and in front of them and behind them at most a byte and a pair of bytes.
/// @param visit (Piece{}, uint32_t at): a piece of type Piece that begins at byte `at`
template <class Visit>
WARPAES_HOST_DEVICE void visit_pieces(uint32_t from, uint32_t to, const Visit& visit) {
  WARPAES_UNROLL
  for (uint32_t at = 0; at < 16; at += 4) {
    if (at >= from && at + 4 <= to) visit(uint32_t{}, at);
  }
  if ((from & 1) != 0 && from < to) visit(uint8_t{}, from++);
  if ((from & 2) != 0 && from + 2 <= to) {
    visit(uint16_t{}, from);
    from += 2;
  }
  if ((to & 1) != 0 && from < to) visit(uint8_t{}, --to);
  if ((to & 2) != 0 && from + 2 <= to) visit(uint16_t{}, to - 2);
}

/// Loads bytes `from` to `to` - 1 of an aligned chunk; the others are zero.
WARPAES_HOST_DEVICE Columns load_between(const uint8_t* chunk, uint32_t from, uint32_t to) {
  Columns v{0, 0, 0, 0};
  visit_pieces(from, to, [&](auto piece, uint32_t at) {
    const uint32_t loaded = *reinterpret_cast<const decltype(piece)*>(chunk + at),
                   placed = loaded << (8 * (at % 4));
    v = v ^ Columns{at / 4 == 0 ? placed : 0, at / 4 == 1 ? placed : 0, at / 4 == 2 ? placed : 0,
                    at / 4 == 3 ? placed : 0};
  });
  return v;
}

/// Stores bytes `from` to `to` - 1 of a chunk.
WARPAES_HOST_DEVICE void store_between(uint8_t* chunk, Columns v, uint32_t from, uint32_t to) {
  visit_pieces(from, to, [&](auto piece, uint32_t at) {
    const uint32_t low = at & 4 ? v.b : v.a, high = at & 4 ? v.d : v.c, word = at & 8 ? high : low;
    *reinterpret_cast<decltype(piece)*>(chunk + at) = static_cast<decltype(piece)>(word >> (8 * (at % 4)));
  });
}

/// Which blocks a message has, and how many bytes the last of them.
struct BlockRange {
  uint32_t count, last_bytes;

  WARPAES_HOST_DEVICE explicit BlockRange(uint64_t bytes)
      : count(static_cast<uint32_t>((bytes + 15) / 16)),
        last_bytes((static_cast<uint32_t>(bytes) - 1) % 16 + 1) {}

  /// The bytes from a block to the message's end; 48 of them stand for more.
  WARPAES_HOST_DEVICE uint32_t from(uint32_t block) const {
    const uint32_t behind = count - 1 - block;
    return behind > 2 ? 48 : 16 * behind + last_bytes;
  }
};

/// Two aligned chunks, one behind the other.
struct Chunks {
  Columns low, high;
};

WARPAES_HOST_DEVICE uint32_t low_bits(const void* pointer) {
  return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(pointer));
}

/// Loads blocks of a message from any address. What is loaded is not looked at before it is joined, which a
/// caller does when it needs the block, so that the warp need not wait for memory any earlier.
class ShiftedInput {
 public:
  WARPAES_HOST_DEVICE ShiftedInput(const uint8_t* input, BlockRange blocks)
      : input_(input), blocks_(blocks) {}

  /// Loads a block that has 16 bytes of the message before it, and 16 behind it.
  WARPAES_HOST_DEVICE Chunks load_inner(uint32_t block) const {
    const uint8_t* const low = chunk(block);
    return {load_aligned(low), is_shifted() ? load_aligned(low + 16) : Columns{0, 0, 0, 0}};
  }

  /// Loads any block of the message; what is behind its end is zero.
  WARPAES_HOST_DEVICE Chunks load(uint32_t block) const {
    const uint32_t shift = low_bits(input_) % 16, from = block == 0 ? shift : 0,
                   end = shift + blocks_.from(block);
    const uint8_t* const low = chunk(block);
    Chunks loaded{{0, 0, 0, 0}, {0, 0, 0, 0}};
    if (from == 0 && end >= 16) {
      loaded.low = load_aligned(low);
    } else if (end >= 16) {
      loaded.low = load_between(low, from, 16);
    } else if (from != 0) {
      loaded.low = load_between(low, from, end);
    }
    if (shift != 0 && end >= 32) loaded.high = load_aligned(low + 16);
    const bool ends_in_low = from == 0 && end < 16;
    if (ends_in_low || (shift != 0 && end > 16 && end < 32)) {
      const Columns tail = load_between(ends_in_low ? low : low + 16, 0, end % 16);
      (ends_in_low ? loaded.low : loaded.high) = tail;
    }
    return loaded;
  }

  /// @param place the function through which this gets the place in the chunks
  template <class Place>
  WARPAES_HOST_DEVICE Columns joined(Chunks loaded, const Place& place) const {
    return core::joined(loaded.low, loaded.high, place(low_bits(input_)));
  }

 private:
  WARPAES_HOST_DEVICE bool is_shifted() const { return low_bits(input_) % 16 != 0; }
  WARPAES_HOST_DEVICE const uint8_t* chunk(uint32_t block) const {
    return input_ - low_bits(input_) % 16 + uint64_t{16} * block;
  }

  const uint8_t* const input_;
  const BlockRange blocks_;
};

/// Stores the rows of a message one after the other. Lanes next to each other have neighbouring blocks, and a
/// row's first block follows the last of the row before.
template <class Team>
class ShiftedOutput {
 public:
  WARPAES_HOST_DEVICE ShiftedOutput(const Team& team, uint8_t* output, BlockRange blocks)
      : team_(team), output_(output), blocks_(blocks) {}

  /// The chunk in which a block begins. All lanes of the team call, for each row.
  WARPAES_HOST_DEVICE Columns chunk_of(Columns value) {
    // At a multiple of 16 the block before has no part in the chunk. Then a lane gets its own block, and
    // joins the block with itself, which costs no branch.
    const bool is_shifted = low_bits(output_) % 16 != 0;
    const Columns given = is_shifted && team_.is_last() ? last_ : value;
    last_ = value;
    return joined(team_.from_lane_before(given, is_shifted ? 1 : 0), value, 0 - low_bits(output_));
  }

  /// Stores the chunk of a row that is neither the message's first nor its last.
  WARPAES_HOST_DEVICE void store_inner(uint32_t block, Columns chunk) const {
    store_aligned(place(block), chunk);
  }

  /// Stores the chunk of any block of the message.
  /// @param value the block, of which as many bytes count as the message has
  WARPAES_HOST_DEVICE void store(uint32_t block, Columns chunk, Columns value) const {
    const uint32_t shift = low_bits(output_) % 16, from = block == 0 ? shift : 0,
                   end = shift + blocks_.from(block);
    uint8_t* const to = place(block);
    if (from == 0 && end >= 16) {
      store_aligned(to, chunk);
    } else if (end >= 16) {
      store_between(to, chunk, from, 16);
    } else if (from != 0) {
      store_between(to, chunk, from, end);
    }
    // Nobody has the block behind the message's last.
    const bool ends_here = from == 0 && end < 16;
    if (ends_here || (block == blocks_.count - 1 && end > 16)) {
      const Columns tail = ends_here ? chunk : joined(value, {0, 0, 0, 0}, 16 - shift);
      store_between(ends_here ? to : to + 16, tail, 0, end % 16);
    }
  }

  /// What the message has of the block.
  WARPAES_HOST_DEVICE Columns kept(uint32_t block, Columns value) const {
    const uint32_t left = blocks_.from(block);
    return left >= 16 ? value : keep_bytes(value, left);
  }

 private:
  WARPAES_HOST_DEVICE uint8_t* place(uint32_t block) const {
    return output_ - low_bits(output_) % 16 + uint64_t{16} * block;
  }

  const Team& team_;
  uint8_t* const output_;
  const BlockRange blocks_;
  Columns last_{0, 0, 0, 0};  // this lane's block of the row before, which counts in the team's last lane
};

}  // namespace warpaes::core
