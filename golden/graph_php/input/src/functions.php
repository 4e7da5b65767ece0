<?php

namespace Acme\Garden;

const DEPTH = 3;

function dig(int $depth = DEPTH): Plant\Tree
{
    return new Plant\Tree($depth);
}
