-- The tables of the shop.
CREATE SCHEMA shop;

CREATE TYPE shop.mood AS ENUM ('calm', 'hasty');

-- Who buys.
CREATE TABLE IF NOT EXISTS shop.customers (
  id SERIAL PRIMARY KEY,
  email VARCHAR(200) NOT NULL UNIQUE,
  mood shop.mood DEFAULT 'calm'
);

/* What they bought. */
CREATE TABLE orders (
  id BIGINT PRIMARY KEY,
  customer_id INT NOT NULL REFERENCES shop.customers (id) ON DELETE CASCADE,
  total NUMERIC(10, 2),
  FOREIGN KEY (customer_id) REFERENCES customers (id)
);

ALTER TABLE orders ADD COLUMN note TEXT;

CREATE UNIQUE INDEX orders_by_customer ON orders (customer_id, id);

CREATE VIEW big_orders AS
SELECT o.id, c.email, round_total(o.total)
FROM orders o
JOIN shop.customers AS c ON c.id = o.customer_id
WHERE o.total > 100;

CREATE MATERIALIZED VIEW totals AS
SELECT customer_id, sum(total) FROM orders GROUP BY customer_id;

CREATE FUNCTION round_total(amount NUMERIC, digits INT) RETURNS NUMERIC AS $$
BEGIN
  RETURN amount;
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER orders_changed AFTER UPDATE ON orders
FOR EACH ROW EXECUTE FUNCTION note_change();

CREATE SEQUENCE invoice_numbers;

WITH recent AS (SELECT id FROM orders WHERE id > 10)
SELECT recent.id, count(*) FROM recent JOIN big_orders b ON b.id = recent.id GROUP BY recent.id;

INSERT INTO shop.customers (email) VALUES ('ada@example.org');
UPDATE orders SET note = 'gift' WHERE customer_id IN (SELECT id FROM shop.customers);
DELETE FROM orders WHERE id = 3;
