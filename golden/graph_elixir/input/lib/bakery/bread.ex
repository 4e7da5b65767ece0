defmodule Bakery.Bread do
  @moduledoc "Bread."

  defstruct [:name, weight: 500]

  @default 500

  def new(name), do: new(name, @default)

  def new(name, weight) do
    %__MODULE__{name: name, weight: check(weight)}
  end

  def slice(%__MODULE__{} = bread), do: bread.weight

  defp check(weight) when weight > 0, do: weight
end
