import Foundation

/// A door.
public struct Door: Codable {
    let width: Double
    var open: Bool {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }

    init(width: Double) {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }

    func knock(times: Int = 1, on side: Side) throws -> Bool {
        let text = """
        a long { text
        """
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }
}

enum Side {
    case front, back
}

extension Door: Equatable {
    static func close(_ door: Door) {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
    }
}
