<?php

declare(strict_types=1);

namespace Shop\Billing;

use Countable;
use Psr\Log\LoggerInterface as Logger;
use Shop\Model\{Account, Entry as Row, Tax\Rate};
use function Shop\Support\money;
use const Shop\Support\{CENTS, CURRENCY};

require_once __DIR__ . '/bootstrap.php';
include 'legacy.php';

const MAX_ENTRIES = 500;
define('LEDGER_VERSION', 3);

/** What can be booked. */
interface Bookable extends \JsonSerializable
{
    public const KIND = 'entry';

    public function amount(): int;
}

/** Sides of an account. */
enum Side: string implements HasLabel
{
    case Debit = 'D';
    case Credit = 'C';

    public function label(): string
    {
        return match ($this) {
            self::Debit => 'owed',
            Side::Credit => strtolower(LEDGER_VERSION . 'paid'),
        };
    }
}

trait RemembersChanges
{
    /** @var string[] */
    protected array $changes = [];

    abstract protected function clock(): Clock;

    private function remember(string $what): void
    {
        $this->changes[] = $what;
    }
}

/**
 * Keeps the entries of one account.
 */
#[Service(tag: 'ledger')]
final class Ledger extends Journal implements Bookable, Countable
{
    use RemembersChanges, \Shop\Support\Locks;

    private static int $opened = 0;
    public ?Account $owner = null, $payer;
    public string $title {
        get => $this->title ?? CURRENCY;
        set(string $value) { $this->title = trim($value); }
    }

    public function __construct(
        private readonly Store $store,
        protected ?Logger $logger = null,
        int $limit = MAX_ENTRIES,
    ) {
        parent::__construct($limit);
        self::$opened++;
    }

    /** Books a row for an account. */
    public function book(Account $account, Row ...$rows): ?Row
    {
        $entry = new Row($account, Side::Debit);
        $rate = Rate::for($account);
        $entry->charge($rate);
        [$first, $others] = split_rows($rows);
        foreach ($rows as $index => &$row) {
            $this->store->put($row, $index);
            $this->logger?->info("booked {$row->number} of $account");
        }
        $total = array_map(fn (Row $row) => $row->amount() * CENTS, $rows);
        $report = static function (Row $entry) use ($total, $rate): string {
            return money($total, $rate) . $entry->text();
        };
        try {
            $this->remember($report($first));
        } catch (StoreFull | \RuntimeException $error) {
            $this->logger->error($error->getMessage(), previous: $error);
        }
        if ($others instanceof Pages) {
            return $others->last();
        }
        return self::$opened > 0 ? $entry : new \Shop\Model\EmptyRow();
    }

    public static function open(string $path): static
    {
        static $cache = [];
        $query = <<<SQL
            SELECT * FROM entries
            SQL;
        $cache[$path] ??= new static(Store::connect($path, $query));
        return $cache[$path];
    }

    public function count(): int
    {
        return \count($this->store->all(Row::class));
    }

    protected function clock(): Clock
    {
        return new class($this) extends SystemClock {
            public function now(): int { return time(); }
        };
    }
}

function audit(Ledger $ledger, callable $then): void
{
    $count = count($ledger);
    $then($count);
}

$ledger = Ledger::open($argv[1]);
$clock = new SystemClock();
audit($ledger, fn ($count) => print($count));
