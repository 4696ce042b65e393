#include "stoker/data/pipeline/loader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "stoker/base/clock.h"
#include "stoker/base/strings.h"

namespace stoker::data {

namespace {
constexpr size_t kAlignment = 64;
/// Share of the time that the consumer may wait before auto adds a worker.
constexpr double kTolerableWait = 0.02;
constexpr int64_t kBatchesBetweenDecisions = 4;

struct FreeAligned {
  void operator()(float* memory) const {
    ::operator delete (memory, std::align_val_t{kAlignment});
  }
};
using AlignedFloats = std::unique_ptr<float, FreeAligned>;

AlignedFloats allocate_floats(int64_t count) {
  const size_t bytes = static_cast<size_t>(count) * sizeof(float);
  return AlignedFloats(
      static_cast<float*>(::operator new (bytes, std::align_val_t{kAlignment})));
}
}  // namespace

struct Batch::Storage {
  AlignedFloats memory;
  std::vector<int64_t> labels;
  std::vector<int64_t> records;
  int64_t epoch = 0;
  int64_t index = 0;
  int64_t update = 0;
  int64_t channels = 0;
  int64_t height = 0;
  int64_t width = 0;
  std::vector<BadRecord> bad;
  std::shared_ptr<Pool> pool;
};

/// Finished batches' memory, kept for the next ones.
struct Batch::Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<Batch::Storage>> free;
};

Batch::Batch(std::unique_ptr<Storage> storage) : storage_(std::move(storage)) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&& other) noexcept {
  std::swap(storage_, other.storage_);
  return *this;
}
Batch::~Batch() {
  if (!storage_) return;
  const auto pool = std::exchange(storage_->pool, nullptr);
  const std::lock_guard lock(pool->mutex);
  pool->free.push_back(std::move(storage_));
}
float* Batch::pixels() { return storage_->memory.get(); }
const std::vector<int64_t>& Batch::labels() const { return storage_->labels; }
const std::vector<int64_t>& Batch::records() const { return storage_->records; }
int64_t Batch::size() const { return static_cast<int64_t>(storage_->labels.size()); }
int64_t Batch::epoch() const { return storage_->epoch; }
int64_t Batch::index() const { return storage_->index; }
int64_t Batch::update() const { return storage_->update; }
int64_t Batch::channels() const { return storage_->channels; }
int64_t Batch::height() const { return storage_->height; }
int64_t Batch::width() const { return storage_->width; }

struct Loader::State {
  /// A micro-batch that a worker is to make.
  struct Ticket {
    int64_t number = 0;
    int64_t epoch = 0;
    int64_t update = 0;
    int64_t index = 0;
    PositionRange range;
  };

  State(std::shared_ptr<const RecordSource> source_in,
        std::shared_ptr<const AugmentProgram> program_in, const LoaderOptions& options_in)
      : source(std::move(source_in)),
        program(std::move(program_in)),
        options(options_in),
        pool(std::make_shared<Batch::Pool>()) {
    if (options.global_batch == 0) options.global_batch = options.batch;
    batch_bytes = options.batch * program->sample_floats() * int64_t{sizeof(float)};
    updates =
        num_batches(options.order.num_records, options.global_batch, options.drop_last);
    epoch = options.first_epoch;
    update = options.first_global_batch;
    index = update * micro_batches_per_update();
    const int64_t first = options.workers.value_or(1);
    for (int64_t i = 0; i < first; ++i) add_worker();
  }

  int64_t micro_batches_per_update() const {
    return (options.global_batch / options.world + options.batch - 1) / options.batch;
  }

  void add_worker() {
    workers.emplace_back([this] { work(); });
  }

  /// The next micro-batch in order, or nothing at the end. Called with the lock.
  std::optional<Ticket> take_ticket() {
    while (open_pieces.empty()) {
      if (update >= updates) {
        ++epoch;
        update = 0;
        index = 0;
      }
      if (epoch >= options.first_epoch + options.num_epochs || updates == 0)
        return std::nullopt;
      const auto global =
          batch_range(options.order.num_records, options.global_batch, update);
      open_pieces = pieces(shard(global, options.rank, options.world), options.batch);
      std::reverse(open_pieces.begin(), open_pieces.end());
      piece_update = update++;
    }
    Ticket ticket{next_ticket++, epoch, piece_update, index++, open_pieces.back()};
    open_pieces.pop_back();
    return ticket;
  }

