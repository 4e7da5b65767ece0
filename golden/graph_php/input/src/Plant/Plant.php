<?php

namespace Acme\Garden\Plant;

interface Grows
{
    public function grow(int $days): static;
}

trait Waters
{
    private int $water = 0;

    public function water(): void
    {
        $this->water += self::amount();
        $this->dry();
    }

    abstract protected function dry(): void;

    private static function amount(): int
    {
        return 2;
    }
}

abstract class Plant implements Grows
{
    public const LIMIT = 10;

    protected int $height = 0;

    public function __construct(int $height)
    {
        $this->height = $height;
    }

    public function grow(int $days): static
    {
        $this->height += min($days, self::LIMIT);
        return $this;
    }
}
