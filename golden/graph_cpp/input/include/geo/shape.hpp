#pragma once

#include <memory>
#include <string>
#include <vector>

namespace geo {

struct Point {
    double x = 0;
    double y = 0;
    Point operator+(const Point& other) const;
};

class Shape {
public:
    explicit Shape(std::string name);
    virtual ~Shape();
    virtual double area() const = 0;
    virtual void move(const Point& by);
    const std::string& name() const { return name_; }

protected:
    Point origin_;

private:
    std::string name_;
};

class Circle : public Shape {
public:
    Circle(double radius);
    double area() const override;
    void move(const Point& by) override;
    static Circle unit();

private:
    double radius_;
};

class Square final : public Shape {
public:
    Square(double side);
    double area() const override;

private:
    double side_;
};

enum class Color { Red, Blue };

using ShapePtr = std::unique_ptr<Shape>;

namespace detail {
double scale(double value);
}

double total(const std::vector<ShapePtr>& shapes);
double total(const Shape& first, const Shape& second);

template <typename T>
class Box {
public:
    void put(T value) { value_ = value; }
    T* get() { return &value_; }

private:
    T value_;
};

}  // namespace geo
