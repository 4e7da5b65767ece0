using Post.Office;

namespace Post.Tests;

public class CounterTests
{
    private readonly Counter counter = new();

    [Fact]
    public void Takes()
    {
        var parcel = new Parcel(Address.Parse("x"));
        Assert.Equal(6, counter.Take(parcel));
        Assert.Equal("x1", parcel.Label());
    }
}
