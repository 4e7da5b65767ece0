<?php

namespace Acme\Garden;

use Acme\Garden\Plant\{Grows, Tree};
use function Acme\Garden\dig as dig_hole;
use const Acme\Garden\DEPTH;
use Monolog\Logger;

class Soil
{
    public function __construct(private Logger $logger, protected ?Tree $tree = null)
    {
    }

    public function feed(Grows $plant, $other): void
    {
        $plant->grow(1);
        $this->tree->grow(DEPTH);
        $this->logger->info('fed');
        Tree::seed()->grow(2);
        dig_hole()->grow(3);
        dig(4);
        \Acme\Garden\dig(5);
        $tree = new Tree(2);
        $tree->water();
        $other->save();
        $other->grow(1);
        $make = fn (Tree $tree) => $tree->grow(1);
        $make(Plant\Tree::seed());
        strlen('x');
    }
}
