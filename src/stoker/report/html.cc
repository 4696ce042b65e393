#include "stoker/report/html.h"

#include <utility>

#include "stoker/base/files.h"
#include "stoker/report/detail/history.h"
#include "stoker/report/detail/lines.h"
#include "stoker/report/detail/page.h"

namespace stoker {

class HtmlReport::State {
 public:
  explicit State(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void on(const Event& event) {
    if (const auto* start = std::get_if<RunStarted>(&event)) {
      history_ = {};
      history_.begin(*start, folder_ / "metrics.jsonl");
      write();
      return;
    }
    history_.add(event);
    if (std::holds_alternative<EpochDone>(event) ||
        std::holds_alternative<RunFinished>(event)) {
      write();
    }
  }

 private:
  void write() const {
    std::string moment = detail::utc_now();  // 2026-01-31T12:00:00Z
    moment.replace(10, 1, " ").pop_back();
    write_file_atomically(folder_ / "report.html", detail::render_page(history_, moment));
  }

  std::filesystem::path folder_;
  detail::History history_;
};

HtmlReport::HtmlReport(std::filesystem::path folder)
    : state_(std::make_unique<State>(std::move(folder))) {}
HtmlReport::~HtmlReport() = default;
void HtmlReport::on(const Event& event) { state_->on(event); }

}  // namespace stoker
