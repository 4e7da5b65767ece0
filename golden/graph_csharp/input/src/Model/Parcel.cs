namespace Post.Model;

public interface IParcel
{
    int Weight { get; }
    string Label();
}

public abstract class Item : IParcel
{
    public virtual int Weight => 1;

    public abstract string Label();

    protected string Stamp(string text) => text + Weight;
}

public class Parcel : Item
{
    private readonly Address _address;

    public Parcel(Address address) : base()
    {
        _address = address;
    }

    public Address Target => _address;

    public override int Weight => base.Weight + 2;

    public override string Label()
    {
        return Stamp(_address.Format());
    }
}

public record Address(string Street, int Number)
{
    public string Format() => Street + Number;

    public static Address Parse(string text) => new Address(text, 1);
}

public enum Size { Small, Large }
