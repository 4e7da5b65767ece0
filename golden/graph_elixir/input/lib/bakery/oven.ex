defmodule Bakery.Oven do
  alias Bakery.{Bread, Timer}
  alias Bakery.Timer, as: Clock
  import Bakery.Heat, only: [warm: 1]
  require Logger

  def bake(name, minutes) do
    bread = Bread.new(name)

    bread
    |> warm()
    |> Bread.slice()

    Clock.wait(minutes)
    Timer.wait(minutes)
    Bakery.Heat.cool(bread)
    Logger.info("baked")
    finish(bread)
  end

  defp finish(%Bread{name: name}), do: String.upcase(name)
end

defmodule Bakery.Timer do
  def wait(minutes), do: :timer.sleep(minutes)
end
