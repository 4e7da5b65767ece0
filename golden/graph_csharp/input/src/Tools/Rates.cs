using Post.Model;

namespace Post.Tools
{
    public static class Rates
    {
        public const int Base = 3;

        public static int Price(Size size)
        {
            return size == Size.Large ? Base * 2 : Base;
        }
    }

    public static class ParcelExtensions
    {
        public static string Seal(this Parcel parcel)
        {
            return parcel.Label();
        }
    }
}
