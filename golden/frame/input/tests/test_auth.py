from auth.service import AuthService, Credentials


def test_authenticate():
    assert AuthService().authenticate(Credentials("a", "b")) is not None
