// Makes a circuit of 3-input gates smaller, keeping its function: simulated annealing whose moves are
// resubstitutions. See derive_sbox_circuit.py, which compiles and runs this, for the idea.
//
// usage: anneal_look_ups IN OUT STEPS SEED TEMPERATURE, of files as look_up_network.hpp describes them
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "look_up_network.hpp"
#include "triple_search.hpp"

using namespace circuits;

namespace {

// A gate's replacement by one gate, or by two of which the second reads the first as its fan-in 2.
struct Move {
  std::array<int, 5>
      source;  // values; [0..2] of the only gate, or [0..1] of the last and [2..4] of the first
  bool two;
  int change;  // of the number of gates
};

class Annealing {
 public:
  Annealing(const Network& start, uint64_t seed, double temperature)
      : random_{seed * 0x9E3779B97F4A7C15ull + 88172645463325252ull},
        temperature_(temperature),
        now_(live_part(start, random_)),
        best_(now_),
        columns_(now_) {}

  const Network& best() const { return best_; }

  // @return whether there is a new best
  bool step() {
    const int target = kInputs + random_.below(now_.gates());
    look_at(target);
    if (empty(on_) || empty(off_)) return false;
    const bool two = random_.unit() < 0.7 && has_private_fanin(target);
    two ? find_two(target) : find_one(target);
    if (moves_.empty()) return false;
    const Move* move = choose();
    if (!move) return false;
    return carry_out(target, *move);
  }

 private:
  // Which values may be used (not those that depend on the target), at which inputs the target matters,
  // and how many users each value has.
  void look_at(int target) {
    const Network& n = now_;
    depends_.fill(false);
    depends_[target] = true;
    std::array<Table, 256> flipped;
    for (int i = 0; i < 4; i++) flipped[target].w[i] = ~n.value[target].w[i];
    for (int i = target + 1; i < n.size; i++) {
      const auto& f = n.gate[i].fanin;
      if (!(depends_[f[0]] || depends_[f[1]] || depends_[f[2]])) continue;
      depends_[i] = true;
      const auto of = [&](int s) -> const Table& { return depends_[s] ? flipped[s] : n.value[s]; };
      flipped[i] = apply(n.gate[i].table, of(f[0]), of(f[1]), of(f[2]));
    }
    Table care{};
    for (int o : n.output) {
      if (depends_[o]) care = care | (flipped[o] ^ n.value[o]);
    }
    on_ = n.value[target] & care;
    off_ = without(care, n.value[target]);
    divisors_ = 0;
    for (int i = 0; i < std::min(n.size, kMostDivisors); i++) {
      if (!depends_[i]) divisors_ |= Mask{1} << i;
    }
    users_.fill(0);
    for (int i = kInputs; i < n.size; i++) count_fanins(n.gate[i], users_, 1);
    for (int o : n.output) users_[o]++;
  }

  static void count_fanins(const Gate& g, std::array<int, 256>& users, int by) {
    const auto& f = g.fanin;
    users[f[0]] += by;
    if (f[1] != f[0]) users[f[1]] += by;
    if (f[2] != f[0] && f[2] != f[1]) users[f[2]] += by;
  }

  bool has_private_fanin(int target) const {
    const auto& f = now_.gate[target].fanin;
    return std::any_of(f.begin(), f.end(), [&](int s) { return s >= kInputs && users_[s] == 1; });
  }

  void find_one(int target) {
    TripleSearch(now_, columns_, divisors_, on_, off_).run(triples_, 3000);
    moves_.clear();
    keep_some(300);
    for (const Triple& t : triples_) {
      Move move{{t[0], t[1], t[2], 0, 0}, false, 0};
      consider(target, move, 3, t[0] == t[2] ? -1 : 0);
    }
  }

