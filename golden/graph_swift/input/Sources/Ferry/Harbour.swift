import Foundation

struct Harbour {
    typealias Berth = Ship

    var ships: [Ship]
    let main: Berth
    var byName: [String: Ship] = [:]

    mutating func open(visitor: Visitor, thing: Any) {
        let ferry = Ferry(name: "A")
        _ = ferry.load(Cargo(weight: 2))
        main.sail(with: Captain())
        for ship in ships {
            ship.check(Cargo.empty)
        }
        ships[0].lastCargo()?.heavier(than: .empty)
        byName["x"]?.check(.empty)
        guard let first = ships.first else { return }
        first.sail(with: Captain())
        visitor.visitHarbour()
        thing.run()
    }

    func move(_ vessel: Vessel) -> Bool {
        return vessel.load(.empty) && limit(3)
    }

    private func limit(_ value: Int) -> Bool { value > 1 }
}

protocol Visitor {
    func visitHarbour()
}

struct Painter: Visitor { func visitHarbour() {} }
struct Pilot: Visitor { func visitHarbour() {} }

func helper(_ text: String) -> String {
    let format = text
    return format
}
