#include "archive.hpp"

using namespace std::chrono;
using std::string;
namespace cat = archive::catalogue;

static int open_books = 0;
int archive::Book::instances = 0;

namespace {

/* Seen by this file alone. */
int round_up(double value) {
    return static_cast<int>(value) + 1;
}

}  // namespace

namespace archive {

Book::Book(Title title, int year) : Located(), title_(std::move(title)), loans_(round_up(year)) {
    register_book(this, title);
}

Book::~Book() { --open_books; }

bool Book::operator==(const Book& other) const { return title_ == other.title_; }

std::unique_ptr<Volume> Book::lend(const Reader& reader, Clock* clock) {
    Ledger ledger(reader, clock->now());
    auto volume = std::make_unique<Volume>(*this);
    auto* slip = new cat::Slip(ledger.next());
    if (auto entry = ledger.find(reader); entry.valid()) {
        slip->attach(entry, reader);
    }
    auto notify = [&, count = volumes_.size()](Reader& other) { other.tell(title_, count); };
    for (auto& [name, waiting] : queue(reader)) {
        notify(waiting);
        log::info("lent", name);
    }
    try {
        CHECKED(volume->seal());
    } catch (const SealError& error) {
        report(error.what());
    }
    Place place{Place::Lent};
    track(place, std::move(volume));
    string text = describe<Title>(title_);
    return ledger.close(text);
}

Book* Book::find(catalogue::Index& index, const Title& title) {
    catalogue::Row* row = index.row(title);
    return row == nullptr ? nullptr : row->book();
}

}  // namespace archive

template <typename T>
struct Box {
    T value;
    T& get() { return value; }
};

template <>
struct Box<int> {
    int value;
};

extern "C" int archive_open(const char* path);
