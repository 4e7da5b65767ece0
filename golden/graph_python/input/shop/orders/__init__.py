from .order import Order, settle_order
