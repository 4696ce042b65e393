#include <algorithm>
#include <set>

#include "stoker/base/strings.h"
#include "stoker/data/formats/detail/labels.h"
#include "stoker/data/formats/detail/members.h"

namespace stoker::data::detail {

namespace {
using Names = std::set<std::string, std::less<>>;

/// Folders right below `prefix` ("" or "a/b/"); `deep` gets those that hold folders.
Names folders_below(const Members& members, std::string_view prefix, Names* deep) {
  Names found;
  const auto add = [&](std::string_view path) {
    if (!path.starts_with(prefix)) return;
    path.remove_prefix(prefix.size());
    const size_t slash = path.find('/');
    if (slash == std::string_view::npos) return;
    const std::string_view top = path.substr(0, slash);
    if (!found.contains(top)) found.emplace(top);
    if (deep != nullptr && path.find('/', slash + 1) != std::string_view::npos &&
        !deep->contains(top))
      deep->emplace(top);
  };
  for (const auto& entry : members.entries) add(members.name(entry));
  for (const std::string& folder : members.folders) add(folder + "/");
  return found;
}

bool known(const OpenOptions& options, const std::string& name) {
  return std::find(options.classes.begin(), options.classes.end(), name) !=
         options.classes.end();
}

/// The folder that holds the class folders: the only way down while there is one.
std::string common_prefix(const Members& members, std::string prefix,
                          const OpenOptions& options) {
  while (true) {
    Names deep;
    const Names tops = folders_below(members, prefix, &deep);
    if (tops.size() != 1 || deep.empty() || known(options, *tops.begin())) return prefix;
    prefix += *tops.begin() + "/";
  }
}

std::string choices(const std::string& archive, std::string_view prefix,
                    const Names& folders) {
  std::vector<std::string> lines;
  for (const std::string& folder : folders)
    lines.push_back(cat("\"", archive, "::", prefix, folder, "\""));
  return join(lines, " or ");
}

/// `folder` counted from the root of the archive, or from the end of the common prefix.
std::string chosen_prefix(const Members& members, const std::string& archive,
                          const std::string& folder, const OpenOptions& options) {
  if (!folders_below(members, folder + "/", nullptr).empty()) return folder + "/";
  const std::string common = common_prefix(members, "", options);
  std::string inside = cat(common, folder, "/");
  if (!folders_below(members, inside, nullptr).empty()) return inside;
  const Names there = folders_below(members, common, nullptr);
  throw Error(ErrorCode::kInvalid,
              cat("[data] ", archive, ": expected class folders in '", folder,
                  "', got none", suggestion(folder, {there.begin(), there.end()})));
}

void check_found(const std::string& archive, const std::string& prefix,
                 const Names& found, const Names& deep, const OpenOptions& options) {
  if (found.empty()) {
    throw Error(ErrorCode::kData,
                cat("[data] ", archive, prefix.empty() ? "" : "::", prefix,
                    ": expected a folder for each class, or pairs of an image and a .cls "
                    "file (WebDataset), got neither"));
  }
  const bool all_deep = deep.size() == found.size();
  if (all_deep && options.classes.empty() && are_splits({found.begin(), found.end()})) {
    throw Error(ErrorCode::kInvalid,
                cat("[data] ", archive, ": expected one part of the data set, got ",
                    join({found.begin(), found.end()}, " and "), " (choose ",
                    choices(archive, prefix, found), ")"));
  }
}
}  // namespace

void label_by_folder(Members& members, const std::string& archive,
                     const std::string& folder, const OpenOptions& options,
                     SourceDescription& about) {
  const std::string prefix = common_prefix(
      members, folder.empty() ? "" : chosen_prefix(members, archive, folder, options),
      options);
  Names deep;
  const Names found = folders_below(members, prefix, &deep);
  check_found(archive, prefix, found, deep, options);
  about.classes = label_order(about.path, {found.begin(), found.end()}, options.classes);
  about.class_counts.assign(about.classes.size(), 0);
  std::vector<std::pair<std::string_view, int32_t>> labels;
  for (size_t i = 0; i < about.classes.size(); ++i)
    labels.emplace_back(about.classes[i], static_cast<int32_t>(i));
  std::sort(labels.begin(), labels.end());

  int64_t left_out = 0;
  std::erase_if(members.entries, [&](Members::Entry& entry) {
    std::string_view rest = members.name(entry);
    if (!rest.starts_with(prefix)) {
      left_out += folder.empty() ? 1 : 0;
      return true;
    }
    rest.remove_prefix(prefix.size());
    const size_t slash = rest.find('/');
    if (slash == std::string_view::npos) {
      ++left_out;
      return true;
    }
    const std::pair<std::string_view, int32_t> wanted{rest.substr(0, slash), -1};
    entry.label = std::lower_bound(labels.begin(), labels.end(), wanted)->second;
    ++about.class_counts[static_cast<size_t>(entry.label)];
    return false;
  });
  if (left_out > 0)
    about.notes.push_back(cat(left_out, " files outside of class folders left out"));
  std::sort(members.entries.begin(), members.entries.end(),
            [&](const auto& a, const auto& b) {
              if (a.label != b.label) return a.label < b.label;
              return members.name(a) < members.name(b);
            });
}

}  // namespace stoker::data::detail
