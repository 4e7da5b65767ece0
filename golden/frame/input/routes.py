from controllers.login import LoginController


def post_login(request):
    controller = LoginController()
    return controller.login(request)


def post_logout(request):
    controller = LoginController()
    return controller.logout(request)