  void work() {
    AugmentScratch scratch;
    RecordBuffer buffer;
    while (true) {
      std::optional<Ticket> ticket;
      {
        const Stopwatch watch;
        std::unique_lock lock(mutex);
        room.wait(lock, [&] {
          return stopping || outstanding == 0 ||
                 (outstanding + 1) * batch_bytes <= options.queue_bytes;
        });
        stats.worker_wait_seconds += watch.seconds();
        if (stopping) return;
        ticket = take_ticket();
        if (!ticket) {
          finished_tickets = true;
          ready.notify_all();
          return;
        }
        ++outstanding;
        stats.peak_bytes_held =
            std::max(stats.peak_bytes_held, outstanding * batch_bytes);
      }
      std::unique_ptr<Batch::Storage> storage;
      std::exception_ptr error;
      try {
        storage = make_batch(*ticket, buffer, scratch);
      } catch (...) {
        error = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      if (error && !failure) failure = error;
      done.emplace(ticket->number, std::move(storage));
      ready.notify_all();
    }
  }

  std::unique_ptr<Batch::Storage> new_storage() {
    {
      const std::lock_guard lock(pool->mutex);
      if (!pool->free.empty()) {
        auto storage = std::move(pool->free.back());
        pool->free.pop_back();
        storage->labels.clear();
        storage->records.clear();
        storage->bad.clear();
        return storage;
      }
    }
    auto storage = std::make_unique<Batch::Storage>();
    storage->memory = allocate_floats(options.batch * program->sample_floats());
    storage->labels.reserve(static_cast<size_t>(options.batch));
    storage->records.reserve(static_cast<size_t>(options.batch));
    return storage;
  }

  std::unique_ptr<Batch::Storage> make_batch(const Ticket& ticket, RecordBuffer& buffer,
                                             AugmentScratch& scratch) {
    auto storage = new_storage();
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
      if (stop_now) break;
      const int64_t record_index = options.order.record_at(ticket.epoch, position);
      const auto record = source->read(record_index, buffer);
      read_seconds += watch.restart();
      if (!record) {
        storage->bad.push_back(
            {record_index, source->name(record_index), record.reason()});
        continue;
      }
      const SampleKey key{options.order.seed, static_cast<uint64_t>(ticket.epoch),
                          static_cast<uint64_t>(record_index)};
      const Status status = program->run(record->bytes, key, slot, scratch);
      decode_seconds += watch.restart();
      if (!status) {
        storage->bad.push_back(
            {record_index, source->name(record_index), status.reason()});
        continue;
      }
      storage->labels.push_back(record->label);
      storage->records.push_back(record_index);
      slot += program->sample_floats();
    }
    const std::lock_guard lock(mutex);
    stats.read_seconds += read_seconds;
    stats.decode_seconds += decode_seconds;
    stats.samples += static_cast<int64_t>(storage->labels.size());
    return storage;
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
    throw Error(ErrorCode::kData,
                cat("[data] expected at most ", options.max_bad_samples,
                    " bad samples (data.max_bad_samples), got ", bad.size(), ":", list));
  }

  /// Adds a worker while the consumer waits and the last one helped.
  void adapt(double waited) {
    if (options.workers) return;
    window_wait += waited;
    if (++window_batches < kBatchesBetweenDecisions) return;
    const double share = window_wait / std::max(1e-9, window.restart());
    if (share > kTolerableWait && share < 0.9 * best_share &&
        static_cast<int64_t>(workers.size()) < options.max_workers) {
      best_share = share;
      add_worker();
    }
    window_wait = 0;
    window_batches = 0;
  }

  std::shared_ptr<const RecordSource> source;
  std::shared_ptr<const AugmentProgram> program;
  LoaderOptions options;
  std::shared_ptr<Batch::Pool> pool;
  int64_t batch_bytes = 0;
  int64_t updates = 0;

  mutable std::mutex mutex;
  std::condition_variable room;
  std::condition_variable ready;
  std::atomic<bool> stop_now{false};
  bool stopping = false;
  bool finished_tickets = false;
  std::exception_ptr failure;
  int64_t epoch = 0;
  int64_t update = 0;
  int64_t index = 0;
  int64_t piece_update = 0;
  std::vector<PositionRange> open_pieces;
  int64_t next_ticket = 0;
  int64_t next_wanted = 0;
  int64_t outstanding = 0;
  std::map<int64_t, std::unique_ptr<Batch::Storage>> done;
  LoaderStats stats;
  std::vector<BadRecord> bad;
  Stopwatch window;
  double window_wait = 0;
  double best_share = 1e9;
  int64_t window_batches = 0;
  std::vector<std::jthread> workers;
};

Loader::Loader(std::shared_ptr<const RecordSource> source,
               std::shared_ptr<const AugmentProgram> program,
               const LoaderOptions& options)
    : state_(std::make_unique<State>(std::move(source), std::move(program), options)) {}

Loader::~Loader() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->stop_now = true;
  }
  state_->room.notify_all();
  state_->workers.clear();
}

std::optional<Batch> Loader::next() {
  State& state = *state_;
  while (true) {
    const Stopwatch watch;
    std::unique_lock lock(state.mutex);
    state.ready.wait(lock, [&] {
      return state.failure || state.done.count(state.next_wanted) != 0 ||
             (state.finished_tickets && state.next_wanted == state.next_ticket);
    });
    const double waited = watch.seconds();
    state.stats.consumer_wait_seconds += waited;
    if (state.failure) std::rethrow_exception(state.failure);
    const auto found = state.done.find(state.next_wanted);
    if (found == state.done.end()) return std::nullopt;
    auto storage = std::move(found->second);
    state.done.erase(found);
    ++state.next_wanted;
    --state.outstanding;
    state.count_bad(storage->bad);
    state.adapt(waited);
    lock.unlock();
    state.room.notify_all();
    storage->pool = state.pool;
    Batch batch(std::move(storage));
    if (batch.size() > 0) return batch;
  }
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
