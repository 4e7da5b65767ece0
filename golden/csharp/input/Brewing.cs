using System;
using System.Collections.Generic;
using static System.Math;
using Json = Tavern.Text.JsonText;
global using Tavern.Stock;

namespace Tavern.Brewing;

/// <summary>Told when a kettle boils.</summary>
public delegate void Boiled(Kettle kettle, double degrees);

[Flags]
public enum Mood { Calm, /* Loud on Fridays. */ Loud = 4 }

public readonly struct Degrees
{
    public readonly double Value;
    public Degrees(double value) => Value = value;
    public static Degrees operator +(Degrees left, Degrees right) => new Degrees(left.Value + right.Value);
    public static implicit operator double(Degrees degrees) => degrees.Value;
}

public record Recipe(string Name, int Minutes) : Entry(Name), IComparable<Recipe>;

internal interface IStore<T> : IEnumerable<T> where T : Entry
{
    T Find(string name);
    int Count { get; }
}

/// <summary>
/// Brews what the recipes say.
/// </summary>
[Serializable, Tavern.Audited("brewing")]
public partial class Brewery<TBeer> : Factory, IStore<TBeer>, IDisposable where TBeer : Beer, new()
{
    private const int MaxKettles = 12;
    private static readonly ILogger Log = LogFactory.For<Brewery<TBeer>>();
    private readonly List<Kettle> kettles = new();
    private Dictionary<string, TBeer>? shelf;

    public event Boiled OnBoiled;

    public Brewery(IClock clock, Cellar cellar) : base(clock)
    {
        this.Cellar = cellar ?? throw new ArgumentNullException(nameof(cellar));
    }

    ~Brewery() => Dispose();

    /// <summary>Where it ripens.</summary>
    public Cellar Cellar { get; private set; }
    protected int Free => MaxKettles - kettles.Count;
    public TBeer this[string name] => Find(name);

    public bool IsOpen
    {
        get { return Free > 0; }
        set { Log.Note("open", value); }
    }

    public async Task<TBeer> BrewAsync(Recipe recipe, Water water, params Hop[] hops)
    {
        var kettle = new Kettle(water);
        Mash mash = await kettle.MashAsync(recipe.Minutes);
        using var timer = Timers.Start(recipe);
        foreach (var hop in hops)
        {
            mash.Add(hop, Round(hop.Weight));
        }
        if (mash.State is Boiling boiling && boiling.Degrees > 99)
        {
            OnBoiled?.Invoke(kettle, boiling.Degrees);
        }
        var strong = from beer in shelf.Values
                     let alcohol = beer.Alcohol
                     where alcohol > 5
                     select beer.Name;
        TBeer Taste(Mash sample) => Sampler.Taste<TBeer>(sample, strong);
        Func<Hop, double> bitterness = hop => hop.Weight * Bitter(hop);
        try
        {
            TBeer beer = Taste(mash);
            if (shelf.TryGetValue(recipe.Name, out var older)) Retire(older);
            shelf[recipe.Name] = beer;
            return Cellar.Store(beer, new Label { Text = Json.Write(beer), Mood = Mood.Loud });
        }
        catch (SpoiledException spoiled) when (spoiled.Total)
        {
            Log.Warn(spoiled.Message);
            throw;
        }
    }

    public TBeer Find(string name) => shelf?.GetValueOrDefault(name);

    string Describe(object thing) => thing switch
    {
        Recipe { Minutes: > 60 } slow => slow.Name,
        Kettle kettle => kettle.ToString(),
        _ => nameof(thing),
    };

    public void Dispose() { }
}

public static class HopExtensions
{
    public static double Bitter(this Hop hop) => hop.Oils.Sum(oil => oil.Acid);
}