  // The last gate reads two values that exist and a third that must be made: what that one has to tell
  // apart follows, but for its sign wherever the two leave the target open.
  void find_two(int target) {
    moves_.clear();
    const int a = random_.unit() < 0.7 ? now_.gate[target].fanin[random_.below(3)] : some_divisor();
    const int b = some_divisor();
    Table on{}, off{};
    for (int cell = 0; cell < 4; cell++) {
      const Table x = part(part(on_, now_.value[a], cell & 1), now_.value[b], cell & 2);
      const Table y = part(part(off_, now_.value[a], cell & 1), now_.value[b], cell & 2);
      if (empty(x) || empty(y)) continue;
      const bool positive = random_.below(2);
      on = on | (positive ? x : y);
      off = off | (positive ? y : x);
    }
    if (empty(on) || empty(off)) return;
    TripleSearch(now_, columns_, divisors_, on, off).run(triples_, 1000);
    keep_some(200);
    for (const Triple& t : triples_) {
      const int c = t[0];
      if (t[0] == t[2]) {
        consider(target, {{a, b, c, 0, 0}, false, 0}, 3, 0);
      } else {
        consider(target, {{a, b, c, t[1], t[2]}, true, 0}, 5, 1);
      }
    }
  }

  void keep_some(size_t most) {
    for (size_t k = 0; k < most && k < triples_.size(); k++) {
      std::swap(triples_[k],
                triples_[k + static_cast<size_t>(random_.below(static_cast<int>(triples_.size() - k)))]);
    }
    if (triples_.size() > most) triples_.resize(most);
  }

  int some_divisor() {
    for (;;) {
      const int i = random_.below(std::min(now_.size, kMostDivisors));
      if (divisors_ >> i & 1) return i;
    }
  }

  // Counts the gates that nobody needs any more once the target reads other values.
  void consider(int target, Move move, int sources, int added) {
    std::array<int, 256> users = users_;
    for (int i = 0; i < sources; i++) users[move.source[i]]++;
    std::array<int, 256> unused;
    int freed = 0;
    const auto release = [&](int x) {
      const auto& f = now_.gate[x].fanin;
      for (int z = 0; z < 3; z++) {
        if ((z > 0 && f[z] == f[0]) || (z > 1 && f[z] == f[1])) continue;
        if (--users[f[z]] == 0 && f[z] >= kInputs) unused[freed++] = f[z];
      }
    };
    release(target);
    for (int i = 0; i < freed; i++) release(unused[i]);
    move.change = added - freed;
    if (!move.two && added == 0) {  // the gate as it stands is no move
      auto sorted = move.source, present = move.source;
      std::copy(now_.gate[target].fanin.begin(), now_.gate[target].fanin.end(), present.begin());
      std::sort(sorted.begin(), sorted.begin() + 3);
      std::sort(present.begin(), present.begin() + 3);
      if (std::equal(sorted.begin(), sorted.begin() + 3, present.begin())) return;
    }
    moves_.push_back(move);
  }

  const Move* choose() {
    int least = 99;
    for (const Move& move : moves_) least = std::min(least, move.change);
    if (least > 0 && random_.unit() >= std::exp(-least / temperature_)) return nullptr;
    int wanted = least;
    if (least == 0 && random_.unit() < std::exp(-1 / temperature_)) wanted = 1;
    std::vector<const Move*> eligible;
    for (const Move& move : moves_) {
      if (move.change == wanted) eligible.push_back(&move);
    }
    if (eligible.empty()) return nullptr;
    return eligible[static_cast<size_t>(random_.below(static_cast<int>(eligible.size())))];
  }

  // The table that tells on from off at three values; where neither occurs, anything.
  Gate gate_for(const Network& n, std::array<int, 3> source, const Table& on, const Table& off) {
    Gate g{0, source};
    for (int row = 0; row < 8; row++) {
      const auto within = [&](const Table& t) {
        return !empty(part(part(part(t, n.value[source[0]], row & 4), n.value[source[1]], row & 2),
                           n.value[source[2]], row & 1));
      };
      if (within(on) || (!within(off) && random_.below(2))) g.table |= 1 << row;
    }
    return g;
  }

