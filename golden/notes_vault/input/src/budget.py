def parse_budget(text):
    return int(text)
