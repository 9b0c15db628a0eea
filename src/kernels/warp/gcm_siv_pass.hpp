// A team's pass over consecutive blocks of a GCM-SIV message (RFC 8452): POLYVAL, the key stream, or both.
//
// POLYVAL hashes the plaintext, and its result determines the first counter. So encryption has two passes,
// one to hash and one to encrypt; decryption, which is given the tag, has one. Rows, groups and weights are
// those of team/gcm.hpp: the last block is the last of its group of four rows, and the rows that the piece
// does not fill come first, where a hash of zeros stays zero.
#pragma once

#include "kernels/team/message_teams.hpp"
#include "kernels/warp/gcm_siv_counters.hpp"

namespace warpaes::core {

enum class SivWork { hash, crypt, open };

/// The end of section 4: the hash is combined with the nonce, and the encryption of the result is the tag.
WARPAES_HOST_DEVICE Columns siv_tag_block(Gf128 hash, Columns nonce) {
  Columns block = little_endian_block(hash) ^ nonce;
  block.d &= 0x7fffffffu;
  return block;
}

/// One lane's share of the hash of the additional data, to be multiplied by its weight.
WARPAES_HOST_DEVICE Gf128 polyval_of_rows(const uint8_t* data, uint64_t bytes, const Gf128Factor& row_power,
                                          uint32_t lanes, uint32_t lane) {
  const int64_t blocks = static_cast<int64_t>((bytes + 15) / 16), rows = (blocks + lanes - 1) / lanes;
  Gf128 hash{0, 0};
  WARPAES_KEEP_ROLLED
  for (int64_t block = blocks - rows * lanes + lane; block < blocks; block += lanes) {
    hash = multiply_reduced(hash, row_power);
    if (block >= 0) hash = hash ^ little_endian_words(load_block(data, bytes, block));
  }
  return hash;
}

/// Consecutive blocks of a message, at most 2^31 - 1 of them.
struct SivPiece {
  const uint8_t* input;
  uint8_t* output;
  uint64_t bytes;
};

/// @tparam RowsTogether how many blocks of a lane go from round to round together: 2 where round keys come
///         from shared memory and there are registers for it, so that each is loaded once for both; or 1
template <int Tables, int Rounds, SivWork Work, uint32_t RowsTogether>
class SivPass {
 public:
  using Lane = LanePrivateTables<Tables>;

  /// @param lanes,lane the size of the team, and this lane's place in it
  WARPAES_HOST_DEVICE SivPass(const Lane& tables, const TeamKey& key, uint32_t lanes, uint32_t lane)
      : tables_(tables), key_(key), lanes_(lanes), lane_(lane) {}

  /// @param first_block () -> Columns: the counter block of the piece's first block, as SivCounters has it;
  ///        for hashing it does not matter
  /// @param before the hash of what is in front of the piece
  /// @return the lane's share of the hash, to be multiplied by its weight
  template <class First>
  WARPAES_HOST_DEVICE Gf128 operator()(const SivPiece& piece, const First& first_block, Gf128 before) const {
    const uint32_t group_blocks = 4 * lanes_;
    const TeamGroups all(piece.bytes, lanes_);
    uint32_t groups = all.groups, group = all.first;  // its first block
    const bool full = all.is_full();
    Gf128 hash{0, 0};
    if (full && lane_ == lanes_ - 1) hash = before;
    if (groups == 0) return hash;
    const uint32_t first = first_block().a;
    SivCounters<Tables, First> counters(tables_, key_.keys, first_block, first + group);
    const auto start_rows = [&] { counters.start_rows(first + group + group_blocks - 1); };
    const bool aligned = is_aligned(piece.input) && (!kCrypts || is_aligned(piece.output));
    if (!full) {
      if constexpr (kCrypts) start_rows();
      hash = any_group(piece, counters, first, group, hash, before);
      group += group_blocks;
      groups--;
    }
    WARPAES_KEEP_ROLLED
    for (; groups > 0; groups--, group += group_blocks) {
      if constexpr (kCrypts) start_rows();
      if (aligned && (groups > 1 || piece.bytes % 16 == 0)) {
        hash = whole_group(piece, counters, first, group, hash);
      } else {
        hash = any_group(piece, counters, first, group, hash, {0, 0});
      }
    }
    return hash;
  }

