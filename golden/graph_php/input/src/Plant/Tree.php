<?php

namespace Acme\Garden\Plant;

use Acme\Garden\Soil as Ground;

final class Tree extends Plant
{
    use Waters;

    private ?Ground $ground = null;

    public function grow(int $days): static
    {
        parent::grow($days);
        $this->water();
        $this->ground?->feed($this);
        return $this;
    }

    protected function dry(): void
    {
        echo static::LIMIT;
    }

    public static function seed(): self
    {
        return new self(1);
    }
}
