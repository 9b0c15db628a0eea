// warpaes lab penguin: a picture encrypted in ECB, CTR and GCM. Its pixels are, the PNG around them is not.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "engine_options.hpp"
#include "failure_report.hpp"
#include "hexadecimal.hpp"
#include "input_file.hpp"
#include "interrupt.hpp"
#include "json_lines.hpp"
#include "lab/picture/picture.hpp"
#include "lab_commands.hpp"
#include "lab_hints.hpp"
#include "option_checks.hpp"
#include "output_file.hpp"
#include "report_options.hpp"
#include "shown_name.hpp"
#include "standard_output.hpp"
#include "standard_streams.hpp"
#include "warpaes/cipher.hpp"

namespace warpaes::cli {
namespace {

using lab::Picture;

// Published, so that everybody gets the same pictures, and nobody takes them for protection: SP 800-38A,
// F.1.1 and F.5.1, and test case 4 of the GCM specification (McGrew and Viega 2005, appendix B).
constexpr uint8_t kKey[] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                            0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};
constexpr uint8_t kCounter[] = {0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
constexpr uint8_t kNonce[] = {0xca, 0xfe, 0xba, 0xbe, 0xfa, 0xce, 0xdb, 0xad, 0xde, 0xca, 0xf8, 0x88};

/// Longer files are not of kMostPixels pixels, unless somebody has gone to some length.
constexpr uint64_t kMostFileBytes = uint64_t{1} << 29;

using Pixels = std::vector<uint8_t>;
/// Encrypts in place; @return the tag, if there is one.
using EncryptPixels = std::vector<uint8_t>(const warpaes::Context& context, Pixels& pixels);

std::vector<uint8_t> ecb(const warpaes::Context& context, Pixels& pixels) {
  Pixels encrypted(output_size(Mode::ecb_pkcs7, Direction::encrypt, pixels.size()));
  warpaes::Cipher(context, Mode::ecb_pkcs7, kKey).encrypt({.input = pixels, .output = encrypted});
  // The last block has padding, for part of which there are no pixels.
  encrypted.resize(pixels.size());
  pixels = std::move(encrypted);
  return {};
}

std::vector<uint8_t> ctr(const warpaes::Context& context, Pixels& pixels) {
  warpaes::Cipher(context, Mode::ctr, kKey).encrypt({.input = pixels, .output = pixels, .nonce = kCounter});
  return {};
}

std::vector<uint8_t> gcm(const warpaes::Context& context, Pixels& pixels) {
  std::vector<uint8_t> tag(16);
  warpaes::Cipher(context, Mode::gcm, kKey)
      .encrypt({.input = pixels, .output = pixels, .nonce = kNonce, .tag = tag});
  return tag;
}

std::vector<uint8_t> plain(const warpaes::Context&, Pixels&) { return {}; }

struct Version {
  const char* name;
  EncryptPixels* encrypt;
  const char* meaning;
};

constexpr Version kVersions[] = {
    {"plain", plain, "what is encrypted: the pixels, 8 bits a channel"},
    {"ecb", ecb, "equal blocks stay equal: what was flat still shows its outline"},
    {"ctr", ctr, "noise; but whoever changes it changes the picture, and nobody notices"},
    {"gcm", gcm, "noise, with a tag that shows any change"},
};

Picture picture_in(const std::string& path) {
  InputFile file(path);
  std::vector<uint8_t> bytes(1 << 16);
  for (size_t size = 0;;) {
    size += file.read(std::span(bytes).subspan(size));
    if (size < bytes.size()) {
      bytes.resize(size);
      break;
    }
    if (size >= kMostFileBytes)
      throw Refusal(ExitCode::error, fmt::format("{} is too long for a picture", path));
    bytes.resize(2 * size);
  }
  try {
    return lab::read_picture(bytes);
  } catch (const lab::UnreadablePicture& reason) {
    throw Refusal(ExitCode::error, fmt::format("{}: {}", shown(file.name()), reason.what()),
                  "`warpaes lab penguin` takes PNG, PPM and PGM files; without one it draws its own picture");
  }
}

struct PenguinCommand {
  std::string image, folder = ".";
  bool force = false;
  EngineOptions engine_options;
  ReportOptions report_options;

  ExitCode run() const;
  std::string stem() const;
  void print(const Version& version, const std::string& path, std::span<const uint8_t> tag) const;
};

std::string PenguinCommand::stem() const {
  if (image.empty()) return "penguin";
  return is_standard_stream(image) ? "picture" : std::filesystem::path(image).stem().string();
}

void PenguinCommand::print(const Version& version, const std::string& path,
                           std::span<const uint8_t> tag) const {
  if (report_options.json) {
    JsonObject line = {{"type", "picture"}, {"version", version.name}, {"output", path}};
    if (!tag.empty()) line["tag"] = public_digits_of(tag);
    print_json_line(line);
  } else if (!report_options.quiet) {
    fmt::print("{}: {}{}\n", shown(path), version.meaning,
               tag.empty() ? "" : "; it is " + public_digits_of(tag));
  }
}

ExitCode PenguinCommand::run() const {
  require_no_standard_output(image);
  install_interrupt_handlers();
  const Picture picture = image.empty() ? lab::drawn_penguin() : picture_in(image);
  std::error_code reason;
  std::filesystem::create_directories(folder, reason);
  if (reason) throw Refusal(ExitCode::error, fmt::format("creating {}: {}", folder, reason.message()));

  const warpaes::Context context(engine_options.context_options());
  struct Output {
    std::string path;
    OutputFile file;
    std::vector<uint8_t> tag;
  };
  std::vector<std::unique_ptr<Output>> outputs;
  for (const Version& version : kVersions) {
    const std::string path =
        (std::filesystem::path(folder) / (stem() + "." + version.name + ".png")).string();
    outputs.push_back(std::unique_ptr<Output>(new Output{path, OutputFile(path, force, kLabHints), {}}));
  }
  for (size_t i = 0; i < outputs.size(); i++) {
    Picture version = picture;
    outputs[i]->tag = kVersions[i].encrypt(context, version.pixels);
    outputs[i]->file.write(lab::png_of(version));
    throw_if_interrupted();
  }
  // All are complete before the first of them gets its name.
  for (const auto& output : outputs) output->file.publish(default_file_mode());
  for (size_t i = 0; i < outputs.size(); i++) print(kVersions[i], outputs[i]->path, outputs[i]->tag);
  if (report_options.json) {
    print_json_line({{"type", "summary"},
                     {"command", "lab penguin"},
                     {"width", picture.width},
                     {"height", picture.height},
                     {"channels", picture.channels},
                     {"pictures", outputs.size()}});
  } else if (!report_options.quiet) {
    tell("warpaes: the key is a published one (SP 800-38A, F.1.1): a lesson, no protection\n");
  }
  return ExitCode::done;
}

}  // namespace

void register_lab_penguin(CLI::App& lab, ExitCode& exit_code) {
  CLI::App* const added = lab.add_subcommand(
      "penguin", "Encrypt a picture's pixels in ECB, CTR and GCM, and see which of them shows");
  const auto command = std::make_shared<PenguinCommand>();
  added
      ->add_option("IMAGE", command->image,
                   "A PNG, PPM or PGM file, or - for standard input; without one, a drawn penguin")
      ->check(not_empty())
      ->option_text(" ");
  added
      ->add_option("-o,--output", command->folder,
                   "Folder for NAME.plain.png, NAME.ecb.png, NAME.ctr.png, NAME.gcm.png")
      ->check(not_empty())
      ->option_text("DIR (.)");
  added->add_flag("-f,--force", command->force, "Replace pictures that exist");
  command->engine_options.add_to(*added);
  command->report_options.add_json(*added);
  added->add_flag("-q,--quiet", command->report_options.quiet, "Say nothing but errors");
  added->callback([command, &exit_code] { exit_code = command->run(); });
}

}  // namespace warpaes::cli
