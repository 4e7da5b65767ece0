"""Checks who somebody is."""

from auth.token import TokenValidator
from store.users import find_user


class Credentials:
    def __init__(self, name, password):
        self.name = name
        self.password = password


# ログイン処理

class AuthService:
    """Logs users in."""

    def __init__(self):
        self.validator = TokenValidator()

    def authenticate(self, credentials):
        user = find_user(credentials.name)
        if user is None:
            return None
        return self.issue(user)

    def issue(self, user):
        return self.validator.validate(user.token)
