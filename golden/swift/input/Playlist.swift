import Foundation
import struct Audio.Format
@testable import MusicKit

/// How many songs are kept.
public let maximumSongs = 500
private var player = Player()

/// Anything that can be heard.
public protocol Playable: AnyObject, Catalog.Entry {
    associatedtype Source: StreamSource
    var title: String { get }
    init(source: Source)
    func play(at volume: Float) throws -> Session?
}

/// Why nothing is heard.
enum PlaybackError: String, Error {
    case muted, offline = "off"
    indirect case broken(PlaybackError, reason: Reason)

    static let fallback = PlaybackError.muted
    var isFatal: Bool { self == .offline }
}

struct Song: Hashable {
    let title: String
    var length: Duration, rating = 3
}

typealias Handler<Value> = (Result<Value, PlaybackError>) -> Void

/**
 Keeps songs in an order.
 */
@MainActor
public final class Playlist<Item: Playable>: Storage<Item>, Sequence where Item: Hashable {
    public static let shared = Playlist(name: "all")
    @Published private(set) var songs: [Song] = []
    private weak var delegate: PlaylistDelegate?
    lazy var cache = SongCache(limit: maximumSongs)
    var current: Song? {
        didSet { delegate?.changed(from: oldValue) }
    }
    var volume: Float {
        get { cache.volume }
        set(level) { cache.store(level) }
    }

    /// Opens a list by its name.
    public init(name: String, loader: Loader? = nil) {
        self.songs = loader.load(name)
        super.init(name)
    }

    convenience init?(file url: URL) {
        self.init(name: url.path)
    }

    deinit { cache.close() }

    @discardableResult
    open func start<Output>(with song: Song, on output: inout Output, then handler: @escaping Handler<Output>) async throws -> Session? {
        let session = Session(song: song)
        let stream: Stream = try await session.open(song, format: .lossless)
        let (left, right) = split(stream)
        guard let first = stream.packets.first, first.isValid else { return nil }
        if let song = cache.find(first) {
            song.mark(volume)
        }
        for (index, packet) in stream.packets.enumerated() where index > 0 {
            packet.send(to: left, right)
        }
        switch stream.state {
        case .failed(let problem): throw PlaybackError.broken(problem, reason: .network)
        case let .paused(position): session.seek(position)
        case State.ended: break
        default: handler(.success(output))
        }
        do {
            try session.run()
        } catch let failure as PlaybackError {
            report(failure)
        } catch {
            report(error)
        }
        func retry(_ session: Int) -> Int { session + 1 }
        let loud = songs.filter { $0.rating > 3 }.map { (song: Song) -> String in song.title }
        loud.forEach { [weak self] title in self?.announce(title) }
        player = Player(loud[0], retry(loud.count))
        return session
    }

    subscript(index: Int) -> Song { songs[index] }

    static func == (one: Playlist, other: Playlist) -> Bool { one.songs == other.songs }

    private func announce(_ title: String) {
        let speaker = Audio.Speaker(), words = [String: Int]()
        speaker.say(title, words)
    }
}

actor Downloader {
    func fetch(_ url: URL) async -> Data { await Network.get(url) }
}

extension Playlist: CustomStringConvertible where Item: Sendable {
    public var description: String { "\(songs.count) of \(maximumSongs)" }
}

extension Catalog.Entry {
    func matches(_ query: Query) -> Bool { query.accepts(self) }
}

public func shuffle<T>(_ items: [T], by order: (T, T) -> Bool) -> some Collection {
    return items.sorted(by: order)
}
