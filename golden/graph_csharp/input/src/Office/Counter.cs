using System;
using System.Collections.Generic;
using Post.Model;
using Post.Tools;
using Home = Post.Model.Address;
using static Post.Tools.Rates;

namespace Post.Office
{
    public partial class Counter
    {
        private readonly IParcel last;
        private readonly List<Parcel> parcels = new();
        private readonly Scale scale = new Scale();

        public event EventHandler Closed;

        public int Take(Parcel parcel, Size size = Size.Small)
        {
            var home = Home.Parse("lane");
            var other = new Parcel(home);
            other.Label();
            parcel.Target.Format();
            last.Label();
            Log(parcel.Weight);
            foreach (var each in parcels)
            {
                each.Label();
            }
            parcel.Seal();
            return scale.Weigh(parcel) + Price(size) + Rates.Base;
        }

        public void Tell(object thing, Missing unknown)
        {
            thing.Label();
            unknown.Weigh(null);
            Console.WriteLine(thing);
        }
    }
}
