import Foundation

protocol Vessel: AnyObject {
    var name: String { get }
    func load(_ cargo: Cargo) -> Bool
}

struct Cargo: Equatable {
    let weight: Int
    static let empty = Cargo(weight: 0)

    func heavier(than other: Cargo) -> Bool {
        return weight > other.weight
    }
}

class Ship: Vessel {
    let name: String
    private var cargo: [Cargo] = []
    var captain: Captain?
    lazy var log = Logbook(owner: self)

    init(name: String) {
        self.name = name
    }

    func load(_ cargo: Cargo) -> Bool {
        self.cargo.append(cargo)
        log.write("loaded")
        captain?.greet()
        return check(cargo)
    }

    func check(_ cargo: Cargo) -> Bool {
        return cargo.heavier(than: Cargo.empty) && limit > 0
    }

    func lastCargo() -> Cargo? { return cargo.last }
}

final class Ferry: Ship {
    override init(name: String) {
        super.init(name: name)
    }

    override func check(_ cargo: Cargo) -> Bool {
        let base = super.check(cargo)
        return base && helper(cargo)
    }
}

fileprivate let limit = 3

private func helper(_ cargo: Cargo) -> Bool { cargo.weight > limit }
