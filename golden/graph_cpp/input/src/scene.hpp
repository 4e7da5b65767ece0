#pragma once

#include "geo/shape.hpp"

namespace app {

class Scene {
public:
    void add(geo::ShapePtr shape);
    double draw();
    geo::Circle* first();

private:
    std::vector<geo::ShapePtr> shapes_;
    geo::Circle circle_;
    std::unique_ptr<geo::Square> square_;
    geo::Box<geo::Point> box_;
};

}  // namespace app
