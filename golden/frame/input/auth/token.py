class TokenValidator:
    def validate(self, token):
        if not token:
            raise ValueError("invalid token")
        return self.parse(token)

    def parse(self, token):
        return token.split(".")
