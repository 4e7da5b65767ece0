namespace Post.Office
{
    public partial class Counter
    {
        private int lines;

        private void Log(int weight)
        {
            lines += weight;
            this.Take(null);
        }

        internal class Scale
        {
            public int Weigh(Model.IParcel parcel) => parcel.Weight;
        }
    }
}