 private:
  static constexpr bool kHashes = Work != SivWork::crypt, kCrypts = Work != SivWork::hash;

  template <class Counters>
  WARPAES_HOST_DEVICE Gf128 whole_group(const SivPiece& piece, const Counters& counters, uint32_t first,
                                        uint32_t group, Gf128 hash) const {
    const uint32_t block = group + lane_;
    const uint8_t* const input = piece.input + uint64_t{16} * block;
    uint8_t* const output = piece.output + uint64_t{16} * block;
    Gf128Sum sum;
    if constexpr (kHashes) sum.add(hash, key_.powers.group);
    Gf128 last{0, 0};
    WARPAES_UNROLL
    for (uint32_t k = 0; k < 4; k += RowsTogether) {
      Columns in[RowsTogether], out[RowsTogether];
      WARPAES_UNROLL
      for (uint32_t i = 0; i < RowsTogether; i++) {
        const uint32_t row = (k + i) * lanes_;
        in[i] = load_aligned(input + 16 * row);
        if constexpr (kCrypts) out[i] = counters.after_two_rounds(first + block + row);
      }
      if constexpr (kCrypts && RowsTogether == 2) {
        tables_.template encrypt_both<Rounds, 3>(out[0], out[1], key_.keys);
      } else if constexpr (kCrypts) {
        out[0] = tables_.template encrypt<Rounds, 3>(out[0], key_.keys);
      }
      WARPAES_UNROLL
      for (uint32_t i = 0; i < RowsTogether; i++) {
        out[i] = kCrypts ? in[i] ^ out[i] : in[i];
        if constexpr (kCrypts) store_aligned(output + 16 * (k + i) * lanes_, out[i]);
        if constexpr (kHashes) {
          if (k + i < 3) {
            sum.add(little_endian_words(out[i]), key_.powers.within[k + i]);
          } else {
            last = little_endian_words(out[i]);
          }
        }
      }
    }
    return kHashes ? sum.reduced() ^ last : hash;
  }

  /// A group that the piece does not fill, or whose memory is not aligned. It is done row by row.
  template <class Counters>
  WARPAES_HOST_DEVICE Gf128 any_group(const SivPiece& piece, const Counters& counters, uint32_t first,
                                      uint32_t group, Gf128 hash, Gf128 before) const {
    uint32_t block = group + lane_;
    WARPAES_KEEP_ROLLED
    for (uint32_t k = 0; k < 4; k++, block += lanes_) {
      if constexpr (kHashes) {
        hash = multiply_reduced(hash, key_.powers.within[2]);
        if (block == TeamGroups::kBefore) hash = hash ^ before;
      }
      if (TeamGroups::is_before_message(block)) continue;
      const Columns in = load_block(piece.input, piece.bytes, block);
      Columns out = in;
      if constexpr (kCrypts) {
        const Columns state = counters.after_two_rounds(first + block);
        out = out ^ tables_.template encrypt<Rounds, 3>(state, key_.keys);
      }
      if constexpr (kCrypts) store_block(piece.output, piece.bytes, block, out);
      if constexpr (kHashes) {
        const uint64_t left = piece.bytes - uint64_t{16} * block;
        hash = hash ^ little_endian_words(left >= 16 ? out : keep_bytes(out, static_cast<uint32_t>(left)));
      }
    }
    return hash;
  }

  const Lane& tables_;
  const TeamKey& key_;
  const uint32_t lanes_, lane_;
};

}  // namespace warpaes::core
