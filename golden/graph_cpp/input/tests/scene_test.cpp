#include <gtest/gtest.h>

#include "../src/scene.hpp"

TEST(Scene, Draws) {
    app::Scene scene;
    scene.add(std::make_unique<geo::Circle>(1));
    EXPECT_EQ(scene.draw(), 3);
}
