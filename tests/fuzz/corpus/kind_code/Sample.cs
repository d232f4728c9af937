busing System;
using System.Linq;

namespace Acme.Orders
{
    /// <summary>An order.</summary>
    [Serializable]
    public sealed class Order : IOrder
    {
        public int Id { get; set; }
        private readonly string[] _lines = { "a", "}" };

        public Order(int id)
        {
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
        }

        public async Task<decimal> TotalAsync(decimal rate = 1.0m)
        {
            if (rate < 0)
            {
                throw new ArgumentException("rate");
            }
        body_mark(0);
        body_mark(1);
        body_mark(2);
        body_mark(3);
        body_mark(4);
        body_mark(5);
        body_mark(6);
        }
    }

    public enum State { Open, Closed }
}