  bool carry_out(int target, const Move& move) {
    const Network& n = now_;
    Network m;
    std::array<int, 256> number;
    for (int i = 0; i < kInputs; i++) m.value[i] = n.value[i], number[i] = i;
    m.size = kInputs;
    const auto copy = [&](int i) {
      Gate g = n.gate[i];
      for (int& source : g.fanin) source = number[source];
      number[i] = m.add(g);
    };
    for (int i = kInputs; i < n.size; i++) {
      if (!depends_[i]) copy(i);
    }
    std::array<int, 3> last{number[move.source[0]], number[move.source[1]], number[move.source[2]]};
    if (move.two) {
      // The first gate's sets once more, as find_two() had them up to signs: find signs that fit.
      const int first =
          first_of_two(m, {last[0], last[1]}, {last[2], number[move.source[3]], number[move.source[4]]});
      if (first < 0) return false;
      last[2] = first;
    }
    number[target] = m.add(gate_for(m, last, on_, off_));
    for (int i = target + 1; i < n.size; i++) {
      if (depends_[i]) copy(i);
    }
    for (int k = 0; k < kOutputs; k++) {
      m.output[k] = number[n.output[k]];
      if (!empty(m.value[m.output[k]] ^ n.value[n.output[k]])) return false;
    }
    now_ = live_part(m, random_);
    forward_wires();
    if (now_.gates() > best_.gates() + 4) now_ = best_;
    columns_ = Columns(now_);
    const bool better = now_.gates() < best_.gates();
    if (now_.gates() <= best_.gates()) best_ = now_;
    return better;
  }

  // Each combination of the three sources is on or off in every cell of the two others that it meets; signs
  // of the cells are free, so one walks from cell to cell.
  int first_of_two(Network& m, std::array<int, 2> two, std::array<int, 3> source) {
    for (int signs = 0; signs < 16; signs++) {
      Table on{}, off{};
      for (int cell = 0; cell < 4; cell++) {
        const Table x = part(part(on_, m.value[two[0]], cell & 1), m.value[two[1]], cell & 2);
        const Table y = part(part(off_, m.value[two[0]], cell & 1), m.value[two[1]], cell & 2);
        if (empty(x) || empty(y)) continue;
        on = on | (signs >> cell & 1 ? x : y);
        off = off | (signs >> cell & 1 ? y : x);
      }
      const Gate g = gate_for(m, source, on, off);
      const Table made = apply(g.table, m.value[source[0]], m.value[source[1]], m.value[source[2]]);
      if (empty(without(on, made)) && empty(off & made)) return m.add(g);
    }
    return -1;
  }

  // A gate that equals another value, or its complement, gives way to it.
  void forward_wires() {
    Network& n = now_;
    bool changed = false;
    for (int i = kInputs; i < n.size; i++) {
      for (int j = 0; j < i; j++) {
        const uint64_t sign = n.value[i].w[0] ^ n.value[j].w[0];
        if (sign != 0 && sign != ~uint64_t{0}) continue;
        const Table difference = n.value[i] ^ n.value[j];
        if (difference.w[1] != sign || difference.w[2] != sign || difference.w[3] != sign) continue;
        const bool complement = sign != 0;
        if (complement && std::find(n.output.begin(), n.output.end(), i) != n.output.end()) continue;
        for (int k = i + 1; k < n.size; k++) {
          for (int z = 0; z < 3; z++) {
            if (n.gate[k].fanin[z] != i) continue;
            n.gate[k].fanin[z] = j;
            if (!complement) continue;
            int table = 0;
            for (int row = 0; row < 8; row++) table |= (n.gate[k].table >> (row ^ (4 >> z)) & 1) << row;
            n.gate[k].table = table;
          }
        }
        for (int& o : n.output) {
          if (o == i) o = j;
        }
        changed = true;
        break;
      }
    }
    if (changed) n = live_part(n, random_);
  }

  Random random_;
  double temperature_;
  Network now_, best_;
  std::array<bool, 256> depends_;
  std::array<int, 256> users_;
  Table on_, off_;
  Mask divisors_;
  Columns columns_;
  std::vector<Triple> triples_;
  std::vector<Move> moves_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 6) return 2;
  Annealing annealing(read(arguments[1]), std::strtoull(arguments[4], nullptr, 10), std::atof(arguments[5]));
  const uint64_t steps = std::strtoull(arguments[3], nullptr, 10);
  for (uint64_t step = 0; step < steps; step++) {
    if (!annealing.step()) continue;
    write(annealing.best(), arguments[2]);
    std::fprintf(stderr, "%d gates after %llu steps\n", annealing.best().gates(),
                 static_cast<unsigned long long>(step));
  }
  write(annealing.best(), arguments[2]);
}
