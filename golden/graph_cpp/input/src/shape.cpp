#include "geo/shape.hpp"

#include <cmath>

namespace {
double half(double value) { return value / 2; }
}

namespace geo {

Point Point::operator+(const Point& other) const { return {x + other.x, y + other.y}; }

Shape::Shape(std::string name) : name_(std::move(name)) {}
Shape::~Shape() = default;

void Shape::move(const Point& by) { origin_ = origin_ + by; }

Circle::Circle(double radius) : Shape("circle"), radius_(radius) {}

double Circle::area() const { return detail::scale(radius_ * radius_) + half(radius_); }

void Circle::move(const Point& by) {
    Shape::move(by);
    this->radius_ += std::abs(by.x);
}

Circle Circle::unit() { return Circle(1); }

Square::Square(double side) : Shape("square"), side_(side) {}

double Square::area() const {
    double half = side_;
    return half * side_;
}

double detail::scale(double value) { return value * 3; }

double total(const std::vector<ShapePtr>& shapes) {
    double sum = 0;
    for (const auto& shape : shapes) {
        sum += shape->area();
    }
    return sum;
}

double total(const Shape& first, const Shape& second) {
    return first.area() + second.area();
}

}  // namespace geo
