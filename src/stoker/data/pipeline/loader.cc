#include "stoker/data/pipeline/loader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "stoker/base/clock.h"
#include "stoker/base/strings.h"
#include "stoker/data/pipeline/detail/batch_storage.h"
#include "stoker/data/pipeline/detail/tickets.h"

namespace stoker::data {

namespace {
/// Share of the time that the consumer may wait before auto adds a worker.
constexpr double kTolerableWait = 0.02;
/// What a worker more must bring of the wait before auto adds another.
constexpr double kWorthwhile = 0.9;
constexpr int64_t kBatchesBetweenDecisions = 4;

const LoaderOptions& checked(const LoaderOptions& options) {
  const auto require = [](bool holds, const char* wanted, int64_t got) {
    if (!holds)
      throw Error(ErrorCode::kInvalid,
                  cat("[data] loader: expected ", wanted, ", got ", got));
  };
  require(options.batch > 0, "a batch above 0", options.batch);
  require(options.global_batch >= 0, "a global batch of 0 or more", options.global_batch);
  require(options.world > 0, "a world above 0", options.world);
  require(options.rank >= 0 && options.rank < options.world, "a rank below the world",
          options.rank);
  require(options.order.num_records >= 0, "0 or more records", options.order.num_records);
  return options;
}
}  // namespace

struct Loader::State {
  State(std::shared_ptr<const RecordSource> source_in,
        std::shared_ptr<const AugmentProgram> program_in, const LoaderOptions& options_in)
      : source(std::move(source_in)),
        program(std::move(program_in)),
        options(checked(options_in)),
        pool(std::make_shared<Batch::Pool>()),
        batch_bytes(options.batch * program->sample_floats() * int64_t{sizeof(float)}),
        tickets(options) {}

  ~State() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    room.notify_all();
    workers.clear();
  }

