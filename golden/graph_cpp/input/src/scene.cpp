#include "scene.hpp"

using geo::Color;
using namespace geo;
namespace fs = std::filesystem;

namespace app {

void Scene::add(geo::ShapePtr shape) {
    shape->move(Point{1, 2});
    shapes_.push_back(std::move(shape));
}

geo::Circle* Scene::first() { return &circle_; }

double Scene::draw() {
    auto unit = Circle::unit();
    auto square = std::make_unique<Square>(3);
    Circle local(2);
    auto* made = new Circle(4);
    const Color color = Color::Red;
    square_->area();
    circle_.name();
    first()->move(Point{});
    box_.put(Point{});
    box_.get()->x = 1;
    made->area();
    return unit.area() + square->area() + local.area() + geo::total(shapes_);
}

template <typename Visitor>
void visit_all(Visitor& visitor, Scene& scene) {
    visitor.get();
    visitor.visit_scene(scene);
    scene.draw();
}

struct Audit {
    void visit_scene(Scene& scene);
};

struct Printer {
    void visit_scene(Scene& scene);
};

}  // namespace app
