from auth.service import AuthService, Credentials


class LoginController:
    def __init__(self):
        self.service = AuthService()

    def login(self, request):
        credentials = Credentials(request.name, request.password)
        service = AuthService()
        return service.authenticate(credentials)

    def logout(self, request):
        return None
