#pragma once

#include <memory>
#include <string>
#include "catalogue/index.hpp"

#define ARCHIVE_LIMIT 4096
#define CHECKED(call) archive::detail::check((call), #call)

namespace archive {

class Volume;
using Title = std::string;
typedef struct stamp { long seconds; } stamp_t;

/// What can be weighed.
template <typename T>
concept Weighable = requires(T item) {
    item.weight();
};

/// Where a book stands.
enum class Place : unsigned char { Shelf, Cellar, Lent };

/// Something with a place.
struct Located {
    Place place = Place::Shelf;
    virtual ~Located() = default;
    virtual Title label() const = 0;
};

/**
 * A book and who may read it.
 */
class Book final : public Located, private catalogue::Entry<Title> {
public:
    static constexpr int kMaxLoans = 3;

    explicit Book(Title title, int year = 0);
    Book(const Book& other) = delete;
    ~Book() override;

    Title label() const override { return title_; }
    bool operator==(const Book& other) const;
    operator bool() const { return loans_ > 0; }

    /// Lends the book out.
    std::unique_ptr<Volume> lend(const Reader& reader, Clock* clock);
    static Book* find(catalogue::Index& index, const Title& title);

    template <typename Visitor, int Depth = 1>
    void each(Visitor&& visitor) const {
        for (const auto& volume : volumes_) visitor(volume, Depth);
    }

private:
    Title title_;
    int loans_{0};
    std::vector<std::shared_ptr<Volume>> volumes_;
    void (*on_return_)(Book& book) = nullptr;
};

template <Weighable T>
auto heaviest(const std::vector<T>& items) -> const T& {
    return *std::max_element(items.begin(), items.end());
}

}  // namespace archive
