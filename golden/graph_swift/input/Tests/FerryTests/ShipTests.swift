import XCTest
@testable import Ferry

final class ShipTests: XCTestCase {
    func testLoad() {
        let ship = Ship(name: "B")
        XCTAssertTrue(ship.load(.empty))
        XCTAssertEqual(helper("x"), "x")
    }
}
