// Tests the parts of the benchmark: random data, sizes, medians, bounds, options, and its JSON.
#include "benchmarks/bench.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "benchmarks/known_limits.hpp"
#include "benchmarks/size_text.hpp"

namespace warpaes::bench {
namespace {

using Json = nlohmann::json;

TEST(FirstDifference, IsFoundWhereverItIs) {
  PageableBuffer left((size_t{3} << 20) + 5), right(left.size());
  fill_random(left.span());
  copy(right.span(), left.data());
  EXPECT_FALSE(first_difference(left.span(), right.data()));
  for (const size_t at : {size_t{0}, size_t{1} << 20, left.size() / 2, left.size() - 1}) {
    right.data()[at] ^= 4;
    EXPECT_EQ(first_difference(left.span(), right.data()), at);
    right.data()[at] ^= 4;
  }
  left.data()[7] ^= 1;
  left.data()[left.size() - 1] ^= 1;
  EXPECT_EQ(first_difference(left.span(), right.data()), size_t{7});
}

TEST(FillRandom, WritesEverythingAndNothingTwice) {
  PageableBuffer first(size_t{4} << 20), second(first.size());
  fill(first.span(), 0);
  fill_random(first.span());
  fill_random(second.span());
  size_t zeros = 0;
  for (const uint8_t byte : first.span()) zeros += byte == 0;
  const double expected = static_cast<double>(first.size()) / 256;  // standard deviation 128
  EXPECT_NEAR(static_cast<double>(zeros), expected, 10 * 128);
  std::set<std::vector<uint8_t>> pages;
  for (const auto& buffer : {first.span(), second.span()}) {
    for (size_t at = 0; at < buffer.size(); at += 4096) {
      pages.emplace(buffer.begin() + at, buffer.begin() + at + 16);
    }
  }
  EXPECT_EQ(pages.size(), 2 * first.size() / 4096);
}

TEST(Size, IsAWholeNumberAndAUnit) {
  EXPECT_EQ(parse_size("4096"), 4096u);
  EXPECT_EQ(parse_size("1MiB"), 1048576u);
  EXPECT_EQ(parse_size("64 mib"), 67108864u);
  EXPECT_EQ(parse_size("2GB"), 2000000000u);
  EXPECT_EQ(parse_size("16777215TiB"), uint64_t{16777215} << 40);
  for (const char* text : {"", "0", "-1", "+1", " 1", "1.5MiB", "MiB", "1M", "1MiBB", "1  B", "0x10", "1e3",
                           "18446744073709551616", "16777216TiB"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
  EXPECT_EQ(size_text(67108864), "64 MiB");
  EXPECT_EQ(size_text(16400), "16400 B");
}

TEST(Spread, TakesTheMedian) {
  const auto spread = [](std::vector<double> values) {
    size_t next = 0;
    return spread_of(static_cast<unsigned>(values.size()), [&] { return values[next++]; });
  };
  EXPECT_EQ(spread({3, 1, 9}).median, 3);
  EXPECT_EQ(spread({3, 1, 9, 5}).median, 4);
  EXPECT_EQ(spread({2}).median, 2);
  EXPECT_EQ(spread({3, 1, 9}).min, 1);
  EXPECT_EQ(spread({3, 1, 9}).max, 9);
}

class Bounds : public testing::Test {
 protected:
  Bounds() {
    gpu_.on_device = 1;
    gpu_.kernel = "lane_private_tables";
    for (const Limit& limit : limit_table()) {
      const std::string name = limit.name;
      if (name == "shared_lookups") limits_.push_back({&limit, 8.32e12});
      if (name == "lop3") limits_.push_back({&limit, 16.6e12});
      if (name == "device_copy") limits_.push_back({&limit, 4270});
      if (name == "device_read") limits_.push_back({&limit, 4400});
      if (name == "pcie_both_ways") limits_.push_back({&limit, 47.5});
      if (name == "clmad") limits_.push_back({&limit, std::nullopt});
    }
  }

  double bound(const char* mode, int key_bits, const char* place = "device", uint64_t messages = 1) const {
    return lowest_bound(limits_, gpu_, {&bench_mode_named(mode), key_bits, messages, 1 << 20}, place)
        ->gb_per_s;
  }

  EngineInfo gpu_{};
  std::vector<MeasuredLimit> limits_;
};

// 8.32e12 look-ups/s * 16 bytes / (look-ups + 8), by hand.
TEST_F(Bounds, FollowFromLookups) {
  EXPECT_NEAR(bound("ecb", 128), 792.4, 0.1);
  EXPECT_NEAR(bound("ecb", 192), 665.6, 0.1);
  EXPECT_NEAR(bound("ecb", 256), 573.8, 0.1);
  EXPECT_NEAR(bound("cbc-encrypt", 128), 792.4, 0.1);
  EXPECT_NEAR(bound("cmac", 128), 811.7, 0.1);  // look-ups + 4: it stores nothing
  EXPECT_NEAR(bound("ccm", 128), 405.9, 0.1);
  EXPECT_NEAR(bound("eax", 256), 291.9, 0.1);
  EXPECT_NEAR(bound("gcm-siv", 128), 942.4, 0.1);
  EXPECT_NEAR(bound("ocb3", 256), 573.8, 0.1);
  EXPECT_NEAR(bound("siv", 128), 401.0, 0.1);  // look-ups + 12: the data passes three times
  EXPECT_NEAR(bound("gcm", 128, "device", 2), 969.9, 0.1);
  EXPECT_NEAR(bound("gcm", 192, "device", 2), 786.5, 0.1);
  EXPECT_NEAR(bound("gcm", 256, "device", 2), 661.5, 0.1);
}

// 16.6e12 operations/s * 16 bytes / ((349 * rounds + 416) / 8), by hand; CTR and GCM save two rounds.
TEST_F(Bounds, FollowFromLogicOnBitPlanes) {
  gpu_.kernel = "bitsliced";
  EXPECT_NEAR(bound("ecb", 128), 544.0, 0.1);
  EXPECT_NEAR(bound("cbc-decrypt", 256), 400.7, 0.1);
  EXPECT_NEAR(bound("ctr", 128), 662.3, 0.1);
  EXPECT_NEAR(bound("gcm", 128, "device", 2), 662.3, 0.1);
}

// t blocks by tables and p on bit planes, as many as satisfy both
//     137.25 t + 8 p <= 8.32e12     193.875 t + 401 p <= 16.6e12
TEST_F(Bounds, FollowFromBothWhereTheyWorkTogether) {
  const double determinant = 137.25 * 401 - 8 * 64.625;
  const double t = (8.32e12 * 401 - 8 * 16.6e12) / determinant;
  const double p = (137.25 * 16.6e12 - 64.625 * 8.32e12) / determinant;
  EXPECT_NEAR(bound("ctr", 128), (t + p) * 16e-9, 0.1);
  EXPECT_NEAR(bound("gcm", 128), (t + p) * 16e-9, 0.1);
  EXPECT_GT(bound("gcm", 256), bound("gcm", 256, "device", 2));
}

TEST_F(Bounds, AreLookupsAloneWhereTheseLeaveNoLogic) {
  for (MeasuredLimit& limit : limits_) {
    if (std::string(limit.limit->name) == "lop3") limit.value = 1e12;
  }
  EXPECT_NEAR(bound("ctr", 128), 969.9, 0.1);
}

TEST_F(Bounds, TakeTheLowestLimitOfAll) {
  EXPECT_EQ(bound("gcm", 128, "pinned"), 47.5);
  for (MeasuredLimit& limit : limits_) {
    if (std::string(limit.limit->name) == "device_copy") limit.value = 300;
  }
  EXPECT_EQ(bound("gcm", 128), 150);  // reads as much as it writes
}

TEST_F(Bounds, OfOtherKernelsAreThoseOfMemory) {
  gpu_.kernel = "something else";
  EXPECT_EQ(bound("ecb", 128), 4270.0 / 2);
}

TEST_F(Bounds, OfModesThatOnlyHashAreThoseOfReading) {
  EXPECT_EQ(bound("gmac", 256), 4400);
  gpu_.kernel = "bitsliced";
  EXPECT_EQ(bound("gmac", 128), 4400);
}

TEST_F(Bounds, AreNotKnownForCpusOrUnmeasuredLimits) {
  const Workload workload{&bench_mode_named("ecb"), 128, 1, 16};
  EXPECT_FALSE(lowest_bound({}, gpu_, workload, "device"));
  EXPECT_FALSE(lowest_bound(limits_, EngineInfo{}, workload, "pageable"));
}

/// What is written as JSON, one object a line.
template <class Write>
std::vector<Json> json_lines_of(const Write& write) {
  std::FILE* file = std::tmpfile();
  write(*json_report(file));
  std::string text(static_cast<size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
  std::fclose(file);
  std::vector<Json> lines;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    lines.push_back(Json::parse(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return lines;
}

std::vector<Json> json_lines(const BenchOptions& options, unsigned* wrong = nullptr) {
  return json_lines_of([&](Report& report) {
    const unsigned found = run_bench(options, report);
    if (wrong != nullptr) *wrong = found;
  });
}

TEST(JsonReport, KeepsFourDigitsOfWhatIsSlow) {
  EngineInfo engine{};
  engine.name = engine.kernel = "slow";
  Result slow{};
  slow.workload = {&bench_mode_named("ctr"), 128, 1, 16};
  slow.engine = &engine;
  slow.gb_per_s = {0.00001234567, 0.1234567, 1.234567};
  slow.microseconds = 0.0123456;
  slow.place = "pageable";
  const Json line = json_lines_of([&](Report& report) { report.result(slow, {}); }).front();
  EXPECT_EQ(line["gb_per_s_min"], 1.235e-05);
  EXPECT_EQ(line["gb_per_s"], 0.1235);
  EXPECT_EQ(line["gb_per_s_max"], 1.235);
  EXPECT_EQ(line["microseconds"], 0.01235);
}

TEST(JsonReport, HasMachineLimitsResultsAndSummary) {
  BenchOptions options;
  options.modes = {"ctr", "gcm"};
  options.key_bits = {128};
  options.bytes = {16, 65536};
  options.engines = {"openssl", "portable"};
  options.samples = 2;
  options.limits = warpaes::devices().empty();  // with a GPU, limits take seconds and are measured elsewhere
  unsigned wrong = 99;
  const auto lines = json_lines(options, &wrong);
  EXPECT_EQ(wrong, 0u);

  EXPECT_EQ(lines.front()["type"], "machine");
  for (const char* field :
       {"date", "warpaes", "commit", "sources_sha256", "gpu", "compute_capability", "driver", "cuda_runtime",
        "multiprocessors", "cpu", "cores", "threads", "openssl"}) {
    EXPECT_TRUE(lines.front().contains(field)) << field;
  }
  size_t limits = 0, results = 0;
  for (const Json& line : lines) {
    if (line["type"] == "limit") {
      EXPECT_TRUE(line.contains("name") && line.contains("unit") && line["value"].is_null()) << line;
      limits++;
    }
    if (line["type"] != "result") continue;
    results++;
    EXPECT_TRUE(line["mode"] == "ctr" || line["mode"] == "gcm");
    EXPECT_EQ(line["key_bits"], 128);
    EXPECT_TRUE(line["direction"] == "encrypt" || line["direction"] == "decrypt");
    EXPECT_EQ(line["where"], "pageable");
    EXPECT_EQ(line["messages"], 1);
    EXPECT_TRUE(line["bytes"] == 16 || line["bytes"] == 65536);
    EXPECT_TRUE(line["engine"].is_string() && line["kernel"].is_string());
    EXPECT_GT(line["gb_per_s"].get<double>(), 0);
    EXPECT_TRUE(line["limit"].is_null() && line["share"].is_null());
    EXPECT_EQ(line["verified"], true);
    EXPECT_NE(line["verified_with"], line["engine"]);
  }
  EXPECT_EQ(limits, options.limits ? limit_table().size() : 0);
  EXPECT_EQ(results, 16u);
  EXPECT_EQ(lines.back()["type"], "summary");
  EXPECT_EQ(lines.back()["results"], 16);
}

/// A file that goes with the object.
class ReportFile {
 public:
  explicit ReportFile(const std::string& text) { std::ofstream(path()) << text; }
  ~ReportFile() { std::remove(path().c_str()); }
  ReportFile(const ReportFile&) = delete;
  ReportFile& operator=(const ReportFile&) = delete;
  std::string path() const { return ::testing::TempDir() + "warpaes-limits.jsonl"; }
};

constexpr const char* kMachineLine = "{\"type\":\"machine\",\"gpu\":\"a GPU\"}\n";

TEST(KnownLimits, AreThoseOfTheReport) {
  std::string text = kMachineLine;
  text += "{\"type\":\"limit\",\"name\":\"lop3\",\"value\":1.5e13,\"unit\":\"operations/s\"}\n";
  text += "{\"type\":\"limit\",\"name\":\"clmad\",\"value\":null,\"unit\":\"operations/s\"}\n";
  text += "{\"type\":\"limit\",\"name\":\"of another version\",\"value\":1,\"unit\":\"GB/s\"}\n";
  text += "{\"type\":\"result\",\"mode\":\"ecb\",\"value\":2}\n";
  const ReportFile report(text);
  const std::vector<MeasuredLimit> limits = limits_in(report.path(), "a GPU");
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_STREQ(limits[0].limit->name, "lop3");
  EXPECT_EQ(limits[0].value, 1.5e13);
  EXPECT_THROW(limits_in(report.path(), "another GPU"), Error);
}

TEST(KnownLimits, AreNotTakenFromWhatIsNoReport) {
  for (const char* text : {"", "no JSON\n", "[1]\n", kMachineLine}) {
    const ReportFile report(text);
    EXPECT_THROW(limits_in(report.path(), "a GPU"), Error) << text;
  }
  EXPECT_THROW(limits_in("/no/such/report", "a GPU"), Error);
}

TEST(JsonReport, HasBatchesThatChain) {
  BenchOptions options;
  options.modes = {"cbc-encrypt", "cfb-encrypt", "ofb", "cmac"};
  options.key_bits = {192};
  options.messages = 9;
  options.bytes = {48, 16384};
  options.engines = {"openssl"};
  options.samples = 1;
  unsigned wrong = 99;
  const auto lines = json_lines(options, &wrong);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(lines.back()["results"], 8);  // encrypting only
  for (const Json& line : lines) {
    if (line["type"] != "result") continue;
    EXPECT_EQ(line["direction"], "encrypt");
    EXPECT_EQ(line["messages"], 9);
    EXPECT_EQ(line["verified"], true);
  }
}

TEST(JsonReport, HasBatchesThatDoNotChain) {
  BenchOptions options;
  options.modes = {"ecb-batch", "ctr-batch", "cbc-decrypt-batch", "cfb-decrypt-batch"};
  options.key_bits = {256};
  options.messages = 9;
  options.bytes = {48};
  options.engines = {"openssl"};
  options.samples = 1;
  unsigned wrong = 99;
  const auto lines = json_lines(options, &wrong);
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(lines.back()["results"], 6);  // CBC and CFB decrypting only
}

TEST(Options, OfNoMeaningAreRefusedBeforeAnythingRuns) {
  const auto refused = [](auto change) {
    BenchOptions options;
    options.bytes = {32};
    change(options);
    try {
      run_bench(options, *json_report(stdout));
    } catch (const Error& failure) {
      return failure.status() == WARPAES_ERROR_OPTION;
    }
    return false;
  };
  EXPECT_TRUE(refused([](BenchOptions& o) { o.messages = 0; }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.messages = 2; }));  // ecb and ctr have no batches
  EXPECT_TRUE(refused([](BenchOptions& o) { o.ragged = true; }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.key_each = true; }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.misaligned_by = 16; }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.framed = true; }));  // ctr has no tags
  EXPECT_TRUE(refused([](BenchOptions& o) {
    o.modes = {"gcm"};
    o.messages = 2;
    o.framed = true;
    o.engines = {"openssl"};  // works in host memory
  }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.key_bits = {64}; }));
  EXPECT_TRUE(refused([](BenchOptions& o) {
    o.modes = {"ofb"};
    o.directions = {"decrypt"};
  }));
  EXPECT_TRUE(refused([](BenchOptions& o) {
    o.modes = {"cbc-decrypt"};
    o.directions = {"encrypt"};
  }));
  EXPECT_TRUE(refused([](BenchOptions& o) {
    o.modes = {"xts"};
    o.bytes = {4096 + 15};
  }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.modes = {"no such mode"}; }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.directions = {"sideways"}; }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.places = {"tape"}; }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.bytes = {0}; }));
  EXPECT_TRUE(refused([](BenchOptions& o) { o.bytes = {17}; }));  // ecb needs whole blocks
  EXPECT_TRUE(refused([](BenchOptions& o) {
    o.modes = {"gcm"};
    o.messages = uint64_t{1} << 60;
    o.bytes = {32};
  }));
}

}  // namespace
}  // namespace warpaes::bench
