def rank_alerts_by_age(alerts):
    """The oldest alert comes first."""
    return sorted(alerts, key=lambda alert: alert.opened)
