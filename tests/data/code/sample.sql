-- The shop.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  note TEXT DEFAULT 'a; b'
);

INSERT INTO orders VALUES
  (0, 'body_mark'),
  (1, 'body_mark'),
  (2, 'body_mark'),
  (3, 'body_mark'),
  (4, 'body_mark'),
  (5, 'body_mark'),
  (6, 'body_mark'),
  (7, 'body_mark'),
  (8, 'body_mark'),
  (9, 'body_mark'),
  (10, 'body_mark'),
  (11, 'body_mark');

CREATE INDEX orders_note ON orders (note);
