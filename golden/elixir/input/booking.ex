# Rooms and who booked them.
defmodule Hotel.Booking do
  @moduledoc """
  One stay of one guest.
  """

  use Ecto.Schema
  import Ecto.Query, only: [from: 2]
  alias Hotel.{Repo, Mailer}
  alias Hotel.Rooms.Room, as: Chamber
  alias Hotel.Payments
  require Logger

  @behaviour Hotel.Bookable
  @max_nights 30
  @type t :: %__MODULE__{guest: String.t(), nights: integer()}
  @typep outcome(value) :: {:ok, value} | {:error, term()}

  defstruct [:guest, :room, nights: 1]

  @doc "Books a room for a guest."
  @spec book(String.t(), keyword()) :: outcome(t())
  def book(guest, options \\ []) when is_binary(guest) do
    room = Chamber.find(options)
    booking = %Hotel.Booking{guest: guest, room: room}

    with {:ok, checked} <- check(booking),
         {:ok, saved} <- Repo.insert(checked) do
      Mailer.deliver(guest, saved)
      notify(saved)
    else
      {:error, %Payments.Declined{} = reason} -> reject(booking, reason)
    end
  end

  # Says what it costs.
  def price(%Chamber{} = room, nights), do: room.rate * nights

  @impl true
  def cancel(booking) do
    booking
    |> refund(@max_nights)
    |> Repo.delete!()

    Enum.each(booking.guests, fn guest -> Mailer.deliver(guest, :cancelled) end)
    Enum.map(booking.notes, &String.trim/1)
    Enum.filter(booking.notes, &keep?/1)
  rescue
    error in Ecto.StaleEntryError ->
      Logger.warning("stale: #{inspect(error)}")
      raise Hotel.Conflict, booking: booking
  end

  defp check(%{nights: nights} = booking) when nights > @max_nights do
    {:error, booking}
  end

  defp check(booking), do: {:ok, booking}

  defp notify(booking) do
    client = Payments.Client.new(booking.guest)
    client.send(booking)
    :telemetry.execute([:hotel, :booked], %{count: 1})
  end

  @doc false
  defmacro with_lock(room, do: block) do
    quote do
      Hotel.Lock.hold(unquote(room), fn -> unquote(block) end)
    end
  end

  defguard is_long(nights) when nights > 7
  defdelegate rooms(filter), to: Hotel.Rooms, as: :list
end

defprotocol Hotel.Printable do
  @doc "The lines for the front desk."
  def lines(value)
end

defimpl Hotel.Printable, for: Hotel.Booking do
  def lines(booking), do: [booking.guest]
end

defmodule Hotel.Bookable do
  @callback cancel(booking :: term()) :: :ok
end

defmodule Hotel.Conflict do
  defexception message: "already booked", booking: nil
end

defmodule Hotel.Join do
  defmacro left <> right do
    quote(do: Hotel.Join.join(unquote(left), unquote(right)))
  end
end
