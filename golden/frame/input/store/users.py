class User:
    def __init__(self, name, token):
        self.name = name
        self.token = token


def find_user(name):
    return User(name, "")
