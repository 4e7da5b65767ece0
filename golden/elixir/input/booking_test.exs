defmodule Hotel.BookingTest do
  use ExUnit.Case, async: true
  alias Hotel.Booking

  setup do
    {:ok, guest: "Ada"}
  end

  describe "book/2" do
    @tag :slow
    test "keeps the guest", %{guest: guest} do
      {:ok, booking} = Booking.book(guest)
      assert booking.guest == guest
    end
  end
end
