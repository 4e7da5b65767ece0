defmodule Bakery.OvenTest do
  use ExUnit.Case
  alias Bakery.Oven

  test "bakes" do
    assert Oven.bake("rye", 3) == "RYE"
  end
end
