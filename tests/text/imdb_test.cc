// Ids of Hugging Face's tokenizers over 50,000 reviews, as digests in
// tests/golden/text/imdb.json. The data lies beside the repository as shared/data or
// where STOKER_TEXT_DATA says.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "stoker/base/checksum.h"
#include "stoker/base/files.h"
#include "stoker/base/strings.h"
#include "stoker/base/testing.h"
#include "stoker/data/formats/detail/tar_index.h"
#include "stoker/data/text/bpe_train.h"
#include "stoker/data/text/wordpiece.h"

namespace stoker::data {
namespace {
namespace fs = std::filesystem;

fs::path data_file(const char* name) {
  const char* given = std::getenv("STOKER_TEXT_DATA");
  return (given != nullptr ? fs::path(given)
                           : fs::path(STOKER_SOURCE_DIR) / "../shared/data") /
         name;
}

nlohmann::json golden() {
  return nlohmann::json::parse(
      read_file(fs::path(STOKER_SOURCE_DIR) / "tests/golden/text/imdb.json"));
}

/// What `xz -dc` gives; empty if it cannot be run.
std::string unpacked(const fs::path& path) {
  const std::string command = cat("xz -dc '", path.string(), "'");
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"),
                                                   ::pclose);
  std::string out;
  std::string part(1 << 20, '\0');
  while (const size_t got = std::fread(part.data(), 1, part.size(), pipe.get()))
    out.append(part, 0, got);
  return out;
}

using Groups = std::map<std::string, std::vector<std::string_view>>;

Groups groups_of(const std::string& archive) {
  Groups groups;
  if (archive.empty()) return groups;
  detail::walk_tar(std::as_bytes(std::span(archive)), "aclImdb.tar",
                   [&](const detail::TarMember& member) {
                     const std::vector<std::string> parts = split(member.name, '/');
                     if (member.is_folder || parts.size() != 4) return;
                     groups[cat(parts[1], "/", parts[2])].push_back(
                         std::string_view(archive).substr(member.offset, member.size));
                   });
  return groups;
}

/// The reviews in the archive's order, by "train/pos" and so on; none if they are not
/// there.
const Groups& reviews() {
  static const fs::path kPath = data_file("aclImdb.tar.xz");
  static const std::string kArchive = fs::exists(kPath) ? unpacked(kPath) : "";
  static const Groups kGroups = groups_of(kArchive);
  return kGroups;
}

void expect_same_ids(const Tokenizer& tokenizer, const nlohmann::json& golden_groups) {
  ASSERT_EQ(golden_groups.size(), reviews().size());
  for (const auto& [group, texts] : reviews()) {
    std::vector<int32_t> ids;
    for (const std::string_view text : texts) {
      ASSERT_TRUE(tokenizer.encode(text, ids).ok());
      ids.push_back(-1);
    }
    const auto& right = golden_groups.at(group);
    EXPECT_EQ(texts.size(), right.at("texts")) << group;
    EXPECT_EQ(ids.size() - texts.size(), right.at("ids")) << group;
    EXPECT_EQ(xxh128(ids.data(), ids.size() * sizeof ids[0]), right.at("xxh128"))
        << group;
  }
}

TEST(Imdb, WordPieceGivesHuggingFacesIdsOnAllReviews) {
  const fs::path vocabulary = data_file("bert-base-uncased-vocab.txt");
  if (!fs::exists(data_file("aclImdb.tar.xz")) || !fs::exists(vocabulary))
    GTEST_SKIP() << "aclImdb.tar.xz and bert-base-uncased-vocab.txt are not there";
  if (reviews().empty()) GTEST_SKIP() << "xz, which unpacks IMDB, is not there";
  expect_same_ids(*load_wordpiece(vocabulary), golden().at("wordpiece"));
}

TEST(Imdb, BytePairsOfShakespeareAreHuggingFacesAndSoAreTheirIdsOnAllReviews) {
  const fs::path shakespeare = data_file("tinyshakespeare.txt");
  if (!fs::exists(shakespeare)) GTEST_SKIP() << "tinyshakespeare.txt is not there";
  BpeTrainer trainer({.vocabulary_size = 4000, .special = {"<|endoftext|>"}});
  ASSERT_TRUE(trainer.add(read_file(shakespeare)).ok());
  const auto tokenizer = trainer.train();
  const std::string tokens = join(tokenizer->vocabulary().tokens(), "\n");
  EXPECT_EQ(xxh128(tokens.data(), tokens.size()), golden().at("bpe_vocabulary"));
  const stoker::testing::TemporaryFolder folder;
  tokenizer->save(folder.path());
  std::vector<std::string> lines =
      split(trim(read_file(folder.path() / "merges.txt")), '\n');
  lines.erase(lines.begin());
  const std::string merges = join(lines, "\n");
  EXPECT_EQ(xxh128(merges.data(), merges.size()), golden().at("bpe_merges"));
  if (reviews().empty()) GTEST_SKIP() << "aclImdb.tar.xz (or xz) is not there";
  expect_same_ids(*tokenizer, golden().at("bpe"));
}

}  // namespace
}  // namespace stoker::data
