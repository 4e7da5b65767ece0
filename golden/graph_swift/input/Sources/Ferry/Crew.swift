import Foundation
import os.log

struct Captain {
    var rank: Rank = .second
    func greet() { print(rank.title) }
}

enum Rank: String {
    case first, second

    var title: String {
        switch self {
        case .first: return "1st"
        case .second: return rawValue
        }
    }
}

class Logbook {
    weak var owner: Ship?
    init(owner: Ship) { self.owner = owner }

    func write(_ text: String) {
        let line = format(text)
        os_log("%@", line)
    }
}

/// What stands apart from its type.
extension Ship {
    func sail(with captain: Captain) {
        captain.greet()
        log.write("sail")
        departed += 1
    }

    var departed: Int {
        get { 0 }
        set { log.write("\(newValue)") }
    }
}

private func format(_ text: String) -> String { text }
