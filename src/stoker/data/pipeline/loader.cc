#include "stoker/data/pipeline/loader.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <thread>
#include <utility>

#include "stoker/base/clock.h"
#include "stoker/base/strings.h"
#include "stoker/data/pipeline/detail/batch_storage.h"
#include "stoker/data/pipeline/detail/growth.h"
#include "stoker/data/pipeline/detail/tickets.h"

namespace stoker::data {

namespace {
/// Samples that a worker takes on at once: few, so that all workers share even one batch.
constexpr int64_t kMostAtOnce = 16;

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
        at_once(std::clamp<int64_t>(options.batch / kMostAtOnce, 1, kMostAtOnce)),
        tickets(options),
        growth(options.workers ? 0 : options.max_workers) {}

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
    while (auto piece = claim()) {
      fill(*piece, buffer, scratch);
      hand_in(*piece);
    }
  }

  /// Slots [begin, end) of a batch, for one worker, and what became of them.
  struct Piece {
    Batch::Storage* batch = nullptr;
    int64_t begin = 0;
    int64_t end = 0;
    std::vector<Batch::Storage::BadSlot> bad;
    double read_seconds = 0;
    double decode_seconds = 0;
  };

  bool can_claim() const { return !queue.empty() && !queue.back()->is_claimed(); }
  bool has_room() const {
    return queue.empty() || (std::ssize(queue) + 1) * batch_bytes <= options.queue_bytes;
  }

  /// The next slots in order; waits for room in the queue where that needs a new batch.
  /// Nothing at the end or when the loader stops.
  std::optional<Piece> claim() {
    const Stopwatch watch;
    std::unique_lock lock(mutex);
    room.wait(lock,
              [&] { return stopping || out_of_tickets || can_claim() || has_room(); });
    stats.worker_wait_seconds += watch.seconds();
    if (stopping || (!can_claim() && !open_batch())) return std::nullopt;
    Batch::Storage& batch = *queue.back();
    const int64_t begin = batch.claimed;
    batch.claimed = std::min(batch.ticket.range.size(), begin + at_once);
    return Piece{&batch, begin, batch.claimed, {}, 0, 0};
  }

  /// Puts a batch with no sample yet at the end of the queue; false after the last.
  bool open_batch() {
    const auto ticket = tickets.take();
    if (!ticket) {
      out_of_tickets = true;
      room.notify_all();
      ready.notify_all();
      return false;
    }
    auto batch = pool->take(options.batch, program->sample_floats());
    batch->start(*ticket);
    batch->channels = program->channels();
    batch->height = program->height();
    batch->width = program->width();
    queue.push_back(std::move(batch));
    stats.peak_bytes_held =
        std::max(stats.peak_bytes_held, std::ssize(queue) * batch_bytes);
    return true;
  }

  void fill(Piece& piece, RecordBuffer& buffer, AugmentScratch& scratch) const {
    const detail::Ticket& ticket = piece.batch->ticket;
    Stopwatch watch;
    for (int64_t slot = piece.begin; slot < piece.end && !stopping; ++slot) {
      const int64_t index =
          options.order.record_at(ticket.epoch, ticket.range.begin + slot);
      const auto record = source->read(index, buffer);
      piece.read_seconds += watch.restart();
      if (!record) {
        piece.bad.push_back({slot, {index, source->name(index), record.reason()}});
        continue;
      }
      const SampleKey key{options.order.seed, static_cast<uint64_t>(ticket.epoch),
                          static_cast<uint64_t>(index)};
      float* place = piece.batch->memory.get() + slot * program->sample_floats();
      const Status status = program->run(record->bytes, key, place, scratch);
      piece.decode_seconds += watch.restart();
      if (!status) {
        piece.bad.push_back({slot, {index, source->name(index), status.reason()}});
        continue;
      }
      piece.batch->labels[static_cast<size_t>(slot)] = record->label;
      piece.batch->records[static_cast<size_t>(slot)] = index;
    }
  }

  void hand_in(Piece& piece) {
    const std::lock_guard lock(mutex);
    const int64_t size = piece.end - piece.begin;
    stats.read_seconds += piece.read_seconds;
    stats.decode_seconds += piece.decode_seconds;
    stats.samples += size - std::ssize(piece.bad);
    std::move(piece.bad.begin(), piece.bad.end(), std::back_inserter(piece.batch->bad));
    piece.batch->filled += size;
    if (queue.front()->is_filled()) ready.notify_all();
  }

  /// The next batch in order with its place in the queue freed; nothing at the end.
  std::unique_ptr<Batch::Storage> take_next() {
    const Stopwatch watch;
    std::unique_lock lock(mutex);
    ready.wait(lock, [&] {
      return failure || (queue.empty() ? out_of_tickets : queue.front()->is_filled());
    });
    const double waited = watch.seconds();
    stats.consumer_wait_seconds += waited;
    if (failure) std::rethrow_exception(failure);
    if (queue.empty()) return nullptr;
    auto batch = std::move(queue.front());
    queue.pop_front();
    batch->leave_out_bad(program->sample_floats());
    count_bad(batch->bad);
    if (failure) std::rethrow_exception(failure);
    if (growth.adds_after_batch(now_seconds(), waited, std::ssize(workers))) add_worker();
    lock.unlock();
    room.notify_all();
    return batch;
  }

  void count_bad(std::vector<Batch::Storage::BadSlot>& slots) {
    for (auto& [slot, record] : slots) {
      const bool known = std::any_of(bad.begin(), bad.end(),
                                     [&, index = record.index](const BadRecord& other) {
                                       return other.index == index;
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

  const std::shared_ptr<const RecordSource> source;
  const std::shared_ptr<const AugmentProgram> program;
  const LoaderOptions options;
  const std::shared_ptr<Batch::Pool> pool;
  const int64_t batch_bytes;
  const int64_t at_once;

  mutable std::mutex mutex;  // Guards all below.
  std::condition_variable room;
  std::condition_variable ready;
  std::atomic<bool> stopping{false};  // Read between samples without the lock.
  detail::Tickets tickets;
  detail::Growth growth;
  bool out_of_tickets = false;
  std::exception_ptr failure;
  // Batches in order. Only the last may have slots that no worker has taken on.
  std::deque<std::unique_ptr<Batch::Storage>> queue;
  LoaderStats stats;
  std::vector<BadRecord> bad;
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
  stats.bytes_held = std::ssize(state_->queue) * state_->batch_bytes;
  return stats;
}

std::vector<BadRecord> Loader::bad_records() const {
  const std::lock_guard lock(state_->mutex);
  return state_->bad;
}

}  // namespace stoker::data