  void add_worker() {
    workers.emplace_back([this] {
      try {
        work();
      } catch (...) {
        fail(std::current_exception());
      }
    });
  }

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::move(error);
    ready.notify_all();
  }

  void work() {
    AugmentScratch scratch;
    RecordBuffer buffer;
    while (const auto ticket = wait_for_ticket()) {
      auto storage = make_batch(*ticket, buffer, scratch);
      const std::lock_guard lock(mutex);
      done.emplace(ticket->number, std::move(storage));
      ready.notify_all();
    }
  }

  /// Waits for room in the queue. Nothing at the end or when the loader stops.
  std::optional<detail::Ticket> wait_for_ticket() {
    const Stopwatch watch;
    std::unique_lock lock(mutex);
    room.wait(lock, [&] {
      return stopping || outstanding == 0 ||
             (outstanding + 1) * batch_bytes <= options.queue_bytes;
    });
    stats.worker_wait_seconds += watch.seconds();
    if (stopping) return std::nullopt;
    auto ticket = tickets.take();
    if (ticket) {
      ++num_tickets;
      ++outstanding;
      stats.peak_bytes_held = std::max(stats.peak_bytes_held, outstanding * batch_bytes);
    } else {
      out_of_tickets = true;
      ready.notify_all();
    }
    return ticket;
  }

  std::unique_ptr<Batch::Storage> make_batch(const detail::Ticket& ticket,
                                             RecordBuffer& buffer,
                                             AugmentScratch& scratch) {
    auto storage = pool->take(options.batch, program->sample_floats());
    storage->epoch = ticket.epoch;
    storage->index = ticket.index;
    storage->update = ticket.update;
    storage->channels = program->channels();
    storage->height = program->height();
    storage->width = program->width();
    float* slot = storage->memory.get();
    double read_seconds = 0;
    double decode_seconds = 0;
    Stopwatch watch;
    for (int64_t position = ticket.range.begin; position < ticket.range.end; ++position) {
      if (stopping) break;
      const int64_t index = options.order.record_at(ticket.epoch, position);
      const auto record = source->read(index, buffer);
      read_seconds += watch.restart();
      if (!record) {
        storage->bad.push_back({index, source->name(index), record.reason()});
        continue;
      }
      const SampleKey key{options.order.seed, static_cast<uint64_t>(ticket.epoch),
                          static_cast<uint64_t>(index)};
      const Status status = program->run(record->bytes, key, slot, scratch);
      decode_seconds += watch.restart();
      if (!status) {
        storage->bad.push_back({index, source->name(index), status.reason()});
        continue;
      }
      storage->labels.push_back(record->label);
      storage->records.push_back(index);
      slot += program->sample_floats();
    }
    const std::lock_guard lock(mutex);
    stats.read_seconds += read_seconds;
    stats.decode_seconds += decode_seconds;
    stats.samples += static_cast<int64_t>(storage->labels.size());
    return storage;
  }

  /// The next batch in order with its place in the queue freed; nothing at the end.
  std::unique_ptr<Batch::Storage> take_next() {
    const Stopwatch watch;
    std::unique_lock lock(mutex);
    ready.wait(lock, [&] {
      return failure || done.count(next_wanted) != 0 ||
             (out_of_tickets && next_wanted == num_tickets);
    });
    const double waited = watch.seconds();
    stats.consumer_wait_seconds += waited;
    if (failure) std::rethrow_exception(failure);
    auto found = done.extract(next_wanted);
    if (found.empty()) return nullptr;
    ++next_wanted;
    --outstanding;
    count_bad(found.mapped()->bad);
    if (failure) std::rethrow_exception(failure);
    adapt(waited);
    lock.unlock();
    room.notify_all();
    return std::move(found.mapped());
  }

  void count_bad(std::vector<BadRecord>& records) {
    for (BadRecord& record : records) {
      const bool known = std::any_of(bad.begin(), bad.end(), [&](const BadRecord& other) {
        return other.index == record.index;
      });
      if (!known) bad.push_back(std::move(record));
    }
    if (static_cast<int64_t>(bad.size()) <= options.max_bad_samples) return;
    std::string list;
    for (const BadRecord& record : bad)
      list += cat("\n  ", record.name, ": ", record.reason);
    failure = std::make_exception_ptr(
        Error(ErrorCode::kData,
              cat("[data] expected at most ", options.max_bad_samples,
                  " bad samples (data.max_bad_samples), got ", bad.size(), ":", list)));
  }

  /// Adds a worker while the consumer waits and the last one helped.
  void adapt(double waited) {
    if (options.workers) return;
    window_wait += waited;
    if (++window_batches < kBatchesBetweenDecisions) return;
    const double share = window_wait / std::max(1e-9, window.restart());
    if (share > kTolerableWait && share < kWorthwhile * best_share &&
        static_cast<int64_t>(workers.size()) < options.max_workers) {
      best_share = share;
      add_worker();
    }
    window_wait = 0;
    window_batches = 0;
  }

  const std::shared_ptr<const RecordSource> source;
  const std::shared_ptr<const AugmentProgram> program;
  const LoaderOptions options;
  const std::shared_ptr<Batch::Pool> pool;
  const int64_t batch_bytes;

  mutable std::mutex mutex;  // Guards all below.
  std::condition_variable room;
  std::condition_variable ready;
  std::atomic<bool> stopping{false};  // Read between samples without the lock.
  detail::Tickets tickets;
  int64_t num_tickets = 0;
  bool out_of_tickets = false;
  std::exception_ptr failure;
  int64_t next_wanted = 0;
  int64_t outstanding = 0;  // Being made or waiting to be taken.
  std::map<int64_t, std::unique_ptr<Batch::Storage>> done;
  LoaderStats stats;
  std::vector<BadRecord> bad;
  Stopwatch window;
  double window_wait = 0;
  double best_share = 1e9;
  int64_t window_batches = 0;
  std::vector<std::jthread> workers;  // Last: gone before what they use.
};

Loader::Loader(std::shared_ptr<const RecordSource> source,
               std::shared_ptr<const AugmentProgram> program,
               const LoaderOptions& options)
    : state_(std::make_unique<State>(std::move(source), std::move(program), options)) {
  const int64_t first = std::max<int64_t>(1, options.workers.value_or(1));
  for (int64_t i = 0; i < first; ++i) {
    const std::lock_guard lock(state_->mutex);
    state_->add_worker();
  }
}

Loader::~Loader() = default;

std::optional<Batch> Loader::next() {
  while (auto storage = state_->take_next()) {
    storage->pool = state_->pool;
    Batch batch(std::move(storage));
    if (batch.size() > 0) return batch;
  }
  return std::nullopt;
}

LoaderStats Loader::stats() const {
  const std::lock_guard lock(state_->mutex);
  LoaderStats stats = state_->stats;
  stats.workers = static_cast<int64_t>(state_->workers.size());
  stats.bytes_held = state_->outstanding * state_->batch_bytes;
  return stats;
}

std::vector<BadRecord> Loader::bad_records() const {
  const std::lock_guard lock(state_->mutex);
  return state_->bad;
}

}  // namespace stoker::data
