<?php

namespace Acme\Garden\Tests;

use Acme\Garden\Plant\Tree;
use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/../src/functions.php';

class TreeTest extends TestCase
{
    public function testGrows(): void
    {
        $tree = Tree::seed();
        $tree->grow(3);
        $this->assertSame($tree, \Acme\Garden\dig(1));
    }
}
