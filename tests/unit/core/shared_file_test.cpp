#include "base/shared_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace ambit {
namespace {

namespace fs = std::filesystem;

class SharedFile : public testing::Test {
 protected:
  SharedFile() {
    std::string name = (fs::temp_directory_path() / "ambit-shared-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~SharedFile() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  long files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  std::string folder_;
};

TEST_F(SharedFile, IsPublishedOnce) {
  const std::string text(100000, 'x');
  EXPECT_EQ(publish_file(path("a"), text), Publication::Done);
  EXPECT_EQ(publish_file(path("a"), "other"), Publication::Existed);
  EXPECT_EQ(read_bytes(path("a")), text);
  EXPECT_EQ(publish_file(path("missing/a"), text), Publication::Failed);
  EXPECT_EQ(files(), 1) << "no temporary file is left";
}

TEST_F(SharedFile, IsReplaced) {
  EXPECT_TRUE(replace_file(path("a"), "one"));
  EXPECT_TRUE(replace_file(path("a"), std::string("two\0", 4)));
  EXPECT_EQ(read_bytes(path("a")), std::string("two\0", 4));
  EXPECT_FALSE(replace_file(path("missing/a"), "one"));
  EXPECT_EQ(files(), 1);
}

TEST_F(SharedFile, IsMovedByOneProcess) {
  EXPECT_TRUE(replace_file(path("a"), "one"));
  EXPECT_TRUE(move_file(path("a"), path("b")));
  EXPECT_FALSE(move_file(path("a"), path("c")));
  EXPECT_TRUE(move_file(path("a"), path("b"))) << "an NFS client repeats a request if the reply is lost";
  EXPECT_FALSE(read_bytes(path("a")));
}

TEST_F(SharedFile, NamesOfProcessesDiffer) {
  const std::string name = unique_process_name();
  EXPECT_NE(name, unique_process_name()) << "in containers, two processes can have the same host name and id";
  EXPECT_EQ(name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"),
            std::string::npos);
}

}  // namespace
}  // namespace ambit
